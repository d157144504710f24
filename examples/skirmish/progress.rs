//! [`Progress`]: a bar on a terminal, or a view of every class, and nothing in a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::interrupt;
use crate::options::Options;
use crate::watch::Watch;

/// The progress of a round. The display disappears with it.
#[derive(Debug)]
pub(crate) enum Progress {
    Bar(ProgressBar),
    Watch(Box<Watch>),
}

impl Progress {
    /// An error if a view was asked for where there is no terminal.
    pub(crate) fn new(title: &'static str, options: &Options) -> Result<Self, String> {
        let ticks = options.ticks_in_all();
        if options.watch {
            return Watch::new(title, ticks, options.threads).map(|watch| Self::Watch(Box::new(watch)));
        }
        // On standard error, so that the report can be redirected; indicatif hides it if that is not a terminal.
        let bar = ProgressBar::with_draw_target(Some(ticks), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg:>9} {wide_bar} {percent:>3} %, {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(title);
        Ok(Self::Bar(bar))
    }

    /// Shows the progress of the round, in ticks of all threads. `false` if the user wants to end the match.
    pub(crate) fn show(&mut self, ticks: u64) -> Result<bool, String> {
        if interrupt::is_wanted() {
            return Ok(false);
        }
        match self {
            Self::Bar(bar) => {
                bar.set_position(ticks);
                Ok(true)
            }
            Self::Watch(watch) => watch.show(ticks),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
