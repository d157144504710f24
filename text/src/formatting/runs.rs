//! [`Runs`]: the formatting of a whole text.

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::Format;

/// The formatting of a whole text, as the places where it changes.
///
/// ```text
/// text     p l a i n   r e d   p l a i n
/// runs                 5:red   8:plain        (plain text has none, and needs no memory)
/// ```
///
/// Always in normal form, so that equal formatting has equal runs: starts ascend and lie inside the text, neighbors differ,
/// and the first run is not plain. Every change needs the length of the text for that. The runs do not store it: the `len` of
/// each method is the length before the change. Indices are code points and must lie inside the text.
///
/// A look-up is a binary search. A change in the middle moves the runs after it. Other operations are linear in the runs that
/// they read or change. Every method returns at once if all is plain.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs {
    #[expect(
        clippy::box_collection,
        reason = "most texts are plain, and one word is read for each of them"
    )]
    list: Option<Box<Vec<Run>>>,
}

/// The most runs whose memory stays for an object's next life.
const KEPT: usize = 256;

/// The characters from `start` to the next run or the end of the text have `format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    start: usize,
    format: Format,
}

impl Runs {
    /// Plain text.
    pub(crate) const fn new() -> Self {
        Self { list: None }
    }

    #[inline]
    fn list(&self) -> &[Run] {
        self.list.as_deref().map_or(&[], Vec::as_slice)
    }

    fn list_mut(&mut self) -> &mut Vec<Run> {
        self.list.get_or_insert_default()
    }

    /// Whether all of the text is plain.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.list().is_empty()
    }

    /// Makes everything plain and keeps the memory.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if let Some(list) = &mut self.list {
            list.clear();
        }
    }

    /// Makes everything plain for an object's next life: keeps no more memory than [`KEPT`] runs need.
    #[inline]
    pub(crate) fn recycle(&mut self) {
        if self.list.is_some() {
            self.recycle_list();
        }
    }

    #[cold]
    #[inline(never)]
    fn recycle_list(&mut self) {
        self.clear();
        self.list = self.list.take().filter(|list| list.capacity() <= KEPT);
    }

    /// The format of the character at `index`.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Format {
        if self.is_plain() {
            return Format::PLAIN;
        }
        self.before(self.list().partition_point(|run| run.start <= index))
    }

    /// `range` cut into pieces of one format each, in order. No piece is empty, and neighbors differ.
    pub(crate) fn spans(&self, range: Range<usize>) -> Spans<'_> {
        let next = self.list().partition_point(|run| run.start <= range.start);
        Spans {
            format: self.before(next),
            rest: &self.list()[next..],
            range,
        }
    }

    /// Whether the part of this text that starts at `at` has the same formatting as `other_range` of `other`.
    pub(crate) fn same(&self, at: usize, other: &Self, other_range: Range<usize>) -> bool {
        if self.is_plain() && other.is_plain() {
            return true;
        }
        let to_other = |(span, format): (Range<usize>, Format)| (span.start - at + other_range.start, format);
        self.spans(at..at + other_range.len()).map(to_other).eq(other
            .spans(other_range.clone())
            .map(|(span, format)| (span.start, format)))
    }

    /// Adds `count` characters of one format at the end.
    #[inline]
    pub(crate) fn push(&mut self, len: usize, count: usize, format: Format) {
        if (self.is_plain() && format.is_plain()) || count == 0 {
            return;
        }
        if self.before(self.list().len()) != format {
            self.list_mut().push(Run { start: len, format });
        }
    }

    /// Adds a part of `other` at the end.
    #[inline]
    pub(crate) fn append(&mut self, len: usize, other: &Self, other_range: Range<usize>) {
        self.append_or(len, other, other_range, Format::PLAIN);
    }

    /// Like [`append`](Self::append), but plain characters of `other` get `default`.
    #[inline]
    pub(crate) fn append_or(&mut self, len: usize, other: &Self, other_range: Range<usize>, default: Format) {
        if self.is_plain() && other.is_plain() && default.is_plain() {
            return;
        }
        let offset = other_range.start;
        for (span, format) in other.spans(other_range) {
            self.push(len + (span.start - offset), span.len(), format.or(default));
        }
    }

    /// Replaces `range` by `count` characters with the formatting of `other`, a text of that length.
    pub(crate) fn replace(&mut self, len: usize, range: Range<usize>, count: usize, other: &Self) {
        if self.is_plain() && other.is_plain() {
            return;
        }
        self.splice(len, range, count, other.spans(0..count));
    }

    /// Gives the characters of `range` the format `format`.
    pub(crate) fn set(&mut self, len: usize, range: Range<usize>, format: Format) {
        if range.is_empty() || (self.is_plain() && format.is_plain()) {
            return;
        }
        let count = range.len();
        self.splice(len, range, count, std::iter::once((0..count, format)));
    }

    /// Gives all plain characters the format `default`.
    pub(crate) fn set_default(&mut self, len: usize, default: Format) {
        if default.is_plain() || len == 0 {
            return;
        }
        let list = self.list_mut();
        if list.first().is_none_or(|run| run.start > 0) {
            let format = Format::PLAIN;
            list.insert(0, Run { start: 0, format });
        }
        for run in &mut *list {
            run.format = run.format.or(default);
        }
        list.dedup_by_key(|run| run.format);
    }

    /// The format before the run at `index` of the list.
    fn before(&self, index: usize) -> Format {
        index
            .checked_sub(1)
            .map_or(Format::PLAIN, |before| self.list()[before].format)
    }

    /// Replaces `range` by `count` characters with the formatting of `spans`.
    fn splice(
        &mut self,
        len: usize,
        range: Range<usize>,
        count: usize,
        spans: impl Iterator<Item = (Range<usize>, Format)>,
    ) {
        // The characters after the range keep their format, even if its run starts inside the range.
        let after = (range.end < len).then(|| Run {
            start: range.start + count,
            format: self.at(range.end),
        });
        let from = self.list().partition_point(|run| run.start < range.start);
        let to = self.list().partition_point(|run| run.start <= range.end);
        // A change of format alone moves no run. Otherwise formatting one character after another would be quadratic.
        if range.len() != count {
            for run in &mut self.list_mut()[to..] {
                run.start = run.start - range.len() + count;
            }
        }
        let mut last = self.before(from);
        let inserted = spans.map(|(span, format)| Run {
            start: range.start + span.start,
            format,
        });
        let changes = inserted
            .chain(after)
            .filter(|run| std::mem::replace(&mut last, run.format) != run.format);
        self.list_mut().splice(from..to, changes);
    }
}

impl PartialEq for Runs {
    fn eq(&self, other: &Self) -> bool {
        self.list() == other.list()
    }
}

impl Eq for Runs {}

/// See [`Runs::spans`].
#[derive(Debug, Clone)]
pub(crate) struct Spans<'a> {
    /// The format at the start of `range`.
    format: Format,
    /// The runs that start after that.
    rest: &'a [Run],
    range: Range<usize>,
}

impl Iterator for Spans<'_> {
    type Item = (Range<usize>, Format);

    fn next(&mut self) -> Option<Self::Item> {
        if self.range.is_empty() {
            return None;
        }
        let (start, format) = (self.range.start, self.format);
        self.range.start = self.range.end;
        if let [run, rest @ ..] = self.rest {
            self.rest = rest;
            self.format = run.format;
            self.range.start = run.start.min(self.range.end);
        }
        Some((start..self.range.start, format))
    }
}
