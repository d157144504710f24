//! [`Empty`]: slots without an object, in runs.

use std::ops::Range;

use crate::pool::key::SLOT_BITS;

/// Adjacent slots of one chunk that have no object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether they had objects since the chunk was made, or since its pages were given back.
    pub(super) used: bool,
}

/// Slots of one pool that have no object.
#[derive(Default)]
pub(super) struct Empty(Vec<Run>);

impl Run {
    /// Whether `next` continues this run, in the same chunk.
    pub(super) fn reaches(&self, next: &Self) -> bool {
        self.end == next.start && self.start >> SLOT_BITS == next.start >> SLOT_BITS
    }
}

impl Empty {
    /// Adds a run, unless `start` is not below `end`.
    pub(super) fn put(&mut self, start: u32, end: u32, used: bool) {
        let run = Run { start, end, used };
        match self.0.last_mut().filter(|last| last.used == used) {
            _ if start >= end => {}
            Some(last) if last.reaches(&run) => last.end = end,
            Some(last) if run.reaches(last) => last.start = start,
            _ => self.0.push(run),
        }
    }

    /// Takes one slot, or at most `most` if no slot of the last run had an object.
    pub(super) fn take(&mut self, most: u32) -> Option<Range<u32>> {
        let last = self.0.last_mut()?;
        let most = if last.used { 1 } else { most };
        let taken = last.start..last.end.min(last.start + most);
        last.start = taken.end;
        if last.start == last.end {
            self.0.pop();
        }
        Some(taken)
    }

    pub(super) fn extend(&mut self, more: Self) {
        more.0
            .into_iter()
            .for_each(|run| self.put(run.start, run.end, run.used));
    }

    /// The runs, in the order of the slots.
    pub(super) fn into_order(mut self) -> Vec<Run> {
        self.0.sort_unstable();
        self.0
    }
}
