//! Runs `examples/skirmish` as a user would: its output, its errors, and its exit status.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

#[path = "support/example.rs"]
mod example;
#[cfg(target_os = "linux")]
#[path = "support/terminal.rs"]
mod terminal;

use example::{stderr, stdout};

/// Enough for slots to be reused and handles to go stale, also in a debug build.
const SHORT: [&str; 2] = ["--ticks", "400"];

#[test]
fn the_table_names_every_class_and_nothing_leaks() {
    let output = skirmish(&[&SHORT[..], &["--threads", "2"]].concat());
    let table = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(table.starts_with("800 ticks on 2 threads in "), "{table}");
    for word in [
        "lives",
        "fresh",
        "reused",
        "peak",
        "bytes kept",
        "stale refused",
        "finalizers",
        "leaked",
    ] {
        assert!(table.contains(word), "no {word} in:\n{table}");
    }
    assert!(table.contains("the level, 20 ticks:"), "{table}");
    for class in [
        "Skirmish.Projectile",
        "Skirmish.Item",
        "AcediaCore.Text",
        "AcediaCore.IntBox",
    ] {
        let row = table.lines().find(|line| line.starts_with(class));
        let row = row.unwrap_or_else(|| panic!("no {class} in:\n{table}"));
        assert!(row.ends_with(" 0"), "leaked: {row}");
    }
    assert!(output.stderr.is_empty(), "no progress bar in a pipe: {output:?}");
}

#[test]
fn json_has_the_promised_fields() {
    let report = json(&[&SHORT[..], &["--threads", "3"]].concat());
    assert_eq!(report["ticks"], 400);
    assert_eq!(report["threads"], 3);
    assert_eq!(
        (&report["ticks_planned"], &report["ticks_played"]),
        (&1_200.into(), &1_200.into())
    );
    assert_eq!(report["ended_early"], false);
    assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(report["stale_refused"].as_u64().is_some_and(|refused| refused > 0));
    assert_eq!(report["stale_resolved"], 0);
    assert_eq!(report["leaked"], 0);
    let classes = report["classes"].as_array().expect("a list");
    assert_eq!(classes.len(), 4);
    for class in classes {
        let number = |name: &str| class[name].as_u64().unwrap_or_else(|| panic!("no {name} in {class}"));
        assert!(class["name"].as_str().is_some_and(|name| name.contains('.')));
        assert_eq!(number("lives"), number("fresh") + number("reused"), "{class}");
        assert!(number("peak_live") <= number("lives"), "{class}");
        assert!(number("reused") > number("fresh"), "{class}");
        assert!(number("retained_bytes") > 0, "{class}");
        assert_eq!(number("leaked"), 0);
    }
}

#[test]
fn the_inspector_serves_the_classes_of_a_running_match() {
    let mut command = Command::new(example::binary("skirmish"));
    let options = ["--inspect", "--ticks", "900000000", "--threads", "1"];
    let mut process = command.args(options).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut line = String::new();
    let mut said = BufReader::new(process.stderr.take().expect("a pipe"));
    said.read_line(&mut line).expect("the address");
    let stats = line.strip_prefix("pools: http://").and_then(|url| {
        let (address, query) = url.trim_end().split_once('/')?;
        let mut stream = TcpStream::connect(address).ok()?;
        let request = format!("GET /stats.json{query} HTTP/1.1\r\n\r\n");
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        serde_json::from_str::<Value>(answer.split_once("\r\n\r\n")?.1).ok()
    });
    process.kill().expect("it still plays");
    process.wait().expect("it has ended");
    let stats = stats.unwrap_or_else(|| panic!("no numbers at {line}"));
    assert_eq!(stats["program"], format!("skirmish{}", std::env::consts::EXE_SUFFIX));
    let classes = stats["classes"].as_array().expect("a list");
    assert!(classes.iter().any(|class| class["name"] == "Skirmish.Item"), "{stats}");
}

#[test]
fn watching_needs_a_terminal() {
    refuses(&["--watch"], "--watch needs a terminal");
}

/// Starts a match far longer than a test may last, which ends as soon as `q` is typed.
#[test]
#[cfg(target_os = "linux")]
fn the_view_ends_with_q_and_the_report_follows() {
    let skirmish = example::binary("skirmish");
    let watch = format!("exec {} --watch --ticks 900000000 --threads 1", skirmish.display());
    let Some(output) = terminal::on_terminal(&watch, "q") else {
        return;
    };
    let seen = stdout(&output);
    let (view, report) = seen
        .split_once("\u{1b}[?1049l")
        .unwrap_or_else(|| panic!("not put back: {seen}"));
    assert!(
        view.contains("stale refused") && view.contains("Skirmish.Projectile"),
        "{view}"
    );
    assert!(report.contains(" of 900,000,000 ticks on 1 threads in "), "{report}");
    assert!(report.contains("; ended early"), "{report}");
    assert!(report.contains(" 0 resolved, 0 objects leaked"), "{report}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_view_with_a_report_too() {
    let skirmish = example::binary("skirmish");
    let watch = format!("exec {} --watch --ticks 900000000 --threads 1", skirmish.display());
    let Some(output) = terminal::on_terminal(&watch, "\\003") else {
        return;
    };
    let seen = stdout(&output);
    assert!(
        seen.contains("; ended early") && seen.contains(" 0 objects leaked"),
        "{seen}"
    );
    assert_eq!(output.status.code(), Some(130), "{output:?}");
}

/// Without a view Ctrl-C is a signal. With a baseline, the round that it ends is the only one.
#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_every_match_with_a_report() {
    for mode in [
        &[][..],
        &["--json"],
        &["--inspect", "--json"],
        &["--baseline", "--json"],
    ] {
        let output = interrupted(&[&["--ticks", "900000000", "--threads", "2"], mode].concat());
        assert_eq!(output.status.code(), Some(130), "{mode:?}: {output:?}");
        let report = stdout(&output);
        if mode.is_empty() {
            assert!(report.contains(" of 1,800,000,000 ticks on 2 threads"), "{report}");
            assert!(report.contains(" 0 resolved, 0 objects leaked"), "{report}");
            continue;
        }
        let report: Value = serde_json::from_str(report).unwrap_or_else(|error| panic!("{error}: {report}"));
        assert_eq!((&report["ended_early"], &report["leaked"]), (&true.into(), &0.into()));
        assert_eq!(report["ticks_planned"], 1_800_000_000);
        assert!(report["ticks_played"].as_u64() < Some(1_800_000_000), "{report}");
        assert!(report["baseline"].is_null(), "{report}");
    }
}

/// The output of a match that gets the signal of Ctrl-C as soon as it handles it.
#[cfg(target_os = "linux")]
fn interrupted(arguments: &[&str]) -> Output {
    let mut command = Command::new(example::binary("skirmish"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("it runs");
    let status = format!("/proc/{}/status", process.id());
    let handles_it = (0..12_000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let status = fs::read_to_string(&status).expect("it plays");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // The bit of SIGINT, which is signal 2.
        caught.is_some_and(|mask| mask & 2 != 0)
    });
    if !handles_it {
        process.kill().expect("it still plays");
        panic!("no handler of the signal");
    }
    let kill = Command::new("kill")
        .args(["-s", "INT", &process.id().to_string()])
        .status();
    assert!(kill.expect("a command").success());
    process.wait_with_output().expect("it ends")
}

#[test]
fn a_leak_is_told() {
    for format in [&[][..], &["--json"]] {
        let output = skirmish(&[&["--ticks", "50", "--threads", "2", "--leak"], format].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(stderr(&output).contains("1 objects leaked"), "{output:?}");
        let report = stdout(&output);
        if format.is_empty() {
            let row = report.lines().find(|line| line.starts_with("Skirmish.Projectile"));
            assert!(row.is_some_and(|row| row.ends_with(" 1")), "{report}");
        } else {
            let report: Value = serde_json::from_str(report).expect("JSON");
            assert_eq!(
                (&report["leaked"], &report["classes"][0]["leaked"]),
                (&1.into(), &1.into())
            );
        }
    }
}

#[test]
fn the_same_seed_lives_the_same_lives() {
    let lives = |seed: &str| {
        let report = json(&[&SHORT[..], &["--threads", "2", "--seed", seed]].concat());
        let classes = report["classes"].as_array().expect("a list").clone();
        classes
            .into_iter()
            .map(|class| class["lives"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(lives("7"), lives("7"));
}

#[test]
fn the_level_is_played_and_everything_in_it_happens() {
    let level = |seed: &str| {
        let report = json(&["--ticks", "4000", "--threads", "1", "--seed", seed]);
        assert_eq!(report["leaked"], 0);
        report["level"].clone()
    };
    let first = level("7");
    assert_eq!(first["ticks"], 200);
    for happened in [
        "soldiers",
        "deaths",
        "shots",
        "hits",
        "pickups",
        "replaced",
        "vaults_opened",
        "lines",
        "scenes",
        "actors_at_the_end",
    ] {
        assert!(
            first[happened].as_u64().is_some_and(|times| times > 0),
            "{happened}: {first}"
        );
    }
    assert_eq!((&first["warnings"], &first["leaked"]), (&0.into(), &0.into()));
    assert_eq!(first, level("7"), "the same seed");
    assert_ne!(first, level("8"));
}

#[test]
fn the_level_is_saved_and_restored() {
    let path = file("saved.json", b"");
    for seed in ["1", "2", "3"] {
        let played = ["--ticks", "6000", "--threads", "1", "--seed", seed];
        let report = json(&[&played[..], &["--save", &path]].concat());
        assert_eq!(report["level"]["restored_equal"], true);
        let saved = fs::read_to_string(&path).expect("was saved");
        assert_eq!(report["level"]["saved_bytes"], saved.len());
        let saved: Value = serde_json::from_str(&saved).expect("is JSON");
        let soldiers = of_class(&saved, "Skirmish.Soldier");
        assert_eq!(soldiers.len(), 12);
        let has_things = |soldier: &&Value| soldier["fields"]["inventory"]["things"][0].is_string();
        assert!(soldiers.iter().any(has_things), "nobody has anything in {saved}");
        let rockets = of_class(&saved, "Skirmish.Rocket");
        assert!(
            rockets.iter().any(|rocket| rocket["owner"].is_u64()),
            "nobody has fired in {saved}"
        );

        // It continues with the saved counts, and can be saved again.
        let report = json(&["--ticks", "2000", "--threads", "1", "--restore", &path]);
        let scores = &of_class(&saved, "Skirmish.Match")[0]["fields"]["scores"];
        for score in ["soldiers", "shots", "lines"] {
            assert!(
                report["level"][score].as_u64() > scores[score].as_u64(),
                "{score}: {report}"
            );
        }
        assert_eq!(
            (&report["level"]["restored_equal"], &report["leaked"]),
            (&true.into(), &0.into())
        );
    }
    let output = skirmish(&SHORT);
    assert!(stdout(&output).contains("JSON and restored: equal"), "{output:?}");
}

/// The saved actors of a class.
fn of_class<'a>(saved: &'a Value, class: &str) -> Vec<&'a Value> {
    let actors = saved["actors"].as_array().expect("a list");
    actors.iter().filter(|actor| actor["class"] == class).collect()
}

/// A saved match.
fn saved() -> Value {
    let path = file("original.json", b"");
    json(&["--ticks", "2000", "--threads", "1", "--save", &path]);
    serde_json::from_slice(&fs::read(path).expect("was saved")).expect("is JSON")
}

/// The first saved actor of a class, to be changed.
fn first<'a>(saved: &'a mut Value, class: &str) -> &'a mut Value {
    let actors = saved["actors"].as_array_mut().expect("a list");
    actors
        .iter_mut()
        .find(|actor| actor["class"] == class)
        .expect("an actor")
}

#[test]
fn what_is_restored_may_be_edited() {
    let mut edited = saved();
    first(&mut edited, "Skirmish.Match")["fields"]["rules"]["soldiers"] = 30.into();
    // Numbers at the ends of their types.
    let scores = &mut first(&mut edited, "Skirmish.Match")["fields"]["scores"];
    scores["shots"] = u64::MAX.into();
    first(&mut edited, "Skirmish.Swap")["fields"]["bombs"] = u64::MAX.into();
    let soldier = &mut first(&mut edited, "Skirmish.Soldier")["fields"];
    soldier["health"] = i32::MAX.into();
    soldier["age"] = u32::MAX.into();
    soldier["inventory"]["gold"] = i32::MAX.into();
    let path = file("edited.json", edited.to_string().as_bytes());
    let report = json(&["--ticks", "400", "--threads", "1", "--restore", &path]);
    assert!(report["level"]["actors_at_the_end"].as_u64() > Some(30), "{report}");
    assert_eq!(report["level"]["shots"], u64::MAX);
    assert_eq!(
        (&report["level"]["restored_equal"], &report["leaked"]),
        (&true.into(), &0.into())
    );
}

/// A change of a saved match, and a part of the error.
type Case = (fn(&mut Value), &'static str);

#[test]
fn wrong_and_unknown_fields_are_refused() {
    let cases: [Case; 11] = [
        (
            |it| first(it, "Skirmish.Match")["fields"]["rules"]["soldiers"] = "x".into(),
            "of Skirmish.Match: field `rules.soldiers`: invalid type: string \"x\", expected a nonzero u8",
        ),
        (
            |it| first(it, "Skirmish.Match")["fields"]["rules"]["soldiers"] = 0.into(),
            "of Skirmish.Match: field `rules.soldiers`: invalid value: integer `0`, expected a nonzero u8",
        ),
        (
            |it| first(it, "Skirmish.Match")["fields"]["rules"]["soldier"] = 5.into(),
            "of Skirmish.Match: field `rules.soldier`: there is no such field",
        ),
        (
            |it| first(it, "Skirmish.Soldier")["fields"]["health"] = "x".into(),
            "of Skirmish.Soldier: field `health`: invalid type: string \"x\", expected i32",
        ),
        (
            |it| first(it, "Skirmish.Soldier")["fields"]["inventory"]["silver"] = 5.into(),
            "of Skirmish.Soldier: field `inventory.silver`: there is no such field",
        ),
        (
            |it| first(it, "Skirmish.Soldier")["fields"]["inventory"]["things"] = 5.into(),
            "of Skirmish.Soldier: field `inventory.things`: invalid type: integer `5`, expected a sequence",
        ),
        (
            |it| first(it, "Skirmish.Herald")["fields"]["lines"][0] = 5.into(),
            "of Skirmish.Herald: field `lines[0]`: invalid type: integer `5`, expected a string",
        ),
        (|it| it["soldier"] = 5.into(), "unknown field `soldier`"),
        (
            |it| first(it, "Skirmish.Soldier")["class"] = "Skirmish.Soldeir".into(),
            "no class of actors is named `Skirmish.Soldeir` (did you mean `Skirmish.Soldier`?)",
        ),
        (
            |it| it["game"] = Value::Null,
            "the level's game is not a Skirmish.Match",
        ),
        (
            |it| {
                let soldier = first(it, "Skirmish.Medkit").clone();
                let age = it["next_age"].as_u64().expect("a number");
                let more = (0..10_000).map(|next| {
                    let mut one = soldier.clone();
                    one["age"] = (age + next).into();
                    one
                });
                it["actors"].as_array_mut().expect("a list").extend(more);
                it["next_age"] = (age + 10_000).into();
            },
            "more than 10000 actors",
        ),
    ];
    let saved = saved();
    for (change, reason) in cases {
        let mut changed = saved.clone();
        change(&mut changed);
        let path = file("wrong.json", changed.to_string().as_bytes());
        refuses(&["--restore", &path], reason);
    }
    refuses(&["--restore", "/no/such.json"], "cannot read /no/such.json");
    refuses(
        &["--restore", &file("half.json", b"{\"a\":")],
        "half.json: unknown field `a`",
    );
    refuses(
        &["--restore", &file("partial.json", b"{}")],
        "partial.json: missing field `version`",
    );
}

#[test]
fn one_thread_and_many_threads() {
    for threads in ["1", "40"] {
        let report = json(&["--ticks", "100", "--threads", threads]);
        assert!(
            report["stale_refused"].as_u64().is_some_and(|refused| refused > 0),
            "{report}"
        );
        assert_eq!((&report["stale_resolved"], &report["leaked"]), (&0.into(), &0.into()));
    }
}

#[test]
fn the_baseline_makes_far_more_allocations() {
    let report = json(&[&SHORT[..], &["--threads", "2", "--baseline"]].concat());
    let baseline = &report["baseline"];
    assert!(
        baseline["time_ratio"].as_f64().is_some_and(|ratio| ratio > 0.0),
        "{report}"
    );
    assert!(
        baseline["allocations_ratio"].as_f64().is_some_and(|ratio| ratio < 0.8),
        "{report}"
    );

    let output = skirmish(&[&SHORT[..], &["--baseline"]].concat());
    assert!(stdout(&output).contains("ratio"), "{output:?}");
}

#[test]
fn any_utf8_text_is_said() {
    let long = "ж".repeat(5_000);
    for (name, text, heard) in [
        ("empty", "", false),
        ("blank", "\n \r\n", false),
        ("long", long.as_str(), true),
    ] {
        let file = file(name, text.as_bytes());
        let report = json(&["--ticks", "50", "--threads", "2", "--input", &file]);
        assert_eq!(
            report["chat_heard"].as_u64().is_some_and(|lines| lines > 0),
            heard,
            "{name}: {report}"
        );
    }
}

#[test]
fn what_is_no_text_is_refused() {
    refuses(&["--input", "/no/such/file"], "cannot read /no/such/file");
    refuses(&["--input", env!("CARGO_MANIFEST_DIR")], "cannot read");
    refuses(
        &["--input", &file("latin1", b"d\xe9j\xe0 vu")],
        "not UTF-8 text: byte 1",
    );
    refuses(&["--input", &file("binary", b"\x7fELF\0\0")], "not text: byte 4");
}

#[test]
fn limits_come_from_a_configuration() {
    let ini = "[AcediaCore.AcediaObjectPool]\r\n\
               poolSizeOverwrite=(objectClass=AcediaCore.Text,maxPoolSize=0) ; keep none\r\n\
               poolSizeOverwrite=(objectClass=Skirmish.Item,maxPoolSize=5)\r\n";
    let report = json(&[&SHORT[..], &["--config", &file("limits.ini", ini.as_bytes())]].concat());
    let class = |name: &str| {
        let classes = report["classes"].as_array().expect("a list");
        classes
            .iter()
            .find(|class| class["name"] == name)
            .expect("the class")
            .clone()
    };
    let lines = class("AcediaCore.Text");
    assert_eq!(
        (&lines["reused"], &lines["retained_bytes"]),
        (&0.into(), &0.into()),
        "{lines}"
    );
    let items = class("Skirmish.Item");
    assert!(
        items["retained_bytes"]
            .as_u64()
            .is_some_and(|bytes| bytes > 0 && bytes < 5 * 200),
        "{items}"
    );
    assert_eq!(report["leaked"], 0);
}

#[test]
fn a_wrong_configuration_is_refused_and_an_unknown_class_reported() {
    refuses(&["--config", "/no/such.ini"], "cannot read /no/such.ini");
    let broken = "[AcediaCore.AcediaObjectPool]\npoolSizeOverwrite=(objectClass=Skirmish.Item,maxPoolSize=few)";
    refuses(&["--config", &file("broken.ini", broken.as_bytes())], "line 2");

    let unknown = "[AcediaCore.AcediaObjectPool]\npoolSizeOverwrite=(objectClass=Skirmish.Items,maxPoolSize=1)";
    let output = skirmish(&["--ticks", "1", "--config", &file("unknown.ini", unknown.as_bytes())]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stderr(&output).contains("Skirmish.Items"), "{output:?}");
}

#[test]
fn wrong_options_are_refused() {
    refuses(&["--tick", "5"], "'--tick'");
    refuses(&["-x"], "'-x'");
    refuses(&["more"], "unexpected argument \"more\"");
    refuses(&["--ticks"], "missing argument");
    refuses(&["--ticks", "ten"], "--ticks: cannot parse");
    refuses(&["--seed", "-1"], "--seed: cannot parse");
    refuses(&["--ticks", "0"], "from 1 to");
    refuses(&["--threads", "0"], "from 1 to 1024");
    refuses(&["--threads", "-1"], "--threads: cannot parse");
    refuses(&["--json=yes"], "--json");
    refuses(&["--ticks", "ten"], "; try --help");
    refuses(&["-x"], "; try --help");
}

#[test]
fn help_lists_every_option() {
    let output = skirmish(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    for option in [
        "--ticks",
        "--threads",
        "--input",
        "--config",
        "--save",
        "--restore",
        "--json",
        "--baseline",
        "--help",
    ] {
        assert!(stdout(&output).contains(option), "{option}");
    }
}

/// Fails with status 2, nothing on standard output, and one line that has `reason` in it.
fn refuses(arguments: &[&str], reason: &str) {
    let output = skirmish(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    let message = stderr(&output);
    assert!(
        message.starts_with("skirmish: ") && message.contains(reason),
        "{arguments:?}: {message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
}

fn json(arguments: &[&str]) -> Value {
    let output = skirmish(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

fn skirmish(arguments: &[&str]) -> Output {
    example::run("skirmish", arguments, "")
}

/// A file for one test; returns its path.
fn file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("skirmish-{name}"));
    fs::write(&path, content).expect("a file in target/tmp");
    path.into_os_string().into_string().expect("a path in UTF-8")
}
