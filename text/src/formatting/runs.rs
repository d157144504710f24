//! [`Runs`]: the formatting of a whole text.

#[cfg(test)]
mod tests;

use std::iter;
use std::ops::Range;

use crate::Format;

/// The formatting of a whole text, as the places where it changes.
///
/// ```text
/// text     p l a i n   r e d   p l a i n
/// runs                 5:red   8:plain        (plain text has none, and needs no memory)
/// ```
///
/// Always in normal form, so that equal formatting has equal runs: starts ascend and lie inside the text, neighbors differ, and
/// the first run is not plain. To keep this form, every change needs the length of the text, which the runs do not store. The
/// argument `len` of a method is the length before the change. Indices are code points and must lie inside the text.
///
/// A look-up is a binary search. A change in the middle moves the runs of one chunk, and shifts the chunks after it. Other
/// operations are linear in the runs that they read or change. If all is plain, and stays plain, every method returns at once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs {
    /// Boxed, because most texts are plain, and a plain text then needs one word here.
    list: Option<Box<List>>,
}

/// The largest capacity, in runs, that is kept for an object's next life.
const KEPT: usize = 256;

/// The runs, in chunks of at most [`MOST`].
#[derive(Debug, Clone, Default)]
struct List {
    /// Empty only if there are no runs at all.
    first: Chunk,
    /// None of them is empty.
    rest: Vec<Chunk>,
}

/// The most runs in a chunk: moving so few costs about as much as a look-up in a long text. Fewer in tests, where texts are
/// short.
const MOST: usize = if cfg!(test) { 4 } else { 512 };

#[derive(Debug, Clone, Default)]
struct Chunk {
    runs: Vec<Run>,
    /// Added to the start of each run. The sum wraps, because a change before the chunk can shift it to the left.
    shift: usize,
    /// The start of the first run, shift included, so that the search for a chunk reads no runs. Unused in the first chunk.
    start: usize,
}

/// The characters from `start` to the next run or the end of the text have `format`.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: usize,
    format: Format,
}

/// The place of a run: the number of its chunk, and its index there. At the end of a chunk, it stands for the first run of the next.
#[derive(Debug, Clone, Copy)]
struct Place {
    chunk: usize,
    index: usize,
}

impl Run {
    fn shifted(self, shift: usize) -> Self {
        Self {
            start: self.start.wrapping_add(shift),
            ..self
        }
    }
}

impl List {
    fn chunk(&self, number: usize) -> &Chunk {
        number.checked_sub(1).map_or(&self.first, |rest| &self.rest[rest])
    }

    fn chunk_mut(&mut self, number: usize) -> &mut Chunk {
        match number.checked_sub(1) {
            None => &mut self.first,
            Some(rest) => &mut self.rest[rest],
        }
    }

    /// The place behind the runs whose start `is_before` accepts.
    fn behind(&self, is_before: impl Fn(usize) -> bool) -> Place {
        let number = self.rest.partition_point(|chunk| is_before(chunk.start));
        let Chunk { runs, shift, .. } = self.chunk(number);
        Place {
            chunk: number,
            index: runs.partition_point(|run| is_before(run.shifted(*shift).start)),
        }
    }

    /// The format in front of a place.
    fn before(&self, place: Place) -> Format {
        // The index is 0 only in the first chunk, because `behind` returns a place in the chunk of the last accepted run.
        let before = place.index.checked_sub(1);
        before.map_or(Format::PLAIN, |before| self.chunk(place.chunk).runs[before].format)
    }

    /// Adds a run, unless the last one has its format.
    #[inline]
    fn push(&mut self, run: Run) {
        let last = self.rest.last_mut().unwrap_or(&mut self.first);
        if last.runs.last().map_or(Format::PLAIN, |last| last.format) == run.format {
            return;
        }
        if last.runs.len() < MOST {
            last.runs.push(run.shifted(last.shift.wrapping_neg()));
        } else {
            self.rest.push(Chunk {
                runs: vec![run],
                shift: 0,
                start: run.start,
            });
        }
    }

    /// Replaces the runs from one place to another, and shifts those after them.
    fn splice(&mut self, from: Place, to: Place, shift: usize, runs: impl Iterator<Item = Run>) {
        let mut end = to.index;
        if from.chunk < to.chunk {
            let last = &mut self.rest[to.chunk - 1];
            last.runs.drain(..to.index);
            let first = last.runs.first();
            last.start = first.map_or(0, |first| first.shifted(last.shift).start);
            let gone = to.chunk - usize::from(first.is_some());
            self.rest.drain(from.chunk..gone);
            end = self.chunk(from.chunk).runs.len();
        }
        let chunk = self.chunk_mut(from.chunk);
        let back = chunk.shift.wrapping_neg();
        if shift != 0 {
            for run in &mut chunk.runs[end..] {
                *run = run.shifted(shift);
            }
        }
        chunk.runs.splice(from.index..end, runs.map(|run| run.shifted(back)));
        if shift != 0 {
            for chunk in &mut self.rest[from.chunk..] {
                chunk.shift = chunk.shift.wrapping_add(shift);
                chunk.start = chunk.start.wrapping_add(shift);
            }
        }
        self.tidy(from.chunk);
    }

    /// Splits a chunk that became too long, and removes one that became empty.
    fn tidy(&mut self, number: usize) {
        let chunk = self.chunk_mut(number);
        if chunk.runs.len() > MOST {
            let (tail, shift) = (chunk.runs.split_off(MOST / 2), chunk.shift);
            let tail = tail.chunks(MOST / 2).map(|runs| Chunk {
                runs: runs.to_vec(),
                shift,
                start: runs[0].shifted(shift).start,
            });
            self.rest.splice(number..number, tail);
        } else if chunk.runs.is_empty() {
            match number.checked_sub(1) {
                Some(rest) => _ = self.rest.remove(rest),
                None if self.rest.is_empty() => {}
                None => self.first = self.rest.remove(0),
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, Format)> {
        let chunks = iter::once(&self.first).chain(&self.rest);
        chunks.flat_map(|chunk| {
            let runs = chunk.runs.iter().map(|run| run.shifted(chunk.shift));
            runs.map(|run| (run.start, run.format))
        })
    }
}

impl Runs {
    pub(crate) const fn new() -> Self {
        Self { list: None }
    }

    fn list_mut(&mut self) -> &mut List {
        self.list.get_or_insert_default()
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.list.as_deref().is_none_or(|list| list.first.runs.is_empty())
    }

    /// Makes everything plain and keeps the memory of the first chunk.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if let Some(list) = &mut self.list {
            list.first.runs.clear();
            list.rest.clear();
        }
    }

    /// Makes everything plain for an object's next life: keeps no more memory than [`KEPT`] runs need.
    #[inline]
    pub(crate) fn recycle(&mut self) {
        self.clear();
        let few = |list: &List| list.rest.capacity() == 0 && list.first.runs.capacity() <= KEPT;
        if self.list.as_deref().is_some_and(|list| !few(list)) {
            self.list = None;
        }
    }

    /// The format of the character at `index`.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Format {
        match &self.list {
            Some(list) => list.before(list.behind(|start| start <= index)),
            None => Format::PLAIN,
        }
    }

    /// The pieces of one format in `range`, in order. No piece is empty, and neighbors differ.
    pub(crate) fn spans(&self, range: Range<usize>) -> Spans<'_> {
        let Some(list) = self.list.as_deref() else {
            return Spans {
                range,
                ..Spans::default()
            };
        };
        let next = list.behind(|start| start <= range.start);
        let chunk = list.chunk(next.chunk);
        Spans {
            format: list.before(next),
            rest: &chunk.runs[next.index..],
            shift: chunk.shift,
            more: &list.rest[next.chunk..],
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
        self.list_mut().push(Run { start: len, format });
    }

    /// Adds a part of `other` at the end. Its plain characters get `default`.
    #[inline]
    pub(crate) fn append(&mut self, len: usize, other: &Self, other_range: Range<usize>, default: Format) {
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

    pub(crate) fn set(&mut self, len: usize, range: Range<usize>, format: Format) {
        if range.is_empty() || (self.is_plain() && format.is_plain()) {
            return;
        }
        let count = range.len();
        self.splice(len, range, count, iter::once((0..count, format)));
    }

    /// Gives all plain characters the format `default`.
    pub(crate) fn set_default(&mut self, len: usize, default: Format) {
        if default.is_plain() || len == 0 {
            return;
        }
        let before = self.list.take().unwrap_or_default();
        let starts_plain = before.iter().next().is_none_or(|(start, _)| start > 0);
        let plain = starts_plain.then_some((0, Format::PLAIN));
        for (start, format) in plain.into_iter().chain(before.iter()) {
            self.push(start, len - start, format.or(default));
        }
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
        let list = self.list_mut();
        let from = list.behind(|start| start < range.start);
        let to = list.behind(|start| start <= range.end);
        let mut format = list.before(from);
        let inserted = spans.map(|(span, format)| Run {
            start: range.start + span.start,
            format,
        });
        let changes = inserted
            .chain(after)
            .filter(|run| std::mem::replace(&mut format, run.format) != run.format);
        list.splice(from, to, count.wrapping_sub(range.len()), changes);
    }
}

impl PartialEq for Runs {
    fn eq(&self, other: &Self) -> bool {
        let [left, right] = [self, other].map(|runs| runs.list.iter().flat_map(|list| list.iter()));
        left.eq(right)
    }
}

impl Eq for Runs {}

/// See [`Runs::spans`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Spans<'a> {
    /// The format at the start of `range`.
    format: Format,
    /// The runs of the current chunk after `range.start`.
    rest: &'a [Run],
    shift: usize,
    /// The chunks after the current one.
    more: &'a [Chunk],
    range: Range<usize>,
}

impl Spans<'_> {
    /// The number of characters left.
    pub(crate) fn len(&self) -> usize {
        self.range.len()
    }
}

impl Iterator for Spans<'_> {
    type Item = (Range<usize>, Format);

    fn next(&mut self) -> Option<Self::Item> {
        if self.range.is_empty() {
            return None;
        }
        let (start, format) = (self.range.start, self.format);
        self.range.start = self.range.end;
        if let ([], [chunk, more @ ..]) = (self.rest, self.more) {
            (self.rest, self.shift, self.more) = (&chunk.runs, chunk.shift, more);
        }
        if let [run, rest @ ..] = self.rest {
            self.rest = rest;
            self.format = run.format;
            self.range.start = run.shifted(self.shift).start.min(self.range.end);
        }
        Some((start..self.range.start, format))
    }
}
