//! [`Watched`]: a reader that shows how far it is, if there is much to read.

use std::io::{self, Read};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Documents shorter than this get no progress bar.
const MUCH: u64 = 10_000_000;

/// A reader with a progress bar, which disappears with it.
#[derive(Debug)]
pub(crate) struct Watched<R> {
    input: R,
    len: Option<u64>,
    read: u64,
    bar: Option<ProgressBar>,
}

impl<R> Watched<R> {
    /// A reader of `len` bytes, if that is known.
    pub(crate) fn new(input: R, len: Option<u64>) -> Self {
        Self {
            input,
            len,
            read: 0,
            bar: None,
        }
    }

    fn show(&mut self) {
        let is_much = self.len.unwrap_or(self.read) > MUCH;
        if is_much {
            self.bar.get_or_insert_with(|| bar(self.len)).set_position(self.read);
        }
    }
}

/// On standard error, so that answers can be redirected; indicatif hides it if that is not a terminal.
fn bar(len: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::stderr());
    let template = if len.is_some() {
        "reading {wide_bar} {percent:>3} %, {eta} left"
    } else {
        "reading {spinner} {bytes}, {bytes_per_sec}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.read += read as u64;
        self.show();
        Ok(read)
    }
}

impl<R> Drop for Watched<R> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
