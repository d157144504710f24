//! [`Buffer`]: the code points of a text, in the value or in a buffer of their own.

#[cfg(test)]
mod tests;

use std::ops::Range;

use ascii::AsciiStr;

use crate::long::Long;
use crate::short::{Short, same};
use crate::units::{Units, Width};

/// The code points of a text: in the value itself, or in memory of their own.
///
/// ```text
/// "cafe"    short   63 61 66 65               up to 64, if all are ASCII
/// "cafe…"   long    63 61 66 65 …             more of them
/// "café"    long    63 61 66 c3 a9            text that is not ASCII, as a string until it changes,
/// "café"    long    63 00 61 00 66 00 e9 00   and by code points afterwards
/// ```
///
/// A text that was once too long or too wide stays long for the rest of this life: otherwise it could move to and fro. The
/// next life uses its memory again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    short: Short,
    /// The text, unless it is short. Then an empty buffer or none.
    long: Option<Box<Long>>,
}

impl Buffer {
    #[inline]
    pub(crate) fn units(&self) -> Units<'_> {
        match (self.short.as_str(), &self.long) {
            (Some(text), _) => Units::Ascii(text),
            (None, Some(long)) => long.units(),
            (None, None) => Units::Ascii(""),
        }
    }

    /// The text as a string, if it is stored as one.
    #[inline]
    pub(crate) fn as_str(&self) -> Option<&str> {
        match (self.short.as_str(), &self.long) {
            (Some(text), _) => Some(text),
            (None, Some(long)) => long.as_str(),
            (None, None) => Some(""),
        }
    }

    /// The text as a string, which is made and kept if there is none.
    #[inline]
    pub(crate) fn to_str(&self) -> &str {
        match (self.short.as_str(), &self.long) {
            (Some(text), _) => text,
            (None, Some(long)) => long.to_str(),
            (None, None) => "",
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        match (self.short.as_str(), &self.long) {
            (Some(text), _) => text.len(),
            (None, Some(long)) => long.len(),
            (None, None) => 0,
        }
    }

    /// Whether a narrower width would hold all codes.
    fn is_loose(&self) -> bool {
        self.long.as_ref().is_some_and(|long| long.is_loose())
    }

    /// Makes the units as narrow as the widest of them allows.
    #[inline]
    pub(crate) fn tighten(&mut self) {
        if let Some(long) = &mut self.long {
            long.tighten();
        }
    }

    /// The long buffer. A short text moves there first.
    fn long(&mut self) -> &mut Long {
        let long = self.long.get_or_insert_default();
        if let Some(text) = self.short.as_str() {
            long.push_str(text);
            self.short.leave();
        }
        long
    }

    /// Empties the buffer and keeps its memory.
    pub(crate) fn clear(&mut self) {
        match &mut self.long {
            Some(long) if !self.short.is_here() => long.clear(),
            _ => self.short.clear(),
        }
    }

    /// Empties the buffer for the next life, and gives excess memory back.
    #[inline]
    pub(crate) fn recycle(&mut self) {
        if !self.short.is_here() {
            self.recycle_long();
        }
        self.short.clear();
    }

    #[cold]
    #[inline(never)]
    fn recycle_long(&mut self) {
        if let Some(long) = &mut self.long {
            long.recycle();
        }
    }

    /// If the buffer and `text` are both short: [recycles](Self::recycle) the buffer, adds `text`, and returns `true`.
    #[inline]
    pub(crate) fn refill(&mut self, text: &str) -> bool {
        self.short.set(text)
    }

    /// Makes room for `count` codes of the current width.
    pub(crate) fn reserve(&mut self, count: usize) {
        if !self.short.has_room(count) {
            self.long().reserve(count);
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, c: char) {
        if !self.short.push_str(c.encode_utf8(&mut [0; 4])) {
            self.long().push(c);
        }
    }

    /// Changes letters in place and returns `true`, if the text is ASCII. Takes the same change for each place of the text.
    pub(crate) fn change_ascii(&mut self, short: fn(&mut AsciiStr), long: fn(&mut str)) -> bool {
        if let Some(text) = self.short.as_ascii_mut() {
            short(text);
            return true;
        }
        let text = self.long().as_ascii_mut();
        text.map(long).is_some()
    }

    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        if !self.short.push_str(text) {
            self.push_str_long(text);
        }
    }

    /// Puts a whole string into an empty buffer.
    pub(crate) fn fill(&mut self, text: &str) {
        if !self.short.push_str(text) {
            self.long().fill(text);
        }
    }

    #[inline(never)]
    fn push_str_long(&mut self, text: &str) {
        self.long().push_str(text);
    }

    pub(crate) fn push_units(&mut self, units: Units<'_>) {
        if self.short.has_room(units.len()) && units.narrowest() == Width::One {
            units.chars().for_each(|c| self.push(c));
        } else {
            self.long().push_units(units);
        }
    }

    /// Replaces a range, which must lie inside, by `by`.
    pub(crate) fn replace(&mut self, range: Range<usize>, by: Units<'_>) {
        self.long().replace(range, by);
    }

    /// Replaces each code by another.
    pub(crate) fn map(&mut self, change: impl Fn(char) -> char) {
        let mut changed = Self::default();
        changed.reserve(self.len());
        self.units().chars().for_each(|c| changed.push(change(c)));
        *self = changed;
    }

    /// The codes as UTF-8; a long string is not copied.
    pub(crate) fn into_string(self) -> String {
        match (self.short.as_str(), self.long) {
            (Some(text), _) => text.to_owned(),
            (None, Some(long)) => long.into_string(),
            (None, None) => String::new(),
        }
    }

    /// Takes over a string's memory, unless it is short.
    pub(crate) fn from_string(text: String) -> Self {
        let mut buffer = Self::default();
        if buffer.short.set(&text) {
            return buffer;
        }
        Self::of_long(Long::of_string(text))
    }

    pub(crate) fn of_long(long: Long) -> Self {
        let mut short = Short::default();
        short.leave();
        let long = Some(Box::new(long));
        Self { short, long }
    }
}

impl PartialEq for Buffer {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self.as_str(), other.as_str()) {
            (Some(ours), Some(theirs)) => return same(ours, theirs),
            (Some(text), None) => return other.units().chars().eq(text.chars()),
            (None, Some(text)) => return self.units().chars().eq(text.chars()),
            (None, None) => {}
        }
        match (self.units(), other.units()) {
            (Units::Two(ours), Units::Two(theirs)) | (Units::Four(ours), Units::Four(theirs)) => ours == theirs,
            (ours, theirs) => {
                (self.is_loose() || other.is_loose()) && ours.len() == theirs.len() && ours.chars().eq(theirs.chars())
            }
        }
    }
}

impl Eq for Buffer {}
