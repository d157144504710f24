//! [`Ordered`]: entries in the order in which they were put in.

use hashbrown::HashTable as RawTable;

use crate::Item;

/// Entries in the order in which they were put in, and a table of their places by hash, unless they are few.
///
/// ```text
/// entries   "a"  hole  "c"  "d"       one array, to iterate over
/// places     3  ·  0  ·  ·  2         by hash
/// ```
///
/// A removed entry leaves a hole, so removing keeps the order and moves nothing. Holes go when the array is full, and those at its
/// end at once.
#[derive(Default)]
pub(super) struct Ordered {
    entries: Vec<Stored>,
    holes: usize,
    /// Empty while there were never more than [`FEW`] entries: then all of them are looked at, which takes no longer and needs no memory.
    places: RawTable<u32>,
}

const FEW: usize = 8;

/// An entry, or a hole, whose key is nothing. The hash is stored, so that growing reads no key.
pub(super) struct Stored {
    pub(super) hash: u64,
    pub(super) key: Item,
    pub(super) value: Item,
}

impl Stored {
    /// Key and value, dropped one by one by the caller.
    pub(super) fn both(self) -> [Item; 2] {
        [self.key, self.value]
    }

    pub(super) fn pair(&self) -> (&Item, &Item) {
        (&self.key, &self.value)
    }
}

impl Ordered {
    /// The number of entries.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.entries.len() - self.holes
    }

    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity().min(self.places.capacity().max(FEW))
    }

    /// Whether the next entry needs more memory, or holes to be filled.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() == self.entries.capacity()
    }

    /// Whether there are no holes.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.holes == 0
    }

    /// The entries and holes.
    #[inline]
    pub(super) fn all(&self) -> &[Stored] {
        &self.entries
    }

    /// Like [`all`](Self::all), but mutable, to change the values.
    #[inline]
    pub(super) fn all_mut(&mut self) -> &mut [Stored] {
        &mut self.entries
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
    pub(super) fn push(&mut self, stored: Stored) {
        if self.is_full() {
            // With few holes, filling them would soon be due again.
            if self.entries.len() / 2 >= self.len() {
                self.fill_holes();
            }
            self.reserve(1);
        }
        if self.entries.len() >= FEW || !self.places.is_empty() {
            // The first entry beyond the few, which had no places: all of them get one.
            if self.places.is_empty() {
                self.reserve(1);
                self.index();
            }
            let place = u32::try_from(self.entries.len()).expect("fewer than 2^32 entries");
            let entries = &self.entries;
            self.places
                .insert_unique(stored.hash, place, |place| entries[*place as usize].hash);
        }
        self.entries.push(stored);
    }

    /// Makes the table of places anew.
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

    /// Takes an entry out, and leaves a hole unless it is the last.
    pub(super) fn remove(&mut self, place: usize) -> Stored {
        let hole = Stored {
            hash: 0,
            key: Item::NONE,
            value: Item::NONE,
        };
        let removed = std::mem::replace(&mut self.entries[place], hole);
        if let Ok(found) = self.places.find_entry(removed.hash, |other| *other as usize == place) {
            found.remove();
        }
        self.holes += 1;
        // No hole stays at the end, because `swap_remove` moves the last entry.
        while self.entries.last().is_some_and(|last| last.key.is_hole()) {
            self.entries.pop();
            self.holes -= 1;
        }
        removed
    }

    /// Like [`remove`](Self::remove), but moves the last entry into the hole.
    pub(super) fn swap_remove(&mut self, place: usize) -> Stored {
        let removed = self.remove(place);
        if place < self.entries.len() {
            let last = self.entries.len() - 1;
            let found = self
                .places
                .find_mut(self.entries[last].hash, |other| *other as usize == last);
            if let (Some(found), Ok(place)) = (found, u32::try_from(place)) {
                *found = place;
            }
            self.entries.swap_remove(place);
            self.holes -= 1;
        }
        removed
    }

    /// Moves the entries together. Their order stays.
    pub(super) fn fill_holes(&mut self) {
        if !self.is_whole() {
            self.entries.retain(|stored| !stored.key.is_hole());
            self.holes = 0;
            self.places.clear();
            if self.entries.len() > FEW {
                self.index();
            }
        }
    }

    /// Makes room for `additional` more entries. Panics if there is no memory, before anything has changed.
    pub(super) fn reserve(&mut self, additional: usize) {
        let (len, entries) = (self.len(), &mut self.entries);
        let all = entries.len().saturating_add(additional);
        let places = if all > FEW { all - self.places.len() } else { 0 };
        let is_there = entries.try_reserve(additional).is_ok()
            && self
                .places
                .try_reserve(places, |place| entries[*place as usize].hash)
                .is_ok();
        assert!(is_there, "no memory for {additional} more entries in a table of {len}");
    }

    /// Frees the memory beyond `capacity` and beyond what the entries need.
    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.fill_holes();
        self.entries.shrink_to(capacity);
        let capacity = if capacity > FEW { capacity } else { 0 };
        let entries = &self.entries;
        self.places.shrink_to(capacity, |place| entries[*place as usize].hash);
    }

    /// Takes out all entries and holes, and keeps the memory.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Stored> + use<'_> {
        self.places.clear();
        self.holes = 0;
        self.entries.drain(..)
    }
}

#[cfg(test)]
mod tests;
