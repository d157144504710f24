//! [`Ordered`]: entries in insertion order.

use std::mem;
use std::ops::Range;

use hashbrown::HashTable as RawTable;

use crate::Item;

/// Entries in insertion order, and a table of their places by hash, unless they are few.
///
/// ```text
/// entries   hole  "b"  hole  "d"  "e"       one array, to iterate over from `first` on
/// places     4  ·  1  ·  ·  3               by hash
/// ```
///
/// A removed entry leaves a hole, so removing keeps the order and moves nothing. Holes at the end are dropped at once, and those at
/// the front are skipped. As soon as the holes outnumber the entries, all are dropped, so that no work grows with the number of
/// entries that the table once held.
#[derive(Default)]
pub(super) struct Ordered {
    entries: Vec<Stored>,
    holes: usize,
    /// The place of the first entry, which is also the number of holes at the front.
    first: usize,
    /// Empty until there are more than [`FEW`] entries. Until then a look-up visits all of them, which takes no longer and needs no
    /// memory.
    places: RawTable<u32>,
}

const FEW: usize = 8;

/// An entry, or a hole, whose key is [`Item::NONE`]. The hash is stored, so that growing reads no key.
pub(super) struct Stored {
    pub(super) hash: u64,
    pub(super) key: Item,
    pub(super) value: Item,
}

impl Stored {
    const HOLE: Self = Self {
        hash: 0,
        key: Item::NONE,
        value: Item::NONE,
    };

    /// Key and value, which the caller drops one by one.
    pub(super) fn both(self) -> [Item; 2] {
        [self.key, self.value]
    }

    pub(super) fn pair(&self) -> (&Item, &Item) {
        (&self.key, &self.value)
    }
}

impl Ordered {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.holes
    }

    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity().min(self.places.capacity().max(FEW))
    }

    /// Whether the memory is for at most `count` entries.
    pub(super) fn is_at_most(&self, count: usize) -> bool {
        self.entries.capacity().max(self.places.capacity()) <= count
    }

    /// Whether the next entry needs more memory, or holes to be filled.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() == self.entries.capacity()
    }

    /// Whether there are no holes behind the first entry.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.holes == self.first
    }

    /// The entries, and the holes behind the first of them.
    #[inline]
    pub(super) fn all(&self) -> &[Stored] {
        &self.entries[self.first..]
    }

    /// Like [`all`](Self::all), but mutable, to change the values.
    #[inline]
    pub(super) fn all_mut(&mut self) -> &mut [Stored] {
        &mut self.entries[self.first..]
    }

    /// The places of [`all`](Self::all).
    pub(super) fn places(&self) -> Range<usize> {
        self.first..self.entries.len()
    }

    /// The entry or hole at a place.
    #[inline]
    pub(super) fn at(&self, place: usize) -> Option<&Stored> {
        self.entries.get(place)
    }

    /// The entry or hole at a place that was [found](Self::find).
    #[inline]
    pub(super) fn at_mut(&mut self, place: usize) -> &mut Stored {
        &mut self.entries[place]
    }

    /// The place of the entry that has this hash and that `is_it` accepts.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(&Stored) -> bool) -> Option<usize> {
        let mut is_it = |stored: &Stored| stored.hash == hash && is_it(stored);
        if self.places.is_empty() {
            return self.entries.iter().position(is_it);
        }
        let place = self.places.find(hash, |place| is_it(&self.entries[*place as usize]))?;
        Some(*place as usize)
    }

    /// Adds an entry whose key is not there.
    ///
    /// # Panics
    ///
    /// If there is no memory. Nothing has changed then.
    #[inline]
    pub(super) fn push(&mut self, stored: Stored) {
        if self.is_full() {
            self.make_room();
        }
        if self.entries.len() >= FEW || !self.places.is_empty() {
            self.add_place(stored.hash);
        }
        self.entries.push(stored);
    }

    #[inline(never)]
    fn add_place(&mut self, hash: u64) {
        // With this entry there are more than `FEW`, so all entries get a place.
        if self.places.is_empty() {
            self.reserve(1);
            self.index();
        }
        let place = u32::try_from(self.entries.len()).expect("fewer than 2^32 entries");
        let entries = &self.entries;
        self.places
            .insert_unique(hash, place, |place| entries[*place as usize].hash);
    }

    /// Rebuilds the table of places.
    #[cold]
    #[inline(never)]
    fn index(&mut self) {
        self.places.clear();
        let entries = &self.entries;
        for (stored, place) in entries.iter().zip(0..) {
            if !stored.key.is_hole() {
                self.places
                    .insert_unique(stored.hash, place, |place| entries[*place as usize].hash);
            }
        }
    }

    /// Closes the holes if they are at least as many as the entries. Then doubles the capacity if more than half of it is in use,
    /// because otherwise the table would soon be full again.
    ///
    /// # Panics
    ///
    /// If there is no memory. Nothing has changed then.
    pub(super) fn make_room(&mut self) {
        if self.holes >= self.len() {
            self.fill_holes();
        }
        let (used, capacity) = (self.entries.len(), self.entries.capacity());
        if used > capacity / 2 || self.is_full() {
            self.reserve(capacity - used + 1);
        }
    }

    /// Takes an entry out. The entries behind it may move.
    pub(super) fn remove(&mut self, place: usize) -> Stored {
        let removed = self.take_out(place);
        self.fill_many_holes();
        removed
    }

    /// Takes an entry out, and leaves a hole unless it is the last. No entry moves.
    pub(super) fn take_out(&mut self, place: usize) -> Stored {
        let removed = mem::replace(&mut self.entries[place], Stored::HOLE);
        self.forget(removed.hash, place);
        self.holes += 1;
        self.trim();
        removed
    }

    /// Puts an entry, whose key must not be in the table, back to the place from which it was [taken out](Self::take_out). If another
    /// entry is at that place now, adds it at the end.
    ///
    /// # Panics
    ///
    /// As [`push`](Self::push).
    pub(super) fn put_back(&mut self, place: usize, stored: Stored) {
        if self.at(place).is_some_and(|there| !there.key.is_hole()) {
            return self.push(stored);
        }
        let missing = (place + 1).saturating_sub(self.entries.len());
        self.reserve(missing);
        self.entries.extend((0..missing).map(|_| Stored::HOLE));
        self.holes += missing;
        let hash = stored.hash;
        self.entries[place] = stored;
        self.holes -= 1;
        self.first = self.first.min(place);
        // The places before it may be holes.
        self.trim();
        if !self.places.is_empty() {
            let entries = &self.entries;
            let number = u32::try_from(place).expect("it was there before");
            self.places
                .insert_unique(hash, number, |place| entries[*place as usize].hash);
        } else if self.entries.len() > FEW {
            self.index();
        }
    }

    /// Removes a place from the table of places.
    fn forget(&mut self, hash: u64, place: usize) {
        if let Ok(found) = self.places.find_entry(hash, |other| *other as usize == place) {
            found.remove();
        }
    }

    /// Notes that the entry at `from`, if it is one, will be at `to`.
    fn repoint(&mut self, from: usize, to: usize) {
        let found = self
            .places
            .find_mut(self.entries[from].hash, |other| *other as usize == from);
        if let (Some(found), Ok(to)) = (found, u32::try_from(to)) {
            *found = to;
        }
    }

    /// Drops the holes at the end, and skips those at the front.
    fn trim(&mut self) {
        while self.entries.last().is_some_and(|last| last.key.is_hole()) {
            self.entries.pop();
            self.holes -= 1;
        }
        self.first = self.first.min(self.entries.len());
        while self.entries.get(self.first).is_some_and(|first| first.key.is_hole()) {
            self.first += 1;
        }
    }

    /// Moves the entries together if there are more holes than entries. The amortized cost of a removal is one or two steps.
    pub(super) fn fill_many_holes(&mut self) {
        if self.holes > self.len().max(FEW) {
            self.fill_holes();
        }
    }

    /// Moves the entries together, in the same order.
    ///
    /// Visits each entry and hole, but not the whole table of places, which may be far larger.
    pub(super) fn fill_holes(&mut self) {
        if self.holes == 0 {
            return;
        }
        let mut len = 0;
        for place in self.places() {
            if self.entries[place].key.is_hole() {
                continue;
            }
            if len < place {
                self.repoint(place, len);
                self.entries.swap(len, place);
            }
            len += 1;
        }
        self.entries.truncate(len);
        (self.holes, self.first) = (0, 0);
    }

    /// Reserves capacity for `additional` more entries. If there is no memory, panics before anything has changed.
    pub(super) fn reserve(&mut self, additional: usize) {
        let (len, entries) = (self.len(), &mut self.entries);
        let all = entries.len().saturating_add(additional);
        let places = if all > FEW { all - self.places.len() } else { 0 };
        let is_there = entries.try_reserve(additional).is_ok()
            && self
                .places
                .try_reserve(places, |place| entries[*place as usize].hash)
                .is_ok();
        assert!(
            is_there,
            "no memory for {additional} more entries in a table of {len} entries"
        );
    }

    /// Frees the memory beyond `capacity` and beyond what the entries need.
    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.fill_holes();
        self.entries.shrink_to(capacity);
        let capacity = if capacity > FEW { capacity } else { 0 };
        let entries = &self.entries;
        self.places.shrink_to(capacity, |place| entries[*place as usize].hash);
    }

    /// Takes out all entries and holes. Keeps the memory, except of a table of places that is far too large.
    pub(super) fn drain(&mut self, capacity: usize) -> impl Iterator<Item = Stored> + use<'_> {
        // Clearing a table of places takes time linear in its capacity, so one that is far too large is dropped.
        if self.places.capacity() > 8 * self.entries.len().max(capacity).max(FEW) {
            self.places = RawTable::with_capacity(if capacity > FEW { capacity } else { 0 });
        }
        self.places.clear();
        (self.holes, self.first) = (0, 0);
        self.entries.drain(..)
    }
}

#[cfg(test)]
mod tests;
