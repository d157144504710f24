//! [`Herald`]: the chat of the level.

use std::collections::VecDeque;

use acedia::Owned;
use acedia::actors::{Actor, ClassBuilder, actor};
use acedia::text::Text;

/// Lines that can be read at a time.
const LINES: usize = 8;

/// Keeps the last lines that were said.
#[derive(Debug, Default)]
pub(crate) struct Herald {
    lines: VecDeque<Owned<Text>>,
}

impl Actor for Herald {
    actor!(Herald, "Skirmish.Herald");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.defaults(|it| it.game_relevant = true);
    }
}

impl Herald {
    /// Keeps a line, and lets go of the oldest one.
    pub(super) fn say(&mut self, line: Owned<Text>) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}
