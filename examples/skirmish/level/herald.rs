//! [`Herald`]: the chat of the level.

use std::collections::VecDeque;

use acedia::Owned;
use acedia::actors::{Actor, ClassBuilder, actor};
use acedia::collections::{ArrayList, Entries, Item, TableWriter};
use acedia::text::Text;

use super::saved::Saved;

/// The number of lines that are kept.
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

impl Saved for Herald {
    const IS_ON_THE_MAP: bool = true;

    /// With the colours, as markup.
    fn save(&self, record: &mut TableWriter<'_>) {
        record.set(
            "lines",
            ArrayList::from(self.lines.iter().map(|line| line.to_markup(..))),
        );
    }

    fn restore(&mut self, record: &Entries) {
        if let Some(lines) = record["lines"].to_list() {
            for line in lines.read().iter().filter_map(Item::as_string) {
                self.say(Text::from_markup(&line));
            }
        }
    }
}
