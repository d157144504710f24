//! [`Reader`]: a pool under a pin, for many reads.

use std::iter::FusedIterator;
use std::{fmt, slice};

use crate::hint::uncommon;
use crate::pool::depot::depot::Depot;
use crate::pool::face::hooks::{Hooks, Plain};
use crate::pool::face::lookup::{find, lookup};
use crate::pool::face::pool::Pool;
use crate::pool::memory::slot::Slot;
use crate::pool::memory::span::Span;
use crate::pool::reading::pin::{Domain, Pinned};
use crate::pool::word::key::Key;
use crate::pool::word::tag;
use crate::{AccessError, Reason};

/// A pool and a pin, for many reads by key.
///
/// Made by [`Pool::reader`]. It loads once the words that [`Pool::get`] loads at every read. If the pool has only one chunk
/// (up to two thousand small objects), the reader also holds the address of its slots. In a loop that does little else, a
/// read then takes two thirds of the time of `get`, and among more objects six sevenths. Copies are free. A reader stays on
/// the thread of its pin, and sees objects that are allocated while it exists. Once the pool has more chunks, a new reader
/// is faster than one that was made before.
///
/// ```
/// use acedia_allocator::Reason;
/// use acedia_allocator::pool::{Pool, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let pinned = pin();
/// let reader = pool.reader(&pinned);
/// let owners: Vec<_> = (0..10).map(|n| pool.allocate_with(|it| *it = n)).collect();
/// let keys: Vec<_> = owners.iter().map(|owner| owner.key()).collect();
/// assert_eq!(keys.iter().filter_map(|&key| reader.get(key)).sum::<u64>(), 45);
/// drop(owners);
/// assert_eq!(reader.try_get(keys[3]).unwrap_err().reason(), Reason::Freed);
/// ```
#[must_use = "a reader does nothing by itself"]
pub struct Reader<'g, T: 'static, H: Hooks<T> = Plain> {
    pool: &'g Pool<T, H>,
    pinned: &'g Pinned<H::Readers>,
    depot: &'g Depot,
    /// The pool's only chunk when the reader was made, if there was exactly one.
    span: Span,
    /// The pool's number in the directory.
    number: u32,
}

impl<'g, T: Send + Sync + 'static, H: Hooks<T>> Reader<'g, T, H> {
    #[inline]
    pub(in crate::pool) fn new(pool: &'g Pool<T, H>, pinned: &'g Pinned<H::Readers>, depot: &'g Depot) -> Self {
        Self {
            pool,
            pinned,
            depot,
            span: depot.only_span(),
            number: tag::number(depot.tag),
        }
    }

    /// The object that `key` names, if its life goes on: as [`Pool::get`].
    #[inline]
    #[must_use]
    pub fn get(self, key: Key) -> Option<&'g T> {
        // The compiler makes two loops of a loop around this.
        if self.span.is_none() {
            return self.far(key);
        }
        // A key that is not found in the chunk leads to nothing while there is no other chunk.
        let object = self.near(key);
        if object.is_none() && !self.is_whole() {
            uncommon();
            return self.far(key);
        }
        object
    }

    /// The objects that `keys` name, in the order of the keys, each as by [`get`](Self::get).
    ///
    /// For lists of keys. In a pool too large for the processor's caches, it prefetches the objects that come next while it
    /// returns one. Among a million objects that no cache holds, read in no particular order, it takes two thirds of the
    /// time of `get` (on x86-64; elsewhere it takes as long). In a small pool, it checks once whether the pool has grown,
    /// and not at each key that leads to nothing.
    ///
    /// Takes keys, or values that convert into keys: a type of your own around a key, say. A key that did not exist when
    /// this was called (one that was guessed, or changed meanwhile) may lead to nothing, even if its object exists by now.
    ///
    /// ```
    /// use acedia_allocator::pool::{Pool, pin};
    ///
    /// let pool: Pool<u64> = Pool::new();
    /// let owners: Vec<_> = (0..10_000).map(|n| pool.allocate_with(|it| *it = n)).collect();
    /// let keys: Vec<_> = owners.iter().rev().map(|owner| owner.key()).collect();
    /// let pinned = pin();
    /// let found = pool.reader(&pinned).get_many(&keys);
    /// assert_eq!(found.len(), keys.len());
    /// assert_eq!(found.flatten().sum::<u64>(), (0..10_000).sum());
    /// ```
    #[inline]
    pub fn get_many<K: Copy + Into<Key>>(self, keys: &[K]) -> Many<'_, 'g, T, H, K> {
        let way = if !self.span.is_none() && self.is_whole() {
            // Keys that exist already name no slots of a later chunk.
            Way::Whole
        } else if self.depot.stock.is_far() {
            ask_for_first::<T, K>(keys);
            Way::Far
        } else {
            Way::Near
        };
        let keys = keys.iter();
        Many {
            reader: self,
            keys,
            way,
        }
    }

    /// The object in the reader's chunk.
    #[inline]
    fn near(self, key: Key) -> Option<&'g T> {
        lookup(self.span.slot::<T>(key)?, key, self.pinned)
    }

    /// The object in any chunk. Inline: around a call, a loop would keep its variables on the stack.
    #[inline]
    fn far(self, key: Key) -> Option<&'g T> {
        lookup(find::<T>(key, self.number)?, key, self.pinned)
    }

    /// Whether the reader's chunk is still the pool's only chunk.
    #[inline]
    fn is_whole(self) -> bool {
        self.depot.only_span() == self.span
    }

    /// As [`get`](Self::get), with an error that says why there is no object.
    ///
    /// # Errors
    ///
    /// As [`Pool::try_get`].
    pub fn try_get(self, key: Key) -> Result<&'g T, AccessError> {
        self.get(key).ok_or_else(|| self.pool.explain(key, Reason::Hidden))
    }
}

impl<T: 'static, H: Hooks<T>> Clone for Reader<'_, T, H> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static, H: Hooks<T>> Copy for Reader<'_, T, H> {}

/// An iterator over the objects that a list of keys names: see [`Reader::get_many`]. `None` for each key that leads to
/// nothing.
#[must_use = "an iterator does nothing by itself"]
pub struct Many<'k, 'g, T: 'static, H: Hooks<T>, K> {
    reader: Reader<'g, T, H>,
    keys: slice::Iter<'k, K>,
    way: Way,
}

/// Where the objects of a list of keys are.
#[derive(Clone, Copy)]
enum Way {
    /// All in the reader's chunk.
    Whole,
    /// In several chunks, which the processor's caches hold.
    Near,
    /// In more memory than the caches hold.
    Far,
}

/// Prefetches the first objects, for which the prefetch in `next` comes too late. A function of its own: inlined, it keeps
/// the compiler from making one loop per way.
#[inline(never)]
fn ask_for_first<T, K: Copy + Into<Key>>(keys: &[K]) {
    keys.iter().take(AHEAD).for_each(|&key| Slot::prefetch::<T>(key.into()));
}

/// How many keys ahead an object is prefetched: its memory arrives in the time of so many reads.
const AHEAD: usize = if cfg!(miri) { 8 } else { 64 };

impl<'g, T: Send + Sync + 'static, H: Hooks<T>, K: Copy + Into<Key>> Iterator for Many<'_, 'g, T, H, K> {
    type Item = Option<&'g T>;

    #[inline]
    fn next(&mut self) -> Option<Option<&'g T>> {
        // The compiler makes one loop per way of a loop around this.
        if let (Way::Far, Some(&ahead)) = (self.way, self.keys.as_slice().get(AHEAD)) {
            Slot::prefetch::<T>(ahead.into());
        }
        let key = (*self.keys.next()?).into();
        Some(match self.way {
            Way::Whole => self.reader.near(key),
            Way::Near | Way::Far => self.reader.far(key),
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.keys.size_hint()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>, K: Copy + Into<Key>> ExactSizeIterator for Many<'_, '_, T, H, K> {}

impl<T: Send + Sync + 'static, H: Hooks<T>, K: Copy + Into<Key>> FusedIterator for Many<'_, '_, T, H, K> {}

impl<T: 'static, H: Hooks<T>, K> Clone for Many<'_, '_, T, H, K> {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            keys: self.keys.clone(),
            ..*self
        }
    }
}

impl<T: 'static, H: Hooks<T>, K> fmt::Debug for Many<'_, '_, T, H, K> {
    /// `Many(3 keys, Pool { … })`; never reads an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Many")
            .field(&format_args!("{} keys", self.keys.len()))
            .field(self.reader.pool)
            .finish()
    }
}

impl<T: 'static, H: Hooks<T>> fmt::Debug for Reader<'_, T, H> {
    /// `Reader(Pool { … })`; never reads an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reader").field(self.pool).finish()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T, Readers: Domain>> Pool<T, H> {
    /// This pool under a pin, for many reads: see [`Reader`].
    ///
    /// # Panics
    ///
    /// If nothing was ever allocated from this pool and the process already has a million pools. Aborts if there
    /// is no memory for the pool's own records.
    #[inline]
    #[track_caller]
    pub fn reader<'g>(&'g self, pinned: &'g Pinned<H::Readers>) -> Reader<'g, T, H> {
        let depot = match self.depot.get() {
            Some(depot) => depot,
            None => self.first_depot(),
        };
        Reader::new(self, pinned, depot)
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
