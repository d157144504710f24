//! [`Empty`]: slots without an object, in runs.

use std::collections::TryReserveError;
use std::ops::Range;

use crate::pool::word::index::SLOT_BITS;

/// Adjacent slots of one chunk that have no object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pool) struct Run {
    pub(in crate::pool) start: u32,
    pub(in crate::pool) end: u32,
    /// Whether they had objects since the chunk was made, or since its pages were given back.
    pub(in crate::pool) used: bool,
}

/// Slots of one pool that have no object.
#[derive(Default)]
pub(in crate::pool) struct Empty(Vec<Run>);

impl Run {
    /// Whether `next` continues this run, in the same chunk.
    pub(in crate::pool) fn reaches(&self, next: &Self) -> bool {
        self.end == next.start && self.start >> SLOT_BITS == next.start >> SLOT_BITS
    }
}

impl Empty {
    /// Reserves memory for one more run.
    pub(in crate::pool) fn try_reserve(&mut self) -> Result<(), TryReserveError> {
        self.0.try_reserve(1)
    }

    /// Adds a run, unless `start` is not below `end`.
    pub(in crate::pool) fn put(&mut self, start: u32, end: u32, used: bool) {
        let run = Run { start, end, used };
        match self.0.last_mut().filter(|last| last.used == used) {
            _ if start >= end => {}
            Some(last) if last.reaches(&run) => last.end = end,
            Some(last) if run.reaches(last) => last.start = start,
            _ => self.0.push(run),
        }
    }

    /// Takes one slot, or at most `most` if no slot of the last run had an object.
    pub(in crate::pool) fn take(&mut self, most: u32) -> Option<Range<u32>> {
        let last = self.0.last_mut()?;
        let most = if last.used { 1 } else { most };
        let taken = last.start..last.end.min(last.start + most);
        last.start = taken.end;
        if last.start == last.end {
            self.0.pop();
        }
        Some(taken)
    }

    pub(in crate::pool) fn extend(&mut self, more: Self) {
        more.0
            .into_iter()
            .for_each(|run| self.put(run.start, run.end, run.used));
    }

    /// The runs if they are in the order of the slots, as a collection leaves them, and are few for a pool of so many slots.
    pub(in crate::pool) fn few_in_order(&self, slots: usize) -> &[Run] {
        if self.0.len() <= slots / 16 && self.is_in_order() {
            &self.0
        } else {
            &[]
        }
    }

    fn is_in_order(&self) -> bool {
        self.0.is_sorted_by_key(|run| run.start)
    }

    /// The slots of a chunk that are in none of the runs, which are in order.
    pub(in crate::pool) fn between(runs: &[Run], slots: Range<u32>) -> impl Iterator<Item = Range<u32>> {
        let first = runs.partition_point(|run| run.end <= slots.start);
        let inside = runs[first..].iter().take_while(move |run| run.start < slots.end);
        let mut next = slots.start;
        let ends = inside.map(|run| (run.start, run.end)).chain([(slots.end, slots.end)]);
        ends.map(move |(start, end)| std::mem::replace(&mut next, end)..start)
            .filter(|stretch| !stretch.is_empty())
    }

    /// The runs, in the order of the slots.
    pub(in crate::pool) fn into_order(mut self) -> Vec<Run> {
        if self.is_in_order() {
            return self.0;
        }
        // Byte by byte, from the lowest. A sort of the standard library is 3 KB more code, and takes twice as long for 1,000 to 100,000 runs.
        let mut ordered = self.0.clone();
        for shift in [0, 8, 16, 24] {
            let byte = |run: &Run| (run.start >> shift) as usize & 0xFF;
            let mut next = [0; 257];
            self.0.iter().for_each(|run| next[byte(run) + 1] += 1);
            for value in 1..257 {
                next[value] += next[value - 1];
            }
            for run in &self.0 {
                ordered[next[byte(run)]] = *run;
                next[byte(run)] += 1;
            }
            std::mem::swap(&mut self.0, &mut ordered);
            if self.is_in_order() {
                break;
            }
        }
        self.0
    }
}
