//! [`Page`]: what was printed so far, and what was put off.

use std::collections::HashSet;
use std::mem;
use std::vec;

use super::sheet::Sheet;
use crate::Item;

/// A collection that is being printed, and which level is around it.
struct Level {
    place: usize,
    depth: usize,
    outer: Option<usize>,
}

/// Where something stands: in which level, how deep, and in how many collections that are printed on one stack.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) level: usize,
    pub(super) depth: usize,
    pub(super) nested: usize,
}

/// A collection or mutable text that is printed later, and where in the text of its frame it belongs.
pub(super) struct Late {
    pub(super) start: usize,
    pub(super) item: Item,
    pub(super) level: usize,
}

/// What comes after the first collection that was put off, and the collections that belong in between.
pub(super) struct Frame {
    pub(super) text: Vec<u8>,
    pub(super) printed: usize,
    pub(super) late: vec::IntoIter<Late>,
    /// How many levels there were before it.
    pub(super) levels: usize,
}

/// What was printed so far, and in which collections.
pub(super) struct Page {
    pub(super) sheet: Sheet,
    /// What was put off since no collection was locked, and what had been printed before: then the sheet has what comes after.
    late: Vec<Late>,
    before: Vec<u8>,
    /// Collections that are being printed, and those around what was put off. Those inside come after those around them.
    levels: Vec<Level>,
    /// Those around what [`is_around`](Self::is_around) was asked about last, from the outermost on. What it is asked about next
    /// stands beside that or inside, so few of them change.
    around: Vec<Around>,
    /// Where their collections are.
    places: HashSet<usize>,
}

/// A level around something.
struct Around {
    level: usize,
    /// Where its collection is, unless that stands further out too.
    place: Option<usize>,
}

impl Page {
    pub(super) fn new() -> Self {
        Self {
            sheet: Sheet::new(),
            late: Vec::new(),
            before: Vec::new(),
            levels: Vec::with_capacity(4),
            around: Vec::new(),
            places: HashSet::new(),
        }
    }

    /// How much was printed.
    pub(super) fn len(&self) -> usize {
        self.before.len() + self.sheet.len()
    }

    /// What was printed.
    pub(super) fn finish(self) -> String {
        self.sheet.finish()
    }

    /// Begins a collection, while no other is being printed on the stack.
    pub(super) fn begin(&mut self, place: usize, outer: Option<usize>) -> Spot {
        let depth = outer.map_or(0, |outer| self.levels[outer].depth) + 1;
        let level = self.levels.len();
        self.levels.push(Level { place, depth, outer });
        let nested = 0;
        Spot { level, depth, nested }
    }

    /// Begins a collection in the one that is being printed.
    #[inline]
    pub(super) fn enter(&mut self, place: usize, outer: Spot) -> Spot {
        let (level, depth, nested) = (self.levels.len(), outer.depth + 1, outer.nested + 1);
        let outer = Some(outer.level);
        self.levels.push(Level { place, depth, outer });
        Spot { level, depth, nested }
    }

    /// Ends it.
    #[inline]
    pub(super) fn leave(&mut self, spot: Spot) {
        if self.late.is_empty() {
            self.levels.truncate(spot.level);
        }
    }

    /// Whether a collection is being printed around what stands there.
    pub(super) fn is_around(&mut self, place: usize, outer: Option<usize>) -> bool {
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
        for level in inner.into_iter().rev() {
            let place = self.levels[level].place;
            let place = self.places.insert(place).then_some(place);
            self.around.push(Around { level, place });
        }
        self.places.contains(&place)
    }

    /// Forgets who was around something in all but so many levels.
    fn forget_around(&mut self, levels: usize) {
        while self.around.last().is_some_and(|it| it.level >= levels) {
            if let Some(place) = self.around.pop().and_then(|it| it.place) {
                self.places.remove(&place);
            }
        }
    }

    pub(super) fn put_off(&mut self, item: Item, level: usize) {
        if self.late.is_empty() {
            self.before = self.sheet.take();
        }
        let start = self.sheet.len();
        self.late.push(Late { start, item, level });
    }

    pub(super) fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Forgets all but so many levels.
    pub(super) fn truncate(&mut self, levels: usize) {
        self.forget_around(levels);
        self.levels.truncate(levels);
    }

    /// What was put off since there were so many levels.
    pub(super) fn rest(&mut self, levels: usize) -> Option<Frame> {
        (!self.late.is_empty()).then(|| {
            let text = self.sheet.take();
            *self.sheet.all() = mem::take(&mut self.before);
            Frame {
                text,
                printed: 0,
                late: mem::take(&mut self.late).into_iter(),
                levels,
            }
        })
    }
}
