//! [`Local`]: a thread's lists of free slots, for one pool.
//!
//! ```text
//!             allocate                        free
//!                ▲                              │ no handle, or no other   a handle, and another
//!                │                              │ thread has ever read     thread has read before
//!        ┌───────┴───────┐                      │                                 │
//!        │ ready (2x255) │◄─────────────────────┘                          ┌──────▼───────┐
//!        │ last in first │◄── fence, no pin and no guard is left ──────────┤ limbo  (255) │
//!        └───▲───────┬───┘                                                 └──────┬───────┘
//!      empty │       │ full                                   full, a pin remains │
//!        ┌───┴───────▼───┐                                                 ┌──────▼───────┐
//!        │     stock     │◄─ every pin is newer than the stamp, no guard ──┤ pool's limbo │
//!        └───────────────┘                                                 └──────────────┘
//! ```
//!
//! Every slot on these lists holds a constructed object. The depot manages slots without one. Below `top`, the ready slots are in
//! two magazines, the one in use and the previous one, which is mostly full or empty. So alternating frees and allocations at the
//! boundary between them do not exchange magazines with the depot. Whole magazines are exchanged; slots are never copied from one
//! to another.

use std::cell::{Cell, UnsafeCell};
use std::ptr::NonNull;

use crate::pool::chunk::Slot;
use crate::pool::life::Life;
use crate::pool::stock::{MAGAZINE, Magazine, SMALL};
use crate::sync::plain::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// One thread's part of one pool.
///
/// Only that thread uses the lists. Other threads read only the counts (`kept`, `made`), in `Depot::stats`, and whether `top` is null. So
/// all accesses to these words are Relaxed. While a slot moves from one list to another, `stats` may count it twice or not at all: it then
/// reports one free object too many and one living object too few, or the reverse.
#[repr(align(128))]
pub(super) struct Local {
    /// The ready slot that was freed last, or null if a slot was taken since. It is the top of the stack whose
    /// rest is `ready`.
    ///
    /// A program that alternates frees and allocations uses only this word. The allocation then waits for one store of the free,
    /// and not for two (the list's length and the slot). A free reaches this record through the slot, so with the list each pair
    /// would wait for a chain of six loads. In a run of frees, each free moves the previously freed slot to the list.
    top: AtomicPtr<Life>,
    /// The number of slots in `ready`.
    ready_len: AtomicU32,
    /// `None` until a slot is pushed, as is `limbo`: a thread with at most one free slot of a pool keeps it in `top` and
    /// needs no magazine.
    ready: UnsafeCell<Option<Box<Magazine>>>,
    limbo: UnsafeCell<Option<Box<Magazine>>>,
    limbo_len: AtomicU32,
    /// The number of slots in `previous`.
    previous_len: AtomicU32,
    previous: Cell<Option<Box<Magazine>>>,
    /// From this number of slots in limbo on, an allocation looks for pins before it uses a fresh slot. It starts at 1, so that a program which
    /// frees one object and allocates another reuses the slot. It doubles with each look, up to `SMALL`, so that in a program which does this
    /// often one fence serves many objects. A thread without fresh slots looks in any case.
    look_at: Cell<u32>,
    /// `(next, end)`: slots without an object, in which this thread may construct one. Only this thread reads it, because `stats` counts
    /// only objects.
    pub(super) fresh: Cell<(u32, u32)>,
    /// Objects constructed by this thread.
    made: AtomicU64,
}

/// The most slots without an object that a thread takes at a time. Adjacent slots go to one thread, so that threads do not write to the same
/// cache lines.
const BATCH: u32 = if cfg!(acedia_loom) { 2 } else { 128 };

// SAFETY: the cells are accessed only by the thread that owns the record, even while it exits: references to the
// record come only from its own thread-local table. The other fields are atomic.
unsafe impl Sync for Local {}
// SAFETY: slots are valid on every thread, and the chunks they point to outlive the pool's lists.
unsafe impl Send for Local {}

impl Local {
    pub(super) fn new() -> Self {
        Self {
            top: AtomicPtr::new(std::ptr::null_mut()),
            ready_len: AtomicU32::new(0),
            ready: UnsafeCell::new(None),
            limbo: UnsafeCell::new(None),
            limbo_len: AtomicU32::new(0),
            previous_len: AtomicU32::new(0),
            previous: Cell::new(None),
            look_at: Cell::new(1),
            fresh: Cell::new((0, 0)),
            made: AtomicU64::new(0),
        }
    }

    /// Takes the slot in `top`.
    #[inline]
    pub(super) fn take_top(&self) -> Option<Slot> {
        // Relaxed, here and below: only this thread writes these words. If `stats` loads one before a store here, it reports the count from
        // before the call.
        let top = NonNull::new(self.top.load(Ordering::Relaxed))?;
        self.top.store(std::ptr::null_mut(), Ordering::Relaxed);
        Some(Slot::from_raw(top))
    }

    /// Takes the ready slot that was freed last.
    #[inline]
    pub(super) fn pop_ready(&self) -> Option<Slot> {
        if let Some(slot) = self.take_top() {
            return Some(slot);
        }
        let len = self.ready_len.load(Ordering::Relaxed).checked_sub(1)?;
        // The order of this store and the read of the slot does not matter: `stats` loads only the length.
        self.ready_len.store(len, Ordering::Relaxed);
        // SAFETY: below the length, so below `MAGAZINE`.
        let at = unsafe { Self::address(&self.ready, len) };
        // SAFETY: there is a magazine, because it has slots.
        let at = unsafe { at.unwrap_unchecked() };
        // SAFETY: written by a push.
        Some(unsafe { at.read() })
    }

    /// Keeps a slot that may be reused at once. `false` if there is no room, or no magazine yet.
    #[inline]
    pub(super) fn push_ready(&self, slot: Slot) -> bool {
        if let Some(before) = NonNull::new(self.top.load(Ordering::Relaxed)) {
            // The slot that is there moves to the list first: if the list is full, nothing has changed. `stats` counts the new slot here by
            // the length, and otherwise below by `top`.
            if !self.push_list(Slot::from_raw(before)) {
                return false;
            }
        }
        self.top.store(slot.into_raw().as_ptr(), Ordering::Relaxed);
        true
    }

    /// Puts a slot on the list of ready ones. `false` if there is no room, or no magazine yet.
    #[inline]
    fn push_list(&self, slot: Slot) -> bool {
        let len = self.ready_len.load(Ordering::Relaxed);
        if len as usize >= MAGAZINE {
            return false;
        }
        // SAFETY: below `MAGAZINE`.
        let Some(at) = (unsafe { Self::address(&self.ready, len) }) else {
            return false;
        };
        // SAFETY: within the list, which only this thread touches.
        unsafe { at.write(slot) };
        // The order of this store and the write does not matter, as in `pop_ready`.
        self.ready_len.store(len + 1, Ordering::Relaxed);
        true
    }

    /// Keeps a slot that other threads may still be reading. `false` if there is no room, or no magazine yet.
    #[inline]
    pub(super) fn push_limbo(&self, slot: Slot) -> bool {
        let len = self.limbo_len.load(Ordering::Relaxed);
        if len as usize >= MAGAZINE {
            return false;
        }
        // No stamp and no fence: this thread looks at the pins later, once for all slots here (`Depot::refill`, `Depot::empty_limbo`).
        // SAFETY: below `MAGAZINE`.
        let Some(at) = (unsafe { Self::address(&self.limbo, len) }) else {
            return false;
        };
        // SAFETY: within the list, which only this thread touches.
        unsafe { at.write(slot) };
        // The order of this store and the write does not matter, as in `pop_ready`.
        self.limbo_len.store(len + 1, Ordering::Relaxed);
        true
    }

    /// The address of slot number `nth` of a magazine, if there is a magazine.
    ///
    /// # Safety
    /// `nth` is below [`MAGAZINE`]. Only the owning thread uses the magazine.
    #[inline]
    unsafe fn address(magazine: &UnsafeCell<Option<Box<Magazine>>>, nth: u32) -> Option<*mut Slot> {
        // SAFETY: only this thread touches it, and no reference into it is alive.
        let magazine: &mut Option<Box<Magazine>> = unsafe { &mut *magazine.get() };
        // SAFETY: the caller's promise.
        Some(unsafe { magazine.as_mut()?.storage().add(nth as usize) })
    }

    /// Replaces the magazine of `list` by `other`. Returns the old one with length `len`, the number of slots pushed
    /// there.
    fn exchange(
        list: &UnsafeCell<Option<Box<Magazine>>>,
        len: usize,
        other: Option<Box<Magazine>>,
    ) -> Option<Box<Magazine>> {
        // SAFETY: only this thread touches it, and no reference into it is alive.
        let mut taken = std::mem::replace(unsafe { &mut *list.get() }, other)?;
        // SAFETY: written by the pushes.
        unsafe { taken.set_len(len) };
        Some(taken)
    }

    /// Replaces the magazine in use for the ready slots, and returns the old one.
    fn exchange_ready(&self, other: Option<Box<Magazine>>) -> Option<Box<Magazine>> {
        // The length of the magazine in use is in `ready_len`; a magazine at rest stores its own. `exchange` writes it back. From this
        // store to the end of the move, `stats` does not count the slots of the old magazine.
        let len = self.ready_len();
        self.ready_len.store(len_of(other.as_deref()), Ordering::Relaxed);
        Self::exchange(&self.ready, len, other)
    }

    fn set_previous(&self, magazine: Option<Box<Magazine>>) -> Option<Box<Magazine>> {
        // Until this store, `stats` still counts the magazine that leaves, and misses the one that replaces it.
        self.previous_len.store(len_of(magazine.as_deref()), Ordering::Relaxed);
        self.previous.replace(magazine)
    }

    fn ready_len(&self) -> usize {
        self.ready_len.load(Ordering::Relaxed) as usize
    }

    pub(super) fn limbo_len(&self) -> usize {
        self.limbo_len.load(Ordering::Relaxed) as usize
    }

    fn previous_len(&self) -> usize {
        self.previous_len.load(Ordering::Relaxed) as usize
    }

    /// Puts the previous magazine into use. `false`, without a change, if the magazine in use has slots or the
    /// previous one has none.
    pub(super) fn advance(&self) -> bool {
        if self.previous_len() == 0 || self.ready_len() != 0 {
            return false;
        }
        // The magazines are swapped, so that the next frees find an empty one behind the one in use.
        self.set_previous(self.exchange_ready(self.previous.take()));
        true
    }

    /// Makes room for ready slots: the full magazine becomes the previous one. Returns the one that was there before, if it
    /// has slots.
    pub(super) fn step_back(&self) -> Option<Box<Magazine>> {
        // A previous magazine without slots is used next. One with slots is returned, and a new one takes its
        // place.
        let previous = self.previous.take();
        let (out, next) = match previous {
            Some(previous) if previous.len() == 0 => (None, Some(previous)),
            other => (other, Some(Magazine::new())),
        };
        self.set_previous(self.exchange_ready(next));
        out
    }

    /// Takes a magazine of ready slots. Returns it if there is no room for it.
    pub(super) fn accept(&self, magazine: Box<Magazine>) -> Option<Box<Magazine>> {
        if self.ready_len() == 0 {
            let emptied = self.exchange_ready(Some(magazine));
            // If there is no previous magazine, the emptied one takes its place, so that the next frees have two to fill. `previous_len` needs
            // no store: the emptied magazine has no slots.
            self.previous.set(self.previous.take().or(emptied));
            return None;
        }
        if self.previous_len() == 0 {
            // The previous magazine, dropped here, has no slots.
            self.set_previous(Some(magazine));
            return None;
        }
        Some(magazine)
    }

    /// Takes the magazines, with all ready slots except `top`.
    pub(super) fn take_ready(&self) -> impl Iterator<Item = Box<Magazine>> {
        let taken = [self.set_previous(None), self.exchange_ready(None)];
        taken.into_iter().flatten().filter(|magazine| magazine.len() > 0)
    }

    /// Takes all slots in limbo, and leaves an empty magazine, or none, for the next ones.
    pub(super) fn take_limbo(&self, empty: Option<Box<Magazine>>) -> Option<Box<Magazine>> {
        // From here on the caller owns the slots and has to put each one away. Until then `stats` counts their objects as living.
        let len = self.limbo_len();
        self.limbo_len.store(0, Ordering::Relaxed);
        Self::exchange(&self.limbo, len, empty)
    }

    /// Whether there are enough slots in limbo to pay for a look at the pins: see [`look_at`](Self::look_at).
    pub(super) fn is_limbo_worth_a_look(&self) -> bool {
        let look_at = self.look_at.get();
        let is_worth = self.limbo_len() >= look_at as usize;
        if is_worth && look_at < len_u32(SMALL) {
            self.look_at.set((2 * look_at).min(len_u32(SMALL)));
        }
        is_worth
    }

    /// Makes ready those slots in limbo that `filter` keeps in their magazine. There are no ready slots. The caller has
    /// fenced since their lives ended, and no thread is pinned.
    pub(super) fn ready_limbo(&self, filter: impl FnOnce(&mut Magazine)) {
        // The magazine in use, which is empty, becomes the next limbo.
        if let Some(mut limbo) = self.take_limbo(self.exchange_ready(None)) {
            filter(&mut limbo);
            self.exchange_ready(Some(limbo));
        }
    }

    pub(super) fn has_fresh(&self) -> bool {
        let (next, end) = self.fresh.get();
        next < end
    }

    #[inline]
    pub(super) fn take_fresh(&self) -> Option<u32> {
        let (next, end) = self.fresh.get();
        (next < end).then(|| {
            // No other thread has these slots: `Empty::take` removed them under the depot's lock.
            self.fresh.set((next + 1, end));
            next
        })
    }

    /// The number of slots without an object that the thread takes next: an eighth of the objects that it has made, at least 8 and at most
    /// [`BATCH`]. More would slow iteration down, which also visits the slots without an object.
    pub(super) fn next_batch(&self) -> u32 {
        let eighth = u32::try_from(self.made() / 8).unwrap_or(BATCH);
        eighth.clamp(BATCH.min(8), BATCH)
    }

    /// Counts an object constructed by this thread.
    pub(super) fn count_made(&self) {
        // Not a read-modify-write: only this thread writes the count, until the thread exits (`Depot::remove_local`). `stats` and
        // `live_of_only` load it. Until this store, `stats` misses the object, which is in no list.
        self.made.store(self.made() + 1, Ordering::Relaxed);
    }

    pub(super) fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Free objects on this thread's lists.
    pub(super) fn kept(&self) -> u64 {
        let top = usize::from(!self.top.load(Ordering::Relaxed).is_null());
        (top + self.ready_len() + self.previous_len() + self.limbo_len()) as u64
    }
}

fn len_of(magazine: Option<&Magazine>) -> u32 {
    len_u32(magazine.map_or(0, Magazine::len))
}

#[expect(clippy::cast_possible_truncation, reason = "lengths of magazines are small")]
const fn len_u32(len: usize) -> u32 {
    len as u32
}

#[cfg(all(test, acedia_loom))]
mod models;
