//! Runs a command on a terminal of its own.

use std::process::{Command, Output};

/// The output of `command` on a terminal of 24 lines and 100 columns, where `typed` is typed after a second. `None` if the system can't
/// make one: `script` is part of util-linux, which a small system may lack.
pub(crate) fn on_terminal(command: &str, typed: &str) -> Option<Output> {
    on_terminal_of([24, 100], command, typed)
}

/// The same with so many lines and columns.
pub(crate) fn on_terminal_of([lines, columns]: [u16; 2], command: &str, typed: &str) -> Option<Output> {
    let on = format!("stty rows {lines} cols {columns}; {command}");
    let typing = format!("{{ sleep 1; printf '{typed}'; sleep 5; }} | script -qec \"$0\" /dev/null");
    let output = Command::new("sh").args(["-c", &typing, &on]).output().expect("a shell");
    if String::from_utf8_lossy(&output.stderr).contains("not found") {
        eprintln!("SKIPPED: no `script`");
        return None;
    }
    Some(output)
}
