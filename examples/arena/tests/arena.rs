//! Plays `examples/arena` as a user would: by a script, and on a terminal.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Keys with which the field of this seed is won.
const SEED: &str = "4";
const WON: &str = concat!(
    "lll..ljj..skkkkkkkkll..kkkjjjj..jjjll..ljj.jjllllllkkkkk..kkk..k.kklllll..ljjhhhhhhhhh..h.",
    "jjhhh..hjjhhh..hjjhhh..hjjhh..hhh.jjhhh..hjjhhh..hjj.jjhh..hhhjjhh..h.jj..hsjjkkkkkkjjkkhk",
    "..k..kskkkkkkkkhh..hkklllllljjjjjj..jjjllllllj..jjj.jjllll..j..jsjjjjjjjj",
);

/// The last line of a picture.
fn score(picture: &str) -> &str {
    picture.lines().last().unwrap_or_default()
}

fn count(picture: &str, faces: &str) -> usize {
    let field = picture.lines().take(16).flat_map(str::chars);
    field.filter(|face| faces.contains(*face)).count()
}

#[test]
fn a_field_is_won_and_lost() {
    let file = path("ends.json");
    let begin = played(&file, &[], "");
    assert_eq!(
        (count(&begin, "@"), count(&begin, "z"), count(&begin, "b")),
        (1, 20, 10)
    );
    assert_eq!(
        score(&begin),
        "Ready: health 20, 5 barrels; 0 goblins fallen, 10 to come"
    );
    let end = played(&file, &["--seed", SEED], WON);
    assert_eq!(score(&end), "won; 30 goblins fallen, 0 to come");
    assert_eq!(count(&end, "zGOo"), 0, "{end}");
    let end = played(&file, &[], &".".repeat(400));
    assert!(score(&end).starts_with("lost; ") && count(&end, "@&") == 0, "{end}");
    // Then keys do nothing.
    let later = played(&file, &[], &(".".repeat(400) + "hjklbs."));
    assert!(score(&later).starts_with("lost; "), "{later}");
}

#[test]
fn the_same_seed_and_keys_give_the_same_game() {
    let (file, half) = (path("same.json"), &WON[..120]);
    let first = played(&file, &["--seed", SEED], half);
    assert_eq!(first, played(&file, &["--seed", SEED], half));
    assert_ne!(first, played(&file, &["--seed", "5"], half));
}

#[test]
fn a_restored_game_goes_on_as_the_first_one() {
    let file = path("saved.json");
    let straight = played(&file, &["--seed", SEED], WON);
    for cut in (1..WON.len()).step_by(12) {
        let (before, after) = WON.split_at(cut);
        let detour = format!("{before}Sjjjjj.......bh......L{after}");
        assert_eq!(played(&file, &["--seed", SEED], &detour), straight, "cut at {cut}");
        // In another process, which began with another field.
        assert_eq!(played(&file, &["--seed", "9"], &format!("...L{after}")), straight);
    }
}

#[test]
fn a_barrel_burns_and_explodes() {
    let file = path("barrel.json");
    let lit = played(&file, &[], "b");
    assert_eq!((count(&lit, "*"), count(&lit, "b")), (1, 10), "{lit}");
    assert!(score(&lit).contains("health 20, 4 barrels"), "{lit}");
    let burning = played(&file, &[], "b....");
    assert_eq!(count(&burning, "*"), 1, "{burning}");
    let over = played(&file, &[], "b.....");
    assert_eq!(count(&over, "*"), 0, "{over}");
    assert!(score(&over).contains("health 14, 4 barrels"), "{over}");
    // In another row, or behind the shield, nothing happens to the hero.
    assert!(score(&played(&file, &[], "bhhh..")).contains("health 20"));
    let shielded = played(&file, &[], "bs....");
    assert_eq!((count(&shielded, "&"), count(&shielded, "*")), (1, 0), "{shielded}");
    assert!(score(&shielded).starts_with("Shielded: health 20"), "{shielded}");
    // The state ends by its code. Until the next state has ended, too, the shield can't be raised.
    assert!(score(&played(&file, &[], "s........")).starts_with("Tired: "));
    assert!(score(&played(&file, &[], "s........s")).starts_with("Tired: "));
    assert!(score(&played(&file, &[], "s....................")).starts_with("Ready: "));
    assert_eq!(count(&played(&file, &[], "s....................s"), "&"), 1);
}

/// On a terminal of this size, where `keys` are typed after a second. `None` if the system cannot make one: `script` is part of
/// util-linux, which a small system may lack.
#[cfg(target_os = "linux")]
fn on_terminal([lines, columns]: [u16; 2], file: &str, keys: &str) -> Option<Output> {
    let arena = env!("CARGO_BIN_EXE_arena");
    let command = format!("stty rows {lines} cols {columns}; exec {arena} --file {file}");
    let typing = format!("{{ sleep 1; printf '{keys}'; sleep 5; }} | script -qec \"$0\" /dev/null");
    let output = Command::new("sh")
        .args(["-c", &typing, &command])
        .output()
        .expect("a shell");
    (!String::from_utf8_lossy(&output.stderr).contains("not found")).then_some(output)
}

#[test]
#[cfg(target_os = "linux")]
fn it_is_played_saved_and_restored_on_a_terminal() {
    let file = path("terminal.json");
    let (before, after) = WON.split_at(WON.len() - 40);
    let (middle, after) = after.split_at(20);
    played(&file, &["--seed", SEED], &format!("{before}S"));
    // The key `x` is not a key of the game.
    let keys = format!("L{middle}Sjjjjj.....bL{after}xq");
    let Some(output) = on_terminal([24, 100], &file, &keys) else {
        return;
    };
    let seen = stdout(&output).replace('\r', "");
    let (view, end) = seen.split_once("\u{1b}[?1049l").expect("put back");
    assert!(output.status.success() && view.contains("\u{1b}[?1049h"), "{output:?}");
    assert!(view.contains("the game has no key `x`"), "{view}");
    // The last picture stays after the game.
    let straight = played(&file, &["--seed", SEED], WON);
    assert!(end.ends_with(&straight), "{end}\nand not\n{straight}");
    assert_eq!(score(&straight), "won; 30 goblins fallen, 0 to come");
}

#[test]
#[cfg(target_os = "linux")]
fn a_small_terminal_is_told_how_large_the_game_is() {
    // A key that would cost a barrel if the game took it.
    let Some(output) = on_terminal([12, 40], &path("small.json"), "bq") else {
        return;
    };
    let (view, end) = stdout(&output).split_once("\u{1b}[?1049l").expect("put back");
    assert!(view.contains("The arena needs 48 columns"), "{view}");
    assert!(end.contains("health 20, 5 barrels"), "{end}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    refuses(&["--script", "hx"], "the game has no key `x`");
    refuses(&["--script", "\u{7}"], "the game has no key `\\u{7}`");
    refuses(&["--seed", "ten"], "--seed: cannot parse");
    refuses(&["--seed", "ten"], "; try --help");
    refuses(&["more"], "unexpected argument \"more\"; try --help");
    refuses(&[], "the arena needs a terminal, or --script KEYS");
    refuses(
        &["--file", "/no/such.json", "--script", "L"],
        "/no/such.json: No such file",
    );
    refuses(
        &["--file", "/no/such/folder", "--script", "S"],
        "/no/such/folder: No such file",
    );
    let help = arena(&["--help"]);
    assert!(
        help.status.success() && stdout(&help).contains("--script KEYS"),
        "{help:?}"
    );
}

#[test]
fn a_wrong_file_is_refused() {
    let file = path("wrong.json");
    fs::write(&file, "[").expect("a file in target/tmp");
    refuses(&["--file", &file, "--script", "L"], "wrong.json: ");
}

/// Fails with status 2, nothing on standard output, and one line that has `reason` in it.
fn refuses(arguments: &[&str], reason: &str) {
    let output = arena(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    let message = stderr(&output);
    assert!(message.starts_with("arena: ") && message.contains(reason), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

/// The last picture after these keys, with its own file for saving.
fn played(file: &str, arguments: &[&str], keys: &str) -> String {
    let output = arena(&[&["--file", file, "--script", keys], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{keys}: {output:?}");
    stdout(&output).to_owned()
}

fn arena(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command
        .args(arguments)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// The path of a file for one test.
fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{name}"));
    path.into_os_string().into_string().expect("a path in UTF-8")
}
