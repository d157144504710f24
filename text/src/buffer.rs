//! [`Buffer`]: the string of a text, in the value itself or on the heap.

#[cfg(test)]
mod tests;

use std::mem;
use std::ops::Range;
use std::sync::OnceLock;

use arrayvec::ArrayString;

use crate::formatting::Runs;
use crate::index::{BLOCK, Index};

/// The most bytes that are stored in the value. With 28, the slot of a pooled text has 64 bytes on 64-bit targets, its life word
/// included: one cache line.
const INLINE: usize = 28;

/// A recycled buffer of more bytes than this is freed, so that one long text does not make its slot large forever.
const KEPT: usize = 4096;

/// A UTF-8 string and its formats. An [`Index`], made at the first request, counts and finds the code points of a long string.
///
/// A string that was once too long stays in `more` until it is empty: otherwise small changes could move it to and fro.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffer {
    /// The string, if it is not in `more`; otherwise empty.
    short: ArrayString<INLINE>,
    /// Made for the first long string or format, and kept for later ones. Behind a pointer, because most texts are short and plain,
    /// and smaller objects make programs with many texts faster.
    more: Option<Box<More>>,
}

/// The parts that most texts do not have.
#[derive(Clone, Debug, Default)]
struct More {
    /// A string that does not fit in the value, or was longer before.
    text: String,
    /// Unset until requested, and while the string is empty. A change renews it from the changed byte on.
    index: OnceLock<Box<Index>>,
    /// The formats of the string, which may be short.
    runs: Runs,
}

impl More {
    /// Adapts the index to a change that begins at a byte.
    fn renew_index(&mut self, from: usize) {
        if self.text.is_empty() {
            self.index.take();
        } else if let Some(index) = self.index.get_mut() {
            index.renew(&self.text, from);
        }
    }
}

impl Buffer {
    #[inline]
    pub(crate) fn as_str(&self) -> &str {
        if self.short.is_empty() {
            self.long()
        } else {
            &self.short
        }
    }

    /// The string, if it is long; otherwise empty.
    #[inline]
    fn long(&self) -> &str {
        self.more.as_ref().map_or("", |more| &more.text)
    }

    /// Like [`long`](Self::long), but mutable. `None` if the string is not long.
    #[inline]
    fn long_mut(&mut self) -> Option<&mut More> {
        // If the short string is not empty, `more` is not read.
        let more = if self.short.is_empty() {
            self.more.as_deref_mut()
        } else {
            None
        };
        more.filter(|more| !more.text.is_empty())
    }

    #[inline]
    pub(crate) fn runs(&self) -> &Runs {
        static PLAIN: Runs = Runs::new();
        self.more.as_ref().map_or(&PLAIN, |more| &more.runs)
    }

    /// The formats, to change. Allocates, so plain texts that stay plain do not call it.
    pub(crate) fn runs_mut(&mut self) -> &mut Runs {
        &mut self.more.get_or_insert_default().runs
    }

    /// The index, if the string is so long that it has one.
    fn index(&self) -> Option<&Index> {
        let more = self.more.as_ref().filter(|more| more.text.len() > BLOCK)?;
        Some(more.index.get_or_init(|| Box::new(Index::new(&more.text))))
    }

    /// The number of code points.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.index().map_or_else(|| count(self.as_str()), Index::len)
    }

    /// The byte at which a code point begins, or the end.
    fn byte(&self, at: usize) -> usize {
        let text = self.as_str();
        if let Some(index) = self.index() {
            return index.byte(text, at);
        }
        // Tests the whole text: the exit of a loop up to `at` is mispredicted.
        if is_short_ascii(text) {
            at.min(text.len())
        } else {
            text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte)
        }
    }

    /// The number of code points before a byte.
    pub(crate) fn position(&self, byte: usize) -> usize {
        let text = self.as_str();
        self.index()
            .map_or_else(|| count(&text[..byte]), |index| index.position(text, byte))
    }

    /// The string from a code point on.
    pub(crate) fn after(&self, at: usize) -> &str {
        &self.as_str()[self.byte(at)..]
    }

    /// A part, by code points.
    pub(crate) fn slice(&self, range: Range<usize>) -> &str {
        &self.as_str()[self.byte_range(range)]
    }

    fn byte_range(&self, range: Range<usize>) -> Range<usize> {
        self.byte(range.start)..self.byte(range.end)
    }

    /// Empties the buffer and keeps its memory.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if let Some(more) = &mut self.more {
            more.text.clear();
            more.index.take();
            more.runs.clear();
        }
        self.short.clear();
    }

    /// Empties the buffer for the next life, and frees excess memory.
    #[inline]
    pub(crate) fn recycle(&mut self) {
        if self.more.as_ref().is_some_and(|more| more.text.capacity() > KEPT) {
            self.more = None;
        }
        if let Some(more) = &mut self.more {
            more.text.clear();
            more.index.take();
            more.runs.recycle();
        }
        self.short.clear();
    }

    /// Puts a string into an empty buffer.
    #[inline]
    pub(crate) fn fill(&mut self, text: &str) {
        if self.short.try_push_str(text).is_err() {
            self.more.get_or_insert_default().text.push_str(text);
        }
    }

    /// Reserves capacity for `count` more bytes.
    pub(crate) fn reserve(&mut self, count: usize) {
        if let Some(long) = self.long_mut() {
            long.text.reserve(count);
        } else if count > self.short.remaining_capacity() {
            let all = self.short.len().saturating_add(count);
            self.more.get_or_insert_default().text.reserve(all);
        }
    }

    #[inline]
    pub(crate) fn push_str(&mut self, text: &str) {
        if self.long_mut().is_some() || self.short.try_push_str(text).is_err() {
            self.push_long(text);
        }
    }

    #[inline(never)]
    fn push_long(&mut self, text: &str) {
        let long = self.more.get_or_insert_default();
        long.text.push_str(&self.short);
        self.short.clear();
        let len = long.text.len();
        long.text.push_str(text);
        long.renew_index(len);
    }

    /// Replaces a range of code points by `by`.
    pub(crate) fn replace(&mut self, range: Range<usize>, by: &str) {
        let range = self.byte_range(range);
        if let Some(long) = self.long_mut() {
            let start = range.start;
            long.text.replace_range(range, by);
            long.renew_index(start);
        } else {
            let before = self.short;
            self.short.truncate(range.start);
            self.push_str(by);
            self.push_str(&before[range.end..]);
        }
    }

    /// Replaces each code point by another: by `change`, or by `change_ascii` if all are ASCII. The formats stay.
    pub(crate) fn map(&mut self, change: impl Fn(char) -> char, change_ascii: impl Fn(&mut str)) {
        if self.as_str().is_ascii() {
            let long = self.long_mut().map(|long| &mut *long.text);
            return match long {
                Some(long) => change_ascii(long),
                None => change_ascii(&mut self.short),
            };
        }
        let mut changed = String::with_capacity(self.as_str().len());
        changed.extend(self.as_str().chars().map(change));
        let mut changed = Self::from_string(changed);
        if let Some(more) = self.more.as_mut().filter(|more| !more.runs.is_plain()) {
            mem::swap(changed.runs_mut(), &mut more.runs);
        }
        *self = changed;
    }

    /// The string. A long one is not copied.
    pub(crate) fn into_string(self) -> String {
        match self.more {
            Some(more) if self.short.is_empty() => more.text,
            _ => self.short.as_str().to_owned(),
        }
    }

    /// Takes over the memory of a string that does not fit in the value.
    pub(crate) fn from_string(text: String) -> Self {
        let mut buffer = Self::default();
        if text.len() > INLINE {
            buffer.more.get_or_insert_default().text = text;
        } else {
            buffer.push_str(&text);
        }
        buffer
    }
}

/// The number of code points.
pub(crate) fn count(text: &str) -> usize {
    if is_short_ascii(text) {
        text.len()
    } else {
        text.chars().count()
    }
}

/// Whether a string is so short that it has no index, and is ASCII. A string of four bytes or more is read without a loop,
/// because the exit of a loop over a random number of bytes would be mispredicted.
#[inline]
fn is_short_ascii(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes.len() {
        0..=3 => text.is_ascii(),
        4..=8 => has_ascii_ends::<4>(bytes),
        9..=16 => has_ascii_ends::<8>(bytes),
        17..=32 => has_ascii_ends::<16>(bytes),
        33..=BLOCK => has_ascii_ends::<{ BLOCK / 2 }>(bytes),
        _ => false,
    }
}

/// Whether the first and the last `LEN` bytes are ASCII.
#[inline]
fn has_ascii_ends<const LEN: usize>(bytes: &[u8]) -> bool {
    let both = bytes.first_chunk::<LEN>().zip(bytes.last_chunk::<LEN>());
    both.is_some_and(|(first, last)| {
        let any = first.iter().zip(last).fold(0, |any, (one, other)| any | one | other);
        any.is_ascii()
    })
}

/// Whether two strings are equal. Most compared strings are short and equal, so those are compared without a call, in two
/// pieces that overlap.
#[inline]
pub(crate) fn same(ours: &str, theirs: &str) -> bool {
    let (ours, theirs) = (ours.as_bytes(), theirs.as_bytes());
    match (ours.len(), theirs.len()) {
        (8..=16, len) => len == ours.len() && same_ends::<8>(ours, theirs),
        (17..=32, len) => len == ours.len() && same_ends::<16>(ours, theirs),
        _ => ours == theirs,
    }
}

#[inline]
fn same_ends<const LEN: usize>(ours: &[u8], theirs: &[u8]) -> bool {
    ours.first_chunk::<LEN>() == theirs.first_chunk() && ours.last_chunk::<LEN>() == theirs.last_chunk()
}
