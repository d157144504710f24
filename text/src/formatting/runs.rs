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
/// Always in normal form, so that equal formatting is equal runs: starts ascend and lie inside the text, neighbors
/// differ, and the first run isn't plain. For that, every change must know the text's length, which stands nowhere
/// here: the `len` of each method is the length before the change. Indices are code points and must lie inside the
/// text.
///
/// A look-up is a binary search, a change in the middle moves the runs behind it, the rest is linear in the runs it
/// touches. Every method returns at once where there is only plain text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs {
    #[expect(
        clippy::box_collection,
        reason = "most texts are plain, and for each of them one word is looked at"
    )]
    list: Option<Box<Vec<Run>>>,
}

/// Runs for which memory is kept in an object's next life.
const KEPT: usize = 256;

/// From `start` on, up to the next run or the end of the text, characters have `format`.
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

    /// Whether there never was a format, so that there is nothing to recycle.
    #[inline]
    pub(crate) fn are_unused(&self) -> bool {
        self.list.is_none()
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

    /// `range` cut into pieces of one format each, in order, without empty ones. Neighbors differ.
    pub(crate) fn spans(&self, range: Range<usize>) -> Spans<'_> {
        let next = self.list().partition_point(|run| run.start <= range.start);
        Spans {
            format: self.before(next),
            rest: &self.list()[next..],
            range,
        }
    }

    /// Whether the part of this text that starts at `at` is formatted as `other_range` is in `other`.
    pub(crate) fn same(&self, at: usize, other: &Self, other_range: Range<usize>) -> bool {
        if self.is_plain() && other.is_plain() {
            return true;
        }
        let to_other = |(span, format): (Range<usize>, Format)| (span.start - at + other_range.start, format);
        self.spans(at..at + other_range.len()).map(to_other).eq(other
            .spans(other_range.clone())
            .map(|(span, format)| (span.start, format)))
    }

    /// `count` characters of one format join the end.
    #[inline]
    pub(crate) fn push(&mut self, len: usize, count: usize, format: Format) {
        if (self.is_plain() && format.is_plain()) || count == 0 {
            return;
        }
        if self.before(self.list().len()) != format {
            self.list_mut().push(Run { start: len, format });
        }
    }

    /// A part of `other` joins the end.
    #[inline]
    pub(crate) fn append(&mut self, len: usize, other: &Self, other_range: Range<usize>) {
        self.append_or(len, other, other_range, Format::PLAIN);
    }

    /// As [`append`](Self::append); plain characters of `other` get `default`.
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

    /// `range` is replaced by `count` characters with the formatting of `other`, a text of that length.
    pub(crate) fn replace(&mut self, len: usize, range: Range<usize>, count: usize, other: &Self) {
        if self.is_plain() && other.is_plain() {
            return;
        }
        self.splice(len, range, count, other.spans(0..count));
    }

    /// The characters of `range` get `format`.
    pub(crate) fn set(&mut self, len: usize, range: Range<usize>, format: Format) {
        if range.is_empty() || (self.is_plain() && format.is_plain()) {
            return;
        }
        let count = range.len();
        self.splice(len, range, count, std::iter::once((0..count, format)));
    }

    /// All plain characters get `default`.
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

    /// The format of what stands before the run at `index` of the list.
    fn before(&self, index: usize) -> Format {
        index
            .checked_sub(1)
            .map_or(Format::PLAIN, |before| self.list()[before].format)
    }

    /// Replaces `range` by `count` characters, which `spans` describes.
    fn splice(
        &mut self,
        len: usize,
        range: Range<usize>,
        count: usize,
        spans: impl Iterator<Item = (Range<usize>, Format)>,
    ) {
        // What follows the range keeps its format, wherever the run that gives it starts.
        let after = (range.end < len).then(|| Run {
            start: range.start + count,
            format: self.at(range.end),
        });
        let from = self.list().partition_point(|run| run.start < range.start);
        let to = self.list().partition_point(|run| run.start <= range.end);
        // Formatting moves nobody: one character after another must not take a pass over the rest each.
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
    /// The runs that start behind that.
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
