//! [`Terminal`]: the whole terminal, taken for a while and given back.

use std::io::{self, IsTerminal};

use ratatui::{DefaultTerminal, Frame};

/// The terminal. It is restored when this is dropped, and when any thread panics, before the panic is printed.
#[derive(Debug)]
pub(crate) struct Terminal(DefaultTerminal);

impl Terminal {
    /// Takes the terminal. It is an error if there is none.
    pub(crate) fn take() -> Result<Self, String> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err("--watch needs a terminal".to_owned());
        }
        // This sets the panic hook.
        ratatui::try_init().map(Self).map_err(trouble)
    }

    /// Draws a picture over the last one.
    pub(crate) fn draw(&mut self, picture: impl FnOnce(&mut Frame<'_>)) -> Result<(), String> {
        self.0.draw(picture).map(|_| ()).map_err(trouble)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// The error message if the terminal fails.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn trouble(error: io::Error) -> String {
    format!("cannot use the terminal: {error}")
}
