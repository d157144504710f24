//! Comparison of texts, and search for one inside another.

use std::ops::RangeBounds;

use memchr::memmem;

use super::{BaseText, start_of};
use crate::buffer::count;
use crate::chars::Characters;
use crate::content::Content;
use crate::formatting::Runs;
use crate::{Case, Character, Format, Formats, Matching};

impl BaseText {
    /// Whether both texts have equal characters under `matching`.
    ///
    /// ```
    /// use acedia_text::{BaseText, Matching};
    ///
    /// let text = BaseText::from("ΣΊΣΥΦΟΣ");
    /// assert!(text.compare("σίσυφος", Matching::ANY_CASE));
    /// ```
    ///
    /// Formats are compared character by character, regardless of the calls that set them.
    #[must_use]
    #[doc(alias("Compare", "CompareToString", "CompareToColoredString", "CompareToFormattedString"))]
    pub fn compare(&self, other: impl Content, matching: Matching) -> bool {
        let other = other.piece();
        !other.exceeds(self.len())
            && other.with(|text, runs| count(text) == self.len() && self.is_at(0, text, runs, matching))
    }

    /// Whether the text begins with another one. Every text begins with an empty one.
    #[must_use]
    #[doc(alias("StartsWith", "StartsWithS"))]
    pub fn starts_with(&self, start: impl Content, matching: Matching) -> bool {
        start.piece().with(|text, runs| self.is_at(0, text, runs, matching))
    }

    /// Whether the text ends with another one. Every text ends with an empty one.
    #[must_use]
    #[doc(alias("EndsWith", "EndsWithS"))]
    pub fn ends_with(&self, end: impl Content, matching: Matching) -> bool {
        let end = end.piece();
        !end.exceeds(self.len())
            && end.with(|text, runs| {
                let start = self.len().checked_sub(count(text));
                start.is_some_and(|start| self.is_at(start, text, runs, matching))
            })
    }

    /// Whether another text occurs in this one.
    #[must_use]
    pub fn contains(&self, needle: impl Content, matching: Matching) -> bool {
        if matching != Matching::EXACT {
            return self.find(needle, .., matching).is_some();
        }
        needle.piece().with(|text, _| {
            // On x86-64, std vectorizes the search for a needle of at most 32 bytes only.
            if text.len() <= 32 {
                self.as_str().contains(text)
            } else {
                memmem::find(self.as_str().as_bytes(), text.as_bytes()).is_some()
            }
        })
    }

    /// The position of the first occurrence of `needle` within `range`.
    ///
    /// ```
    /// use acedia_text::{BaseText, Matching};
    ///
    /// let text = BaseText::from("to be or not to be");
    /// assert_eq!(text.find("be", .., Matching::EXACT), Some(3));
    /// assert_eq!(text.find("be", 4.., Matching::EXACT), Some(16));
    /// assert_eq!(text.rfind("TO", ..13, Matching::ANY_CASE), Some(0));
    /// assert_eq!(text.find("", 4.., Matching::EXACT), Some(4));
    /// ```
    ///
    /// An empty needle is found at the start of the range, unless the start lies beyond the end of the range or of the
    /// text.
    ///
    /// # Cost
    ///
    /// Linear in the range and the needle, even in the worst case.
    #[must_use]
    #[doc(alias = "IndexOf")]
    pub fn find(&self, needle: impl Content, range: impl RangeBounds<usize>, matching: Matching) -> Option<usize> {
        self.search(needle, range, matching, End::First)
    }

    /// The position of the last occurrence of `needle` within `range`.
    ///
    /// The range limits the search as in [`find`](Self::find). In Acedia, a number of characters at the end can be skipped;
    /// here, pass `..len.saturating_sub(count)`. An empty needle is found at the end of the range or of the text, whichever
    /// comes first, unless the range starts beyond it.
    ///
    /// # Cost
    ///
    /// Like [`find`](Self::find), but reads all of the range.
    #[must_use]
    #[doc(alias = "LastIndexOf")]
    pub fn rfind(&self, needle: impl Content, range: impl RangeBounds<usize>, matching: Matching) -> Option<usize> {
        self.search(needle, range, matching, End::Last)
    }

    fn search(
        &self,
        needle: impl Content,
        range: impl RangeBounds<usize>,
        matching: Matching,
        end: End,
    ) -> Option<usize> {
        let first = start_of(&range);
        let range = self.within(range);
        let needle = needle.piece();
        if first > range.end || needle.exceeds(range.len()) {
            return None;
        }
        let start = needle.with(|text, runs| {
            if matching == Matching::EXACT {
                // UTF-8 is self-synchronizing: matching bytes are matching code points.
                let part = self.part(range.clone());
                let byte = match end {
                    End::First => memmem::find(part.as_bytes(), text.as_bytes()),
                    End::Last => memmem::rfind(part.as_bytes(), text.as_bytes()),
                };
                return byte.map(|byte| count(&part[..byte]));
            }
            let pattern = Pattern::new(text, runs, matching);
            let mut starts = pattern.occurrences(self.characters_in(range.clone()), Overlap::Allowed);
            match (end, text) {
                (End::First, "") => Some(0),
                (End::Last, "") => Some(range.len()),
                (End::First, _) => starts.next(),
                (End::Last, _) => starts.last(),
            }
        });
        start.map(|start| range.start + start)
    }

    /// The positions of the non-overlapping occurrences of `needle`, and its length.
    pub(super) fn occurrences(&self, needle: impl Content, matching: Matching) -> (Vec<usize>, usize) {
        needle.piece().with(|text, runs| {
            let starts = match (text, matching) {
                ("", _) => Vec::new(),
                (_, Matching::EXACT) => {
                    let bytes = memmem::find_iter(self.as_str().as_bytes(), text);
                    bytes.map(|byte| self.buffer.position(byte)).collect()
                }
                _ => {
                    let pattern = Pattern::new(text, runs, matching);
                    pattern.occurrences(self.characters(), Overlap::Forbidden).collect()
                }
            };
            (starts, count(text))
        })
    }

    /// Whether these characters are at a position, which must be in the text or at its end.
    pub(crate) fn is_at(&self, at: usize, text: &str, runs: &Runs, matching: Matching) -> bool {
        let ours = self.after(at);
        let codes = match matching.case {
            Case::Sensitive => ours.starts_with(text),
            Case::Insensitive => {
                let mut ours = ours.chars().map(|c| matching.code(c));
                text.chars().all(|c| ours.next() == Some(matching.code(c)))
            }
        };
        codes && (matching.formats == Formats::Ignored || self.runs().same(at, runs, 0..count(text)))
    }
}

/// The occurrence that a search returns.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Allowed,
    Forbidden,
}

/// A needle, prepared for the algorithm of Knuth, Morris and Pratt, which reads the text once, from left to right.
struct Pattern {
    wanted: Vec<Character>,
    /// For each length of a partial match: the length of the next shorter one, to which the search falls back.
    shorter: Vec<usize>,
    matching: Matching,
}

impl Pattern {
    fn new(text: &str, runs: &Runs, matching: Matching) -> Self {
        let characters = Characters::new(text, runs, 0..count(text));
        let mut pattern = Self {
            wanted: characters.map(|c| symbol(c, matching)).collect(),
            shorter: vec![0],
            matching,
        };
        let mut matched = 0;
        for index in 1..pattern.wanted.len() {
            matched = pattern.step(matched, pattern.wanted[index]);
            pattern.shorter.push(matched);
        }
        pattern
    }

    /// The length of the partial match after one more character, given its length before.
    fn step(&self, mut matched: usize, character: Character) -> usize {
        loop {
            if self.wanted.get(matched) == Some(&character) {
                return matched + 1;
            }
            if matched == 0 {
                return 0;
            }
            matched = self.shorter[matched - 1];
        }
    }

    /// The positions in `text` at which the needle occurs.
    fn occurrences(&self, text: impl Iterator<Item = Character>, overlap: Overlap) -> impl Iterator<Item = usize> {
        let mut matched = 0;
        text.enumerate().filter_map(move |(index, character)| {
            matched = self.step(matched, symbol(character, self.matching));
            let start = (matched == self.wanted.len()).then(|| index + 1 - matched)?;
            if overlap == Overlap::Forbidden {
                matched = 0;
            }
            Some(start)
        })
    }
}

/// A character without the parts that `matching` ignores.
fn symbol(character: Character, matching: Matching) -> Character {
    let format = match matching.formats {
        Formats::Ignored => Format::PLAIN,
        Formats::Compared => character.format,
    };
    Character::new(matching.code(character.code), format)
}
