//! [`PlainPool`]: a pool of plain data.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use crate::chunk::Chunk;
use crate::directory::{self, NO_POOL};
use crate::handle::PlainHandle;
use crate::owned::PlainOwned;
use crate::slot::{Freed, Slot};
use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering, const_fn, lock};
use crate::{AccessError, AllocateError, Plain};

/// The slots that become free at once when the list is empty.
const BATCH: u32 = 64;

/// A pool of plain data. [`load`](Self::load) returns a copy of a value, and owners [`set`](PlainOwned::set) the values while other
/// threads load.
///
/// The [crate](crate) says when to use it.
///
/// ```
/// use acedia_plain::{Plain, PlainPool};
/// use bytemuck::{AnyBitPattern, NoUninit};
///
/// #[derive(Clone, Copy, Debug, PartialEq, NoUninit, AnyBitPattern)]
/// #[repr(C)]
/// struct Position {
///     x: f32,
///     y: f32,
/// }
///
/// static POSITIONS: PlainPool<Position> = PlainPool::new();
///
/// let mut soldier = POSITIONS.insert(Position { x: 0.0, y: 0.0 });
/// let handle = soldier.handle();
/// let reader = std::thread::spawn(move || POSITIONS.load(handle).unwrap().x);
/// soldier.set(Position { x: 1.0, y: 2.0 }); // while the other thread reads
/// assert!([0.0, 1.0].contains(&reader.join().unwrap()));
/// soldier.update(|position| position.x += 1.0);
/// assert_eq!(POSITIONS.load(handle), Some(Position { x: 2.0, y: 2.0 }));
/// drop(soldier);
/// assert_eq!(POSITIONS.load(handle), None);
/// ```
pub struct PlainPool<T: Plain> {
    /// The number of the first chunk, by which the [`directory`] knows the pool. [`NO_POOL`] until the first insertion.
    number: AtomicU32,
    free: OwnLine<AtomicU64>,
    chunks: Mutex<Vec<Chunk>>,
    of: PhantomData<fn(T) -> T>,
}

/// Separates the head of the list of free slots, which each insertion and free writes, from the number, which loads read.
#[repr(align(128))]
struct OwnLine<W>(W);

impl<T: Plain> PlainPool<T> {
    const_fn! {
        /// Creates an empty pool. Costs nothing until the first value is inserted.
        #[must_use]
        pub const fn new() -> Self {
            Self {
                number: AtomicU32::new(NO_POOL),
                free: OwnLine(AtomicU64::new(0)),
                chunks: Mutex::new(Vec::new()),
                of: PhantomData,
            }
        }
    }

    /// Begins a life with `value`.
    ///
    /// # Panics
    ///
    /// If [`try_insert`](Self::try_insert) returns an error.
    #[inline]
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    pub fn insert(&self, value: T) -> PlainOwned<'_, T> {
        match self.try_insert(value) {
            Ok(owner) => owner,
            Err(error) => panic!("{error}"),
        }
    }

    /// Begins a life with `value`.
    ///
    /// Takes a free slot, by one compare-exchange if no other thread inserts or frees at this moment. Takes a lock only if no
    /// slot is free: then up to 64 more slots become free, in a new chunk of memory if necessary.
    ///
    /// # Errors
    ///
    /// [`AllocateError`], if the pool cannot grow.
    #[inline]
    pub fn try_insert(&self, value: T) -> Result<PlainOwned<'_, T>, AllocateError> {
        let freed = match self.pop() {
            Some(freed) => freed,
            None => self.grow()?,
        };
        let (slot, local) = self.place_of(freed.index());
        slot.begin(freed, &value);
        Ok(PlainOwned::new(self, slot, local))
    }

    /// A copy of the value that `handle` names, if the object is alive. The [crate](crate#where-a-load-may-be-called) says where loads
    /// may be called, and how long they take.
    #[inline]
    #[must_use]
    pub fn load(&self, handle: PlainHandle<T>) -> Option<T> {
        let (slot, local) = self.find(handle)?;
        slot.read(handle, local)
    }

    /// Whether the object is alive at this moment.
    #[must_use]
    pub fn contains(&self, handle: PlainHandle<T>) -> bool {
        self.find(handle).is_some_and(|(slot, _)| slot.handle() == Some(handle))
    }

    /// Frees an object that has [no owner](PlainOwned::into_manual), and returns its last value.
    ///
    /// ```
    /// use acedia_plain::{AccessError, PlainPool};
    ///
    /// let pool: PlainPool<u64> = PlainPool::new();
    /// let handle = pool.insert(7).into_manual();
    /// assert_eq!(pool.remove(handle), Ok(7));
    /// assert_eq!(pool.remove(handle), Err(AccessError::Ended));
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError`]. Of several threads that remove or reclaim the same object at the same time, one succeeds.
    pub fn remove(&self, handle: PlainHandle<T>) -> Result<T, AccessError> {
        let owner = self.reclaim(handle)?;
        Ok(owner.load())
    }

    /// Makes an owner of an object that has [none](PlainOwned::into_manual).
    ///
    /// ```
    /// use acedia_plain::{AccessError, PlainPool};
    ///
    /// let pool: PlainPool<u64> = PlainPool::new();
    /// let handle = pool.insert(7).into_manual();
    /// pool.reclaim(handle).unwrap().update(|n| *n += 1); // and frees it
    /// assert_eq!(pool.load(handle), None);
    /// ```
    ///
    /// # Errors
    ///
    /// As [`remove`](Self::remove).
    pub fn reclaim(&self, handle: PlainHandle<T>) -> Result<PlainOwned<'_, T>, AccessError> {
        let (slot, local) = self.find(handle).ok_or(AccessError::Foreign)?;
        slot.claim(handle)?;
        Ok(PlainOwned::new(self, slot, local))
    }

    /// The handles of the living objects, in the order of their slots. Other threads may insert and free meanwhile. Visits all
    /// slots that were ever used, and takes the pool's lock once.
    pub fn handles(&self) -> impl Iterator<Item = PlainHandle<T>> {
        let chunks: Vec<_> = lock(&self.chunks)
            .iter()
            .map(|chunk| (chunk.index(0), chunk.used))
            .collect();
        let slots = chunks
            .into_iter()
            .flat_map(|(first, used)| (0..used).map(move |local| first | local));
        slots.filter_map(|index| self.own(index).handle())
    }

    /// Each of the [`handles`](Self::handles), with the copy that [`load`](Self::load) returns for it.
    ///
    /// ```
    /// use acedia_plain::PlainPool;
    ///
    /// let pool: PlainPool<u64> = PlainPool::new();
    /// let handles = [1, 2, 3].map(|number| pool.insert(number).into_manual());
    /// let all: Vec<_> = pool.iter().collect();
    /// assert_eq!(all, [(handles[0], 1), (handles[1], 2), (handles[2], 3)]);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (PlainHandle<T>, T)> {
        self.handles().filter_map(|handle| Some((handle, self.load(handle)?)))
    }

    /// How many objects are alive. Counts the [`handles`](Self::handles).
    #[must_use]
    pub fn len(&self) -> usize {
        self.handles().count()
    }

    /// Whether no object is alive. Stops at the first one of the [`handles`](Self::handles).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.handles().next().is_none()
    }

    /// The slot of the handle, if its chunk is one of this pool, and its number in the chunk.
    #[inline]
    fn find(&self, handle: PlainHandle<T>) -> Option<(Slot<'_, T>, u32)> {
        // Acquire pairs with `grow`: an earlier pool of the same number has hidden its chunks.
        let (base, local) = directory::find(handle.index(), self.number.load(Ordering::Acquire))?;
        // SAFETY: the chunk is one of this pool, and chunks live as long as their pool.
        Some((unsafe { Slot::at(base, local) }, local))
    }

    /// The slot of an index of this pool.
    #[inline]
    #[expect(clippy::unused_self, reason = "the pool outlives the result")]
    fn place_of(&self, index: u32) -> (Slot<'_, T>, u32) {
        let (base, local) = directory::place_of(index);
        // SAFETY: chunks live as long as their pool.
        (unsafe { Slot::at(base, local) }, local)
    }

    #[inline]
    fn own(&self, index: u32) -> Slot<'_, T> {
        self.place_of(index).0
    }

    /// Takes the first slot of the list of free slots.
    #[inline]
    fn pop(&self) -> Option<Freed> {
        let free = &self.free.0;
        // Acquire, here and on failure, pairs with `push`: the link and the last owner's writes, for this slot and all slots
        // behind it, because each change of the head continues the release sequences of earlier changes.
        let mut head = free.load(Ordering::Acquire);
        while head != 0 {
            let first = Freed(head);
            // If another thread has taken the slot, this is any index of the pool, and the compare-exchange fails, because no
            // head recurs.
            let after = match self.own(first.index()).next() {
                0 => 0,
                index => self.own(index).freed(index).0,
            };
            // Relaxed: the head is the one that was acquired.
            match free.compare_exchange(head, after, Ordering::Relaxed, Ordering::Acquire) {
                Ok(_) => return Some(first),
                Err(now) => head = now,
            }
        }
        None
    }

    /// Puts free slots in front of the list, and links `last`.
    #[inline]
    fn push(&self, first: Freed, last: (Freed, Slot<'_, T>)) {
        let free = &self.free.0;
        // Relaxed, both: only the index of the head is used here.
        let mut head = free.load(Ordering::Relaxed);
        loop {
            last.1.end(last.0, Freed(head).index());
            // Release pairs with `pop`.
            match free.compare_exchange(head, first.0, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Ends the life of the caller's object.
    #[inline]
    pub(crate) fn end(&self, slot: Slot<'_, T>) {
        let ended = slot.freed(slot.own_handle().index());
        if ended.is_worn() {
            slot.end(ended, 0);
        } else {
            self.push(ended, (ended, slot));
        }
    }

    /// Makes slots free that were never used. Returns one of them.
    #[cold]
    fn grow(&self) -> Result<Freed, AllocateError> {
        let mut chunks = lock(&self.chunks);
        // Another thread was faster.
        if let Some(freed) = self.pop() {
            return Ok(freed);
        }
        if chunks.last().is_none_or(|chunk| chunk.used == chunk.slots) {
            chunks.try_reserve(1).map_err(|_| AllocateError::NoMemory)?;
            let slots: u32 = chunks.iter().map(|chunk| chunk.slots).sum();
            // Relaxed: the number changes under the lock.
            let chunk = Chunk::new::<T>(self.number.load(Ordering::Relaxed), slots)?;
            if chunks.is_empty() {
                // Release pairs with `find`.
                self.number.store(chunk.number.number, Ordering::Release);
            }
            chunks.push(chunk);
        }
        let Some(chunk) = chunks.last_mut() else { unreachable!() };
        let floor = chunk.number.floor;
        let first = chunk.index(chunk.used);
        let end = first + BATCH.min(chunk.slots - chunk.used);
        chunk.used += end - first;
        let slot = |index| (Freed::fresh(index, floor), self.own(index));
        for index in first + 1..end - 1 {
            let (freed, slot) = slot(index);
            slot.end(freed, index + 1);
        }
        if first + 1 < end {
            self.push(slot(first + 1).0, slot(end - 1));
        }
        Ok(slot(first).0)
    }
}

impl<T: Plain> Default for PlainPool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Plain> fmt::Debug for PlainPool<T> {
    /// Prints the type and the number of living objects.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printed = f.debug_struct("PlainPool");
        printed.field("type", &type_name::<T>()).field("len", &self.len());
        printed.finish_non_exhaustive()
    }
}

impl<T: Plain> Drop for PlainPool<T> {
    /// Frees the memory. The handles of the pool are not issued again.
    fn drop(&mut self) {
        let mut chunks = std::mem::take(&mut *lock(&self.chunks));
        for chunk in &mut chunks {
            let slots = (0..chunk.used).map(|local| self.own(chunk.index(local)).freed(0).life());
            let last = slots.max().unwrap_or(0);
            chunk.number.floor = chunk.number.floor.max(last);
            directory::withdraw(chunk.number.number);
        }
        // The pool's own number last, so that the next pool takes it first.
        while chunks.pop().is_some() {}
    }
}
