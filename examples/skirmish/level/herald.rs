//! [`Herald`]: the chat of the level.

use std::collections::VecDeque;

use acedia::Owned;
use acedia_actors::{Actor, ClassBuilder, actor};
use acedia_text::Text;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The number of lines that are kept.
const LINES: usize = 8;

/// Keeps the last lines that were said.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Herald {
    #[serde(serialize_with = "markup", deserialize_with = "from_markup")]
    lines: VecDeque<Owned<Text>>,
}

impl Actor for Herald {
    actor!(Herald, "Skirmish.Herald");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.defaults(|it| it.game_relevant = true);
    }
}

impl Herald {
    /// Keeps a line, and lets go of the oldest one.
    pub(super) fn say(&mut self, line: Owned<Text>) {
        if self.lines.len() >= LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

/// With the colours, which a text itself does not write.
fn markup<S: Serializer>(lines: &VecDeque<Owned<Text>>, saved: S) -> Result<S::Ok, S::Error> {
    saved.collect_seq(lines.iter().map(|line| line.to_markup(..)))
}

fn from_markup<'de, D: Deserializer<'de>>(saved: D) -> Result<VecDeque<Owned<Text>>, D::Error> {
    let lines = Vec::<String>::deserialize(saved)?;
    Ok(lines.iter().map(|line| Text::from_markup(line)).collect())
}
