//! [`Progress`]: a bar on a terminal, and nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How far a round is. The bar disappears with it.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(title: &'static str, ticks: u64) -> Self {
        // On standard error, so that the report can be redirected; indicatif hides it if that is not a terminal.
        let bar = ProgressBar::with_draw_target(Some(ticks), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg:>9} {wide_bar} {percent:>3} %, {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(title);
        Self(bar)
    }

    pub(crate) fn show(&self, ticks: u64) {
        self.0.set_position(ticks);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
