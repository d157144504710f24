//! [`Script`]: the lines that players say, from a text file.

use std::fs;
use std::path::Path;

/// No line that is said is longer than this many characters, as in any chat.
const LONGEST: usize = 200;

/// What is said in the match.
#[derive(Debug)]
pub(crate) struct Script(Vec<String>);

impl Script {
    /// The lines of a file that have something on them; long ones are cut into several.
    ///
    /// A missing file, and one that is not UTF-8 text, is an error in a sentence.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let bytes = fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let place = error.utf8_error().valid_up_to();
            format!("{name} is not UTF-8 text: byte {place} belongs to no character")
        })?;
        if let Some(place) = text.find('\0') {
            return Err(format!("{name} is not text: byte {place} is zero"));
        }
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}'); // The mark that some editors put at the start.
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Self(lines.flat_map(pieces).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The line with this number, over and over; nothing if the file is empty.
    pub(crate) fn line(&self, number: usize) -> &str {
        match self.0.len() {
            0 => "",
            count => &self.0[number % count],
        }
    }
}

/// `line` in pieces short enough to be said.
fn pieces(line: &str) -> impl Iterator<Item = String> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then(|| piece.to_owned())
    })
}
