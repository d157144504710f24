//! Plays `examples/arena` as a user would: by a script, and on a terminal.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

#[path = "support/example.rs"]
mod example;
#[cfg(target_os = "linux")]
#[path = "support/terminal.rs"]
mod terminal;

use example::{stderr, stdout};

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
    // Keys do nothing then.
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
    // From another row, or behind the shield, nothing happens to the hero.
    assert!(score(&played(&file, &[], "bhhh..")).contains("health 20"));
    let shielded = played(&file, &[], "bs....");
    assert_eq!((count(&shielded, "&"), count(&shielded, "*")), (1, 0), "{shielded}");
    assert!(score(&shielded).starts_with("Shielded: health 20"), "{shielded}");
    // The state ends by its code; until the next one has ended, too, the shield can't be raised.
    assert!(score(&played(&file, &[], "s........")).starts_with("Tired: "));
    assert!(score(&played(&file, &[], "s........s")).starts_with("Tired: "));
    assert!(score(&played(&file, &[], "s....................")).starts_with("Ready: "));
    assert_eq!(count(&played(&file, &[], "s....................s"), "&"), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn it_is_played_saved_and_restored_on_a_terminal() {
    let file = path("terminal.json");
    let (before, after) = WON.split_at(WON.len() - 40);
    let (middle, after) = after.split_at(20);
    played(&file, &["--seed", SEED], &format!("{before}S"));
    let arena = example::binary("arena");
    let command = format!("exec {} --file {file}", arena.display());
    // The key `x` is none of the game's.
    let keys = format!("L{middle}Sjjjjj.....bL{after}xq");
    let Some(output) = terminal::on_terminal(&command, &keys) else {
        return;
    };
    let seen = stdout(&output).replace('\r', "");
    let (view, end) = seen
        .split_once("\u{1b}[?1049l")
        .unwrap_or_else(|| panic!("not put back: {seen}"));
    assert!(output.status.success() && view.contains("\u{1b}[?1049h"), "{output:?}");
    let shown = screen(view);
    let straight = played(&file, &["--seed", SEED], WON);
    assert!(shown.starts_with(&straight), "{shown}\nand not\n{straight}");
    assert!(shown.contains("\nthe game has no key `x`\n"), "{shown}");
    // The last picture is printed where it stays.
    assert!(end.ends_with(&straight), "{end}\nand not\n{straight}");
    assert_eq!(score(&straight), "won; 30 goblins fallen, 0 to come");
}

/// The view of the game in a terminal that is too small for its field.
#[test]
#[cfg(target_os = "linux")]
fn a_small_terminal_is_told_how_large_the_game_is() {
    let arena = example::binary("arena");
    let command = format!("exec {} --file {}", arena.display(), path("small.json"));
    // A key that would cost a barrel if the game took it.
    let Some(output) = terminal::on_terminal_of([12, 40], &command, "bq") else {
        return;
    };
    let (view, end) = stdout(&output).split_once("\u{1b}[?1049l").expect("put back");
    let shown = screen(view);
    assert!(shown.contains("The arena needs 48 columns and 22 lines"), "{shown}");
    assert!(shown.contains("this terminal has 40 and 12"), "{shown}");
    assert!(end.contains("health 20, 5 barrels"), "{end}");
    assert!(output.status.success(), "{output:?}");
}

/// The lines on the terminal after this output: characters, and sequences that move the cursor. Others are passed over.
#[cfg(target_os = "linux")]
fn screen(output: &str) -> String {
    let mut cells = vec![[' '; 100]; 24];
    let (mut row, mut column) = (0, 0);
    let mut rest = output.chars();
    while let Some(next) = rest.next() {
        if next == '\u{1b}' {
            let mut sequence = String::new();
            let kind = rest.by_ref().find(|it| {
                sequence.push(*it);
                it.is_ascii_alphabetic()
            });
            let numbers = sequence.trim_matches(|it: char| !it.is_ascii_digit()).split_once(';');
            if let (Some('H'), Some((to_row, to_column))) = (kind, numbers) {
                let number = |text: &str| text.parse::<usize>().expect("a number") - 1;
                (row, column) = (number(to_row), number(to_column));
            }
        } else {
            cells[row][column] = next;
            column += 1;
        }
    }
    let lines = cells
        .into_iter()
        .map(|line| String::from_iter(line).trim_end().to_owned() + "\n");
    lines.collect()
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
    played(&file, &[], "lllS");
    let saved = fs::read_to_string(&file).expect("was saved");
    for (part, other, reason) in [
        (
            "\"health\":20",
            "\"health\":\"x\"",
            "field `body.health`: invalid type: string \"x\", expected i32",
        ),
        (
            "\"barrels\":5",
            "\"barels\":5",
            "of Arena.Hero: field `barels`: there is no such field",
        ),
        ("\"Arena.Ogre\"", "\"Arena.Orge\"", "(did you mean `Arena.Ogre`?)"),
        ("\"Asleep\"", "\"Awake\"", "field `state`: the class has no state Awake"),
        ("\"version\"", "\"varsion\"", "unknown field `varsion`"),
        ("{", "[", "wrong.json: "),
    ] {
        assert!(saved.contains(part), "no {part} in {saved}");
        fs::write(&file, saved.replacen(part, other, 1)).expect("a file in target/tmp");
        refuses(&["--file", &file, "--script", "L"], reason);
    }
}

#[test]
fn the_source_is_short() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("arena");
    let files = fs::read_dir(folder).expect("the example");
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).expect("text"));
    let lines: usize = texts.map(|text| text.lines().count()).sum();
    assert!((300..650).contains(&lines), "{lines} lines; the chapter says under 650");
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

/// The last picture after these keys, with a file of its own for saving.
fn played(file: &str, arguments: &[&str], keys: &str) -> String {
    let output = arena(&[&["--file", file, "--script", keys], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{keys}: {output:?}");
    stdout(&output).to_owned()
}

fn arena(arguments: &[&str]) -> Output {
    example::run("arena", arguments, "")
}

/// The path of a file for one test.
fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("arena-{name}"));
    path.into_os_string().into_string().expect("a path in UTF-8")
}
