//! [`Ordered`]: entries in the order in which they were put in.

use hashbrown::HashTable as RawTable;

use crate::Item;

/// Entries in the order in which they were put in, and a table of their places by hash.
///
/// ```text
/// entries   "a"  hole  "c"  "d"       one array, to iterate over
/// places     3  ·  0  ·  ·  2         by hash
/// ```
///
/// A removed entry leaves a hole, so removing keeps the order and moves nothing. Holes go when the array is full.
#[derive(Default)]
pub(super) struct Ordered {
    entries: Vec<Stored>,
    places: RawTable<u32>,
}

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
        self.places.len()
    }

    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity().min(self.places.capacity())
    }

    /// Whether the next entry needs more memory, or holes to be filled.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() == self.entries.capacity()
    }

    /// The entries and holes.
    #[inline]
    pub(super) fn all(&self) -> &[Stored] {
        &self.entries
    }

    /// As [`all`](Self::all), to change the values.
    #[inline]
    pub(super) fn all_mut(&mut self) -> &mut [Stored] {
        &mut self.entries
    }

    /// The place of the entry that has this hash and that `is_it` accepts.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(&Stored) -> bool) -> Option<usize> {
        let place = self.places.find(hash, |place| {
            let stored = &self.entries[*place as usize];
            stored.hash == hash && is_it(stored)
        })?;
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
        let place = u32::try_from(self.entries.len()).expect("fewer than 2^32 entries");
        let entries = &self.entries;
        self.places
            .insert_unique(stored.hash, place, |place| entries[*place as usize].hash);
        self.entries.push(stored);
    }

    /// Takes an entry out, and leaves a hole.
    pub(super) fn remove(&mut self, place: usize) -> Stored {
        let stored = &mut self.entries[place];
        let hole = Stored {
            hash: 0,
            key: Item::NONE,
            value: Item::NONE,
        };
        let hash = stored.hash;
        let removed = std::mem::replace(stored, hole);
        if let Ok(found) = self.places.find_entry(hash, |other| *other as usize == place) {
            found.remove();
        }
        if place + 1 == self.entries.len() {
            self.entries.pop();
        }
        removed
    }

    /// As [`remove`](Self::remove), and moves the last entry into the hole.
    pub(super) fn swap_remove(&mut self, place: usize) -> Stored {
        let removed = self.remove(place);
        while self.entries.last().is_some_and(|last| last.key.is_hole()) && self.entries.len() > place + 1 {
            self.entries.pop();
        }
        let last = self.entries.len().saturating_sub(1);
        if last > place {
            let found = self
                .places
                .find_mut(self.entries[last].hash, |other| *other as usize == last);
            if let (Some(found), Ok(place)) = (found, u32::try_from(place)) {
                *found = place;
                self.entries.swap_remove(place as usize);
            }
        }
        removed
    }

    /// Moves the entries together. Their order stays.
    pub(super) fn fill_holes(&mut self) {
        if self.entries.len() > self.places.len() {
            self.entries.retain(|stored| !stored.key.is_hole());
            self.places.clear();
            let entries = &self.entries;
            for (stored, place) in entries.iter().zip(0..) {
                self.places
                    .insert_unique(stored.hash, place, |place| entries[*place as usize].hash);
            }
        }
    }

    /// Makes room for `additional` more entries. Panics if there is no memory, before anything has changed.
    pub(super) fn reserve(&mut self, additional: usize) {
        let (len, entries) = (self.len(), &mut self.entries);
        let is_there = entries.try_reserve(additional).is_ok()
            && self
                .places
                .try_reserve(additional, |place| entries[*place as usize].hash)
                .is_ok();
        assert!(is_there, "no memory for {additional} more entries in a table of {len}");
    }

    /// Frees the memory beyond `capacity` and beyond what the entries need.
    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.fill_holes();
        self.entries.shrink_to(capacity);
        let entries = &self.entries;
        self.places.shrink_to(capacity, |place| entries[*place as usize].hash);
    }

    /// Takes out all entries and holes, and keeps the memory.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Stored> + use<'_> {
        self.places.clear();
        self.entries.drain(..)
    }
}
