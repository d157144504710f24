//! The events and spans that `README.md` lists.

#[path = "../../tests/support/example.rs"]
mod example;

use example::{stderr, stdout};

#[test]
fn the_example_shows_spans_and_warnings_in_order() {
    let output = example::run("logs", &[], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stdout(&output);
    // The number of bytes that a collection frees does not matter here. It is 0 if all objects were on the first pages of their
    // chunks, which stay.
    let (said, bytes) = said.trim_end().rsplit_once('=').expect("the last line");
    assert!(bytes.parse::<u64>().is_ok(), "{bytes}");
    assert_eq!(
        said.lines().map(str::trim).collect::<Vec<_>>(),
        [
            "DEBUG parse{bytes=28}: logs: close",
            "DEBUG begin_play{actors=2}: acedia_actors: close",
            "TRACE tick{seconds=0.10000000149011612 actors=4}: acedia_actors: close",
            "WARN tick{seconds=0.10000000149011612 actors=3}: acedia_actors: \
             Accessed None: the reference resolves to no living actor; check it with `is_alive`",
            "TRACE tick{seconds=0.10000000149011612 actors=3}: acedia_actors: close",
            "WARN acedia_actors: class Logs.Missile has no state Flying",
            "WARN acedia_actors: spawn failed because no class of actors is named `Logs.Missiles` (did you mean `Logs.Missile`?)",
            "WARN acedia_actors: class Engine.LevelInfo is static or no-delete; make its actors with `Level::place`",
            "INFO collect_garbage{objects=5}: logs: close",
            "DEBUG logs: given back bytes",
        ]
    );
}

#[test]
fn a_level_leaves_out_what_is_below_it() {
    let output = example::run("logs", &["warn"], "");
    let said = stdout(&output);
    assert_eq!(said.lines().filter(|line| line.trim().starts_with("WARN ")).count(), 4);
    assert_eq!(said.lines().count(), 4);
    assert_eq!(stdout(&example::run("logs", &["off"], "")), "");
}
