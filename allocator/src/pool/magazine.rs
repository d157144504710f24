//! A thread's magazines of free slots, for one pool.
//!
//! ```text
//!             allocate                        free
//!                ▲                              │ no handle was made,      handles exist and
//!                │                              │ or one reading thread    another thread may read
//!        ┌───────┴───────┐                      │                                 │
//!        │ ready   (128) │◄─────────────────────┘                          ┌──────▼───────┐
//!        │ last in first │◄── fence, nobody is pinned, nobody guards ──────┤ freed   (64) │
//!        └───▲───────┬───┘                                                 └──────┬───────┘
//!      empty │       │ full                              full, somebody is pinned │
//!        ┌───┴───────▼───┐                                                 ┌──────▼───────┐
//!        │ depot: ready  │◄────────── every pin is newer than the stamp ───┤ depot: limbo │
//!        └───────────────┘                                                 └──────────────┘
//! ```
//!
//! Every slot on these lists holds a constructed object. Slots without one are the depot's business.

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::sync::{Arc, Weak};

use super::chunk::Slot;
use super::depot::Depot;
use crate::sync::plain::{AtomicU32, AtomicU64, Ordering};

/// Slots that travel between a thread and the depot at a time.
pub(super) const MAGAZINE: usize = if cfg!(acedia_loom) { 2 } else { 64 };
/// Slots that a thread keeps ready: two magazines, so that freeing and allocating at the edge moves none.
const READY: usize = 2 * MAGAZINE;

/// Slots on their way through the depot.
#[derive(Clone, Copy)]
pub(super) struct Magazine {
    len: usize,
    slots: [u32; MAGAZINE],
}

impl Magazine {
    pub(super) const EMPTY: Self = Self {
        len: 0,
        slots: [0; MAGAZINE],
    };

    pub(super) fn slots(&self) -> &[u32] {
        &self.slots[..self.len]
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a slot. The magazine must not be full.
    pub(super) fn push(&mut self, index: u32) {
        self.slots[self.len] = index;
        self.len += 1;
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        self.len = self.len.checked_sub(1)?;
        Some(self.slots[self.len])
    }
}

impl fmt::Debug for Magazine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.slots()).finish()
    }
}

/// One thread's part of one pool.
///
/// The lists belong to that thread alone. The numbers may be read by others, for statistics, and `limit` is written by
/// others to send the thread to the slow path.
#[repr(align(128))]
pub(super) struct Local {
    /// 0, or `u32::MAX` while the pool is managed (see [`super::policy`]): no list is used then.
    limit: AtomicU32,
    ready_len: AtomicU32,
    freed_len: AtomicU32,
    /// Lives begun and ended by this thread.
    begun: AtomicU64,
    ended: AtomicU64,
    depot: Weak<Depot>,
    /// Slots without an object that this thread may make one in: `(next, end)`.
    pub(super) fresh: Cell<(u32, u32)>,
    /// Living objects that other threads account for, when the pool was last counted.
    pub(super) others: Cell<u64>,
    /// The pin that stood in the way last time: while it is still the oldest, looking again is no use.
    pub(super) blocked_by: Cell<u64>,
    ready: UnsafeCell<[u32; READY]>,
    freed: UnsafeCell<[u32; MAGAZINE]>,
}

// SAFETY: the cells are touched only by the thread that the record belongs to (it hands out references to itself alone,
// through its own thread-local table) and by `Depot::remove_local` on that same thread; the rest is atomic.
unsafe impl Sync for Local {}
// SAFETY: numbers of slots mean the same on every thread.
unsafe impl Send for Local {}

impl Local {
    pub(super) fn new(depot: &Arc<Depot>) -> Arc<Self> {
        Arc::new(Self {
            limit: AtomicU32::new(0),
            ready_len: AtomicU32::new(0),
            freed_len: AtomicU32::new(0),
            begun: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            depot: Arc::downgrade(depot),
            fresh: Cell::new((0, 0)),
            others: Cell::new(0),
            blocked_by: Cell::new(u64::MAX),
            ready: UnsafeCell::new([0; READY]),
            freed: UnsafeCell::new([0; MAGAZINE]),
        })
    }

    pub(super) fn depot(&self) -> Option<Arc<Depot>> {
        self.depot.upgrade()
    }

    /// Sends every operation of the thread to the slow path, or lets it work with its lists again.
    pub(super) fn set_managed(&self, managed: bool) {
        // Relaxed: takes effect at the thread's next look.
        self.limit.store(if managed { u32::MAX } else { 0 }, Ordering::Relaxed);
    }

    /// Takes the slot that was freed last.
    #[inline]
    pub(super) fn pop_ready(&self) -> Option<u32> {
        // Relaxed, here and below: the lengths are written by this thread alone.
        let len = self.ready_len.load(Ordering::Relaxed);
        if len <= self.limit.load(Ordering::Relaxed) {
            return None;
        }
        Some(self.take_ready(len))
    }

    /// As [`pop_ready`](Self::pop_ready), also while the pool is managed.
    pub(super) fn pop_ready_always(&self) -> Option<u32> {
        let len = self.ready_len.load(Ordering::Relaxed);
        (len > 0).then(|| self.take_ready(len))
    }

    #[inline]
    fn take_ready(&self, len: u32) -> u32 {
        self.ready_len.store(len - 1, Ordering::Relaxed);
        // SAFETY: only this thread touches the list, and `len` is within it: pushes check.
        unsafe { *self.ready.get().cast::<u32>().add(len as usize - 1) }
    }

    /// Keeps a slot that may be reused at once. `false` if there is no room.
    #[inline]
    pub(super) fn push_ready(&self, index: u32) -> bool {
        let len = self.ready_len.load(Ordering::Relaxed);
        if len as usize >= READY || self.limit.load(Ordering::Relaxed) != 0 {
            return false;
        }
        // SAFETY: only this thread touches the list, and `len` is within it.
        unsafe { *self.ready.get().cast::<u32>().add(len as usize) = index };
        self.ready_len.store(len + 1, Ordering::Relaxed);
        true
    }

    /// Keeps a slot that others may still be reading. `false` if there is no room.
    #[inline]
    pub(super) fn push_freed(&self, index: u32) -> bool {
        let len = self.freed_len.load(Ordering::Relaxed);
        if len as usize >= MAGAZINE || self.limit.load(Ordering::Relaxed) != 0 {
            return false;
        }
        // SAFETY: only this thread touches the list, and `len` is within it.
        unsafe { *self.freed.get().cast::<u32>().add(len as usize) = index };
        self.freed_len.store(len + 1, Ordering::Relaxed);
        true
    }

    /// Takes the older half of the ready slots, to make room.
    pub(super) fn spill(&self) -> Magazine {
        let len = self.ready_len.load(Ordering::Relaxed) as usize;
        debug_assert!(len >= MAGAZINE);
        // SAFETY: only this thread touches the list.
        let ready = unsafe { &mut *self.ready.get() };
        let mut magazine = Magazine::EMPTY;
        magazine.slots.copy_from_slice(&ready[..MAGAZINE]);
        magazine.len = MAGAZINE;
        ready.copy_within(MAGAZINE..len, 0);
        self.ready_len.store(len_u32(len - MAGAZINE), Ordering::Relaxed);
        magazine
    }

    /// Puts slots from the depot among the ready ones. There must be room.
    pub(super) fn load(&self, magazine: &Magazine) {
        let len = self.ready_len.load(Ordering::Relaxed) as usize;
        // SAFETY: only this thread touches the list.
        let ready = unsafe { &mut *self.ready.get() };
        ready[len..len + magazine.len].copy_from_slice(magazine.slots());
        self.ready_len.store(len_u32(len + magazine.len), Ordering::Relaxed);
    }

    /// Takes all freed slots.
    pub(super) fn take_freed(&self) -> Magazine {
        let len = self.freed_len.load(Ordering::Relaxed) as usize;
        // SAFETY: only this thread touches the list.
        let freed = unsafe { &*self.freed.get() };
        let mut magazine = Magazine::EMPTY;
        magazine.slots[..len].copy_from_slice(&freed[..len]);
        magazine.len = len;
        self.freed_len.store(0, Ordering::Relaxed);
        magazine
    }

    pub(super) fn has_freed(&self) -> bool {
        self.freed_len.load(Ordering::Relaxed) != 0
    }

    pub(super) fn has_room(&self) -> bool {
        self.ready_len.load(Ordering::Relaxed) as usize + MAGAZINE <= READY
    }

    /// Counts a life begun.
    #[inline]
    pub(super) fn count_begun(&self) {
        // Not a read-modify-write: only this thread writes.
        self.begun
            .store(self.begun.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Counts a life ended.
    #[inline]
    pub(super) fn count_ended(&self) {
        self.ended
            .store(self.ended.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Lives begun and ended by this thread.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.begun.load(Ordering::Relaxed), self.ended.load(Ordering::Relaxed))
    }

    /// Living objects: this thread's own account, and the others' at their last count.
    pub(super) fn live_with_others(&self) -> u64 {
        let (begun, ended) = self.counts();
        begun.wrapping_sub(ended).wrapping_add(self.others.get())
    }

    /// Free objects on this thread's lists.
    pub(super) fn kept(&self) -> u32 {
        self.ready_len.load(Ordering::Relaxed) + self.freed_len.load(Ordering::Relaxed)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "lengths of magazines are small")]
fn len_u32(len: usize) -> u32 {
    len as u32
}

/// Splits slots into those that nobody guards and the rest. The caller has ended their lives and fenced since.
pub(super) fn without_readers(magazine: &Magazine) -> (Magazine, Magazine) {
    let (mut quiet, mut read) = (Magazine::EMPTY, Magazine::EMPTY);
    for &index in magazine.slots() {
        let list = if Slot::of_own(index).readers().quiet() {
            &mut quiet
        } else {
            &mut read
        };
        list.push(index);
    }
    (quiet, read)
}
