//! [`Script`]: the chat lines of the players, from a text file.

use std::fs;
use std::path::Path;

/// The longest chat line, in characters.
const LONGEST: usize = 200;

/// The chat lines of the match.
#[derive(Debug)]
pub(crate) struct Script(Vec<String>);

impl Script {
    /// The non-empty lines of a file; long ones are cut into several.
    ///
    /// It is an error if the file is missing or not UTF-8 text.
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

    /// The line with this number, modulo their count; an empty one if the file is empty.
    pub(crate) fn line(&self, number: usize) -> &str {
        match self.0.len() {
            0 => "",
            count => &self.0[number % count],
        }
    }
}

/// `line` in pieces of at most [`LONGEST`] characters.
fn pieces(line: &str) -> impl Iterator<Item = String> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then(|| piece.to_owned())
    })
}
