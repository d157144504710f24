//! The terminal is restored when a thread of the match panics under `--watch` of `examples/skirmish`.

#![cfg(target_os = "linux")]

#[path = "support/terminal.rs"]
mod support;
#[path = "../skirmish/terminal.rs"]
mod terminal;

use ratatui::widgets::Paragraph;
use support::on_terminal;
use terminal::{Terminal, trouble};

#[test]
#[ignore = "panics; run by the next test, on a terminal of its own"]
fn a_thread_panics_while_the_view_is_up() {
    let mut terminal = Terminal::take().expect("a terminal");
    let picture = Paragraph::new("watched");
    terminal
        .draw(|frame| frame.render_widget(picture, frame.area()))
        .expect("drawn");
    let fighter = std::thread::spawn(|| panic!("a fighter panicked"));
    // The panic hook has run when the thread has ended, while this thread still has the terminal.
    assert!(fighter.join().is_err());
    println!("end of the match");
}

#[test]
fn a_panic_puts_the_terminal_back() {
    let this = std::env::current_exe().expect("a path");
    let child = format!(
        "{} --exact a_thread_panics_while_the_view_is_up --ignored --nocapture; stty -a",
        this.display()
    );
    let Some(output) = on_terminal(&child, "") else { return };
    let seen = String::from_utf8_lossy(&output.stdout);
    let (before, after) = seen
        .split_once("\u{1b}[?1049l")
        .unwrap_or_else(|| panic!("not put back: {seen}"));
    assert!(before.contains("\u{1b}[?1049h") && before.contains("watched"), "{seen}");
    assert!(
        !before.contains("a fighter panicked"),
        "printed where nobody sees it: {seen}"
    );
    // On the ordinary screen, where lines begin at the left again, unlike in raw mode.
    let message = after.lines().any(|line| line == "a fighter panicked");
    assert!(message, "{after}");
    let (_, settings) = after
        .split_once("end of the match")
        .expect("the view was up until then");
    assert!(settings.contains("\u{1b}[?25h"), "the cursor stays hidden: {settings}");
    for setting in ["icanon", "echo", "opost"] {
        let words: Vec<_> = settings.split_whitespace().collect();
        assert!(words.contains(&setting), "no {setting}: {settings}");
    }
}

#[test]
fn trouble_is_told_in_a_sentence() {
    let error = trouble(std::io::Error::other("gone"));
    assert_eq!(error, "cannot use the terminal: gone");
}
