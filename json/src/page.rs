//! [`Page`]: the text printed so far, and the parts that were put off.

use std::cell::Cell;
use std::collections::HashSet;
use std::mem;
use std::vec;

use super::sheet::Sheet;
use acedia_collections::Item;
use acedia_text::Keyed;

/// A collection with a part that was put off, and the level around it.
struct Level {
    place: usize,
    depth: usize,
    outer: Option<usize>,
}

/// A collection that is being printed on the stack, and those around it. It becomes a level when a part of it is put off, which is rare.
pub(super) struct Spot<'a> {
    place: usize,
    pub(super) depth: usize,
    /// The number of collections around it that are printed on the same stack.
    pub(super) nested: usize,
    outer: Outer<'a>,
    level: Cell<Option<usize>>,
}

/// The collection around another one.
enum Outer<'a> {
    /// On the same stack.
    Spot(&'a Spot<'a>),
    /// Its level; `None` around the whole document.
    Level(Option<usize>),
}

impl<'a> Spot<'a> {
    /// A collection in this one, on the same stack.
    #[inline]
    pub(super) fn inner(&'a self, place: usize) -> Self {
        Self {
            place,
            depth: self.depth + 1,
            nested: self.nested + 1,
            outer: Outer::Spot(self),
            level: Cell::new(None),
        }
    }
}

/// A collection or mutable text that is printed later, and its position in the printed text, or, once in a frame, in the frame's text.
pub(super) struct Late {
    pub(super) start: usize,
    pub(super) item: Item,
    pub(super) level: usize,
}

/// The text behind the first part that was put off, and the parts to insert into it.
pub(super) struct Frame {
    pub(super) text: Vec<u8>,
    pub(super) printed: usize,
    pub(super) late: vec::IntoIter<Late>,
    /// The number of levels before it.
    pub(super) levels: usize,
}

/// The text printed so far, and the open collections.
pub(super) struct Page {
    pub(super) sheet: Sheet,
    /// The parts put off since the last moment at which no collection was locked.
    late: Vec<Late>,
    /// The texts behind parts that were put off. Each is printed as its parts are printed. The innermost is the last.
    pub(super) frames: Vec<Frame>,
    /// The collections around the parts that were put off. Inner ones come after outer ones.
    levels: Vec<Level>,
    /// The levels around the last query of [`is_around`](Self::is_around), from the outermost on. The next query is
    /// about a neighbouring or inner position, so few of them change.
    around: Vec<Around>,
    /// The addresses of the collections of `around`.
    places: HashSet<usize, Keyed>,
    /// The addresses given to [`is_too_often`](Self::is_too_often), and how often one was given again.
    watched: HashSet<usize, Keyed>,
    again: usize,
}

/// A level around a position.
struct Around {
    level: usize,
    /// The address of its collection, unless an outer level has the same one.
    place: Option<usize>,
}

thread_local! {
    /// An empty page with its memory, because making one takes longer than printing a small document.
    static SPARE: Cell<Option<Box<Page>>> = const { Cell::new(None) };
}

impl Page {
    /// The most levels whose memory is kept.
    const KEPT: usize = 64;

    /// How often `{}` prints watched collections that it has printed already.
    const AGAIN: usize = 1000;

    #[inline(never)]
    pub(super) fn take() -> Box<Self> {
        // There is none at the end of the thread.
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        spare.unwrap_or_else(|| {
            Box::new(Self {
                sheet: Sheet::new(),
                late: Vec::new(),
                frames: Vec::new(),
                levels: Vec::new(),
                around: Vec::new(),
                places: HashSet::default(),
                watched: HashSet::default(),
                again: 0,
            })
        })
    }

    /// Keeps the page for the next document, unless watched collections or many levels were printed.
    #[inline(never)]
    fn put_back(mut self: Box<Self>) {
        self.levels.clear();
        let is_usual = self.around.is_empty() && self.watched.is_empty() && self.levels.capacity() <= Self::KEPT;
        if is_usual {
            let _ = SPARE.try_with(|spare| spare.set(Some(self)));
        }
    }

    #[inline]
    pub(super) fn finish(mut self: Box<Self>) -> String {
        let text = self.sheet.finish();
        self.put_back();
        text
    }

    /// Opens a collection, while no other is being printed on the stack.
    pub(super) fn begin(&self, place: usize, outer: Option<usize>) -> Spot<'static> {
        Spot {
            place,
            depth: outer.map_or(0, |outer| self.levels[outer].depth) + 1,
            nested: 0,
            outer: Outer::Level(outer),
            level: Cell::new(None),
        }
    }

    /// The level of a collection on the stack. Recurses at most 64 times.
    fn level(&mut self, spot: &Spot<'_>) -> usize {
        if let Some(level) = spot.level.get() {
            return level;
        }
        let outer = match spot.outer {
            Outer::Spot(outer) => Some(self.level(outer)),
            Outer::Level(outer) => outer,
        };
        let level = self.levels.len();
        let Spot { place, depth, .. } = *spot;
        self.levels.push(Level { place, depth, outer });
        spot.level.set(Some(level));
        level
    }

    /// Whether the collection at `place` is being printed around this position.
    pub(super) fn is_around(&mut self, place: usize, outer: Option<usize>) -> bool {
        // Goes outwards to a level that the last query passed, and forgets the levels that do not contain this position.
        let mut inner = Vec::new();
        let mut next = outer;
        while let Some(level) = next {
            self.forget_around(level + 1);
            if self.around.last().is_some_and(|it| it.level == level) {
                break;
            }
            inner.push(level);
            next = self.levels[level].outer;
        }
        // Adds the levels from there inwards. A collection that is around twice is noted only for its outer level, and forgotten with it.
        for level in inner.into_iter().rev() {
            let place = self.levels[level].place;
            let place = self.places.insert(place).then_some(place);
            self.around.push(Around { level, place });
        }
        self.places.contains(&place)
    }

    /// Whether the watched collection at `place` was given before, and more than [`AGAIN`](Self::AGAIN) repetitions were counted.
    pub(super) fn is_too_often(&mut self, place: usize) -> bool {
        let is_new = self.watched.insert(place);
        self.again += usize::from(!is_new);
        !is_new && self.again > Self::AGAIN
    }

    /// Keeps only the first `levels` levels of [`around`](Self::around).
    fn forget_around(&mut self, levels: usize) {
        while self.around.last().is_some_and(|it| it.level >= levels) {
            if let Some(place) = self.around.pop().and_then(|it| it.place) {
                self.places.remove(&place);
            }
        }
    }

    pub(super) fn put_off(&mut self, item: Item, spot: &Spot<'_>) {
        let level = self.level(spot);
        let start = self.sheet.len();
        self.late.push(Late { start, item, level });
    }

    pub(super) fn levels(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn truncate(&mut self, levels: usize) {
        self.forget_around(levels);
        self.levels.truncate(levels);
    }

    /// Opens a frame for the parts put off, if there are any. `levels` is the number of levels before them.
    pub(super) fn rest(&mut self, levels: usize) {
        let mut late = mem::take(&mut self.late);
        let Some(first) = late.first().map(|late| late.start) else {
            return;
        };
        for late in &mut late {
            late.start -= first;
        }
        self.frames.push(Frame {
            text: self.sheet.all().split_off(first),
            printed: 0,
            late: late.into_iter(),
            levels,
        });
    }
}
