//! Runs `examples/scripting` as a user would: the output of scripts, and their errors for freed objects.

use std::process::Output;

#[path = "../../examples/tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn the_script_of_the_example_prints_what_it_should() {
    let output = example::run("scripting", &[], "");
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
    let said = stdout(&output);
    let (before, log) = said
        .rsplit_once("log: AcediaCore.ArrayList in slot ")
        .expect("the last line");
    assert_eq!(
        before,
        "scores: {\"Ann\":7,\"Bob\":[1,2.5,\"three\",true],\"Cy\":{\"level\":7}}\n  \
         Bob has 1\n  Bob has 2.5\n  Bob has three\n  Bob has true\n\
         round 0: 1 rockets, Loaded, 1 in the air\n\
         round 1: 0 rockets, Loaded, 2 in the air\n\
         round 2: 0 rockets, Empty, 2 in the air\n\
         the log of Turret2: [\"built\",\"fired\",\"fired\"]\n\
         first of the team: Actor\n\
         first of the team: ()\n\
         turret: Arena.Turret was destroyed: ActorRef(slot 2, life 1) is stale\n"
    );
    assert!(log.contains(", life 1, was freed"), "{log}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scripts/arena.rhai");
    let from_file = example::run("scripting", &["--script", path], "");
    assert_eq!(stdout(&from_file), said);
}

#[test]
fn lists_and_tables_do_what_the_help_says() {
    for (script, printed) in [
        (
            "let l = list([1, \"two\", 2.5, (), [3], #{a: 4}]); print(l)",
            r#"[1,"two",2.5,null,[3],{"a":4}]"#,
        ),
        (
            "let l = list([1, 2]); l[0] = 7; l[2] = 8; print(l); print(l.len)",
            "[7,2,8]\n3",
        ),
        (
            "let l = list([1]); print(type_of(l[1])); print(type_of(l[-1]))",
            "()\n()",
        ),
        (
            "let l = list([1, 2]); print(l.remove(0)); print(type_of(l.remove(5))); print(l)",
            "1\n()\n[2]",
        ),
        (
            "let l = list([1, \"a\"]); print(l.find(\"a\")); print(l.find(2))",
            "1\n-1",
        ),
        // 33 bits, and a fraction that no float has.
        (
            "let l = list([8589934592, 0.1]); print(l[0] + 1); print(l[1] + 1)",
            "8589934593\n1.1",
        ),
        (
            "let t = table(#{a: 1}); t.a += 1; t[7] = \"b\"; print(t.a); print(t[7]); print(t.len)",
            "2\nb\n2",
        ),
        (
            "let t = table(#{a: 1}); print(t.contains(\"a\")); print(t.remove(\"a\")); print(t.contains(\"a\"))",
            "true\n1\nfalse",
        ),
        (
            "let t = table(#{a: 1, b: 2}); let sum = 0; for key in t { sum += t[key]; } print(sum)",
            "3",
        ),
        // A change of an inner collection is kept.
        (
            "let t = table(#{a: [1]}); t.a.push(2); t.a[0] = 5; print(t)",
            r#"{"a":[5,2]}"#,
        ),
        ("let l = list([[1]]); l[0].push(2); print(l)", "[[1,2]]"),
        // The script owns a collection that was taken out, which outlives its former place.
        (
            "let l = list([[1]]); let inner = l.remove(0); l.free(); inner.push(2); print(inner)",
            "[1,2]",
        ),
        // A watched collection is not kept alive, and reads as nothing.
        (
            "let l = list([]); let t = table(#{l: l.watch()}); print(t.l.len); l.free(); print(type_of(t.l))",
            "0\n()",
        ),
        // A loop sees items that are added meanwhile.
        (
            "let l = list([1]); for item in l { print(item); if item < 3 { l.push(item + 1); } }",
            "1\n2\n3",
        ),
    ] {
        let output = run(script);
        assert_eq!(stderr(&output), "", "{script}");
        assert_eq!(stdout(&output).trim_end(), printed, "{script}");
        assert_eq!(output.status.code(), Some(0), "{script}");
    }
}

#[test]
fn what_was_freed_is_an_error_with_class_life_and_line() {
    for (script, parts) in [
        (
            "let l = list([1]);\nl.free();\nl.push(2);",
            ["AcediaCore.ArrayList in slot ", ", life 1, was freed", "(line 3, "],
        ),
        (
            "let l = list([1]); let w = l.watch();\nl.free();\n\nprint(w[0]);",
            ["ArrayList in ", "life 1, was freed", "(line 4, "],
        ),
        (
            "let l = list([1]);\nl.free();\nl[0] = 1;",
            ["ArrayList in ", "life 1, was freed", "(line 3, "],
        ),
        (
            "let l = list([1]);\nl.free();\nlet m = list([2]); let w = m.watch();\nprint(l.len);",
            [
                "ArrayList in ",
                "life 1, was freed (its slot is now in life 2)",
                "(line 4, ",
            ],
        ),
        (
            "let l = list([1, 2]); let w = l.watch();\nfor item in w {\n  l.free();\n}",
            ["ArrayList in ", "was freed", "(line 2, "],
        ),
        (
            "let l = list([1]);\nl.free();\nlet m = list([l]);",
            ["ArrayList in ", "was freed", "(line 3, "],
        ),
        (
            "let l = list([1]);\nl.free();\nl.free();",
            ["ArrayList in ", "was freed", "(line 3, "],
        ),
        (
            "let t = table(#{a: 1});\nt.free();\nprint(t.a);",
            ["AcediaCore.HashTable in ", "life 1, was freed", "(line 3, "],
        ),
        (
            "let t = table(#{a: 1});\nt.free();\nt[7] = 1;",
            ["AcediaCore.HashTable in ", "life 1, was freed", "(line 3, "],
        ),
        (
            "let t = table(#{a: 1});\nt.free();\nfor key in t { print(key); }",
            ["AcediaCore.HashTable in ", "was freed", "(line 3, "],
        ),
        (
            "let t = table(#{a: [1]}); let inner = t.a;\nt.free();\nprint(inner[0]);",
            ["ArrayList in ", "was freed", "(line 3, "],
        ),
        (
            "let a = spawn_actor(\"Arena.Turret\");\na.destroy();\nprint(a.rockets);",
            ["Arena.Turret was destroyed", "life 1) is stale", "(line 3, "],
        ),
        (
            "let a = spawn_actor(\"Arena.Turret\");\na.destroy();\na.rockets = 1;",
            ["Arena.Turret was destroyed", "life 1", "(line 3, "],
        ),
        (
            "let a = spawn_actor(\"Arena.Turret\");\na.destroy();\nprint(a.state);",
            ["Arena.Turret was destroyed", "life 1", "(line 3, "],
        ),
        (
            "let a = spawn_actor(\"Arena.Turret\");\na.destroy();\na.destroy();",
            ["Arena.Turret was destroyed", "life 1", "(line 3, "],
        ),
        (
            "let a = spawn_actor(\"Arena.Turret\");\na.destroy();\nlist([a]);",
            ["Arena.Turret was destroyed", "life 1", "(line 3, "],
        ),
        (
            "let a = spawn_actor(\"Arena.Turret\"); let log = a.log;\na.destroy();\nlog.push(1);",
            ["AcediaCore.ArrayList in slot ", "life 1, was freed", "(line 3, "],
        ),
    ] {
        assert_fails(script, &parts);
    }
    // Asking and printing are no errors.
    let output = run("let a = spawn_actor(\"Arena.Turret\"); a.destroy(); print(a.is_alive); print(a.class)");
    assert_eq!(stdout(&output), "false\nArena.Turret\n");
    let output = run("let l = list([1]); l.free(); print(l)");
    assert!(
        stdout(&output).starts_with("<AcediaCore.ArrayList in slot "),
        "{output:?}"
    );
}

#[test]
fn other_mistakes_are_errors_too() {
    for (script, parts) in [
        (
            "let l = list([]);\nl.push(l);",
            [
                "the collection would own itself",
                "insert its handle instead",
                "(line 2, ",
            ],
        ),
        (
            "let t = table(#{});\nlet l = list([t]);\nt.l = l;",
            ["the collection would own itself", "", "(line 3, "],
        ),
        (
            "let l = list([]);\nl[1] = 1;",
            ["index 1 is beyond the end of a list of 0", "", "(line 2, "],
        ),
        (
            "let l = list([]);\nl[-1] = 1;",
            ["index -1 is beyond the end of a list of 0", "", "(line 2, "],
        ),
        (
            "let l = list([]);\nl.watch().free();",
            ["the script does not own the AcediaCore.ArrayList", "", "(line 2, "],
        ),
        (
            "let l = list([]);\nl.push(|x| x);",
            ["a collection can't keep a value of the type Fn", "", "(line 2, "],
        ),
        (
            "\nspawn_actor(\"Arena.Turet\");",
            ["`Arena.Turet`", "did you mean `Arena.Turret`?", "(line 2, "],
        ),
        (
            "\nall_actors(\"Arena.Rockets\");",
            ["`Arena.Rockets`", "did you mean `Arena.Rocket`?", "(line 2, "],
        ),
        (
            "\nspawn_actor(\"AcediaCore.ArrayList\");",
            ["AcediaCore.ArrayList is not an actor class", "", "(line 2, "],
        ),
        (
            "let r = spawn_actor(\"Arena.Rocket\");\nr.rockets = 1;",
            [
                "Arena.Rocket is not of the class Arena.Turret, which has this property",
                "",
                "(line 2, ",
            ],
        ),
        (
            "let r = spawn_actor(\"Arena.Rocket\");\nr.location = [1.0];",
            ["a location is three floats", "", "(line 2, "],
        ),
        (
            "let r = spawn_actor(\"Arena.Rocket\");\nr.fuel = 1;",
            ["fuel", "", "(line 2, "],
        ),
        ("\nloop {}", ["Too many operations", "", "(line 2, "]),
    ] {
        assert_fails(script, &parts);
    }
}

#[test]
fn scripts_that_are_none_are_said_so() {
    let output = example::run("scripting", &["--script", "no/such.rhai"], "");
    assert!(stderr(&output).starts_with("scripting: no/such.rhai: "), "{output:?}");
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    let output = run("print(1);\nlet = 2;");
    assert!(stderr(&output).starts_with("scripting: -: "), "{output:?}");
    assert!(stderr(&output).contains("(line 2, "), "{output:?}");
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (Some(2), ""),
        "nothing has run"
    );
    for arguments in [&["--nonsense"][..], &["--script"]] {
        let output = example::run("scripting", arguments, "");
        assert!(stderr(&output).starts_with("scripting: "), "{output:?}");
        assert!(stderr(&output).ends_with("; try --help\n"), "{output:?}");
        assert_eq!(output.status.code(), Some(2));
    }
    let help = example::run("scripting", &["--help"], "");
    assert!(stdout(&help).contains("for key in table") && help.status.code() == Some(0));
}

fn run(script: &str) -> Output {
    example::run("scripting", &["--script", "-"], script)
}

fn assert_fails(script: &str, parts: &[&str]) {
    let output = run(script);
    let error = stderr(&output);
    assert!(error.starts_with("scripting: -: "), "{script}\n{output:?}");
    for part in parts {
        assert!(error.contains(part), "{script}\n{part}\n{error}");
    }
    assert_eq!(output.status.code(), Some(1), "{script}");
}
