//! [`Pins`]: what a thread that frees has to know of the threads that read in a domain.
//!
//! Each reading thread has one flag in the domain's list: 0, or the epoch at which the thread pinned. A pin raises the flag and
//! fences. From then on the thread reads lives with plain loads. A freeing thread ends the life first, fences, and then scans every
//! flag. If the pin's fence came first, the scan sees the flag. If the other fence came first, the reader sees that the life has
//! ended.
//!
//! ```text
//! reader:  flag = epoch|1; FENCE; life == mine? → read …; flag = 0
//! freeing: life = ended;   FENCE; every flag 0? → reuse
//!                                 else: stamp = epoch; epoch += 2; wait until every flag is 0 or above stamp|1
//! ```
//!
//! The freeing side needs no fence while no other thread has ever read: see [`Threads`].

use std::cell::Cell;
use std::fmt;
use std::panic::Location;
use std::ptr::{self, NonNull};
use std::sync::Weak;

use crate::panics::contain;
use crate::pool::threads::{self, Threads};
use crate::report::pinned_thread::{Holder, PinnedThread};
use crate::sync::plain::AtomicUsize;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Ordering, Queue, const_fn, fence};

/// A flag on its own cache line (two lines, because of the adjacent-line prefetcher).
#[repr(align(128))]
pub(super) struct Flag {
    /// 0, or the epoch at which the thread pinned, with bit 0 set.
    value: AtomicU64,
    in_use: AtomicBool,
    next: AtomicPtr<Flag>,
    pub(super) holder: Holder,
}

/// The record of one domain, shared by all threads: its flags, its epoch, and which threads have pinned.
pub struct Pins {
    /// Flags are added and reused, never removed. There are as many as threads ever read at the same time.
    head: AtomicPtr<Flag>,
    /// Even. Advances whenever freed slots start to wait for pins, and for each list of the pinned threads (`stamp`).
    epoch: AtomicU64,
    /// The pools in which objects wait singly or under an exact limit, each at most once: the end of a pin takes them.
    listed: Queue<Weak<dyn Waiter>>,
    /// The pools of this list that have ended since it was cleaned.
    ended: AtomicUsize,
    /// The oldest stamp noted for these pools since the last look, or [`NO_WAIT`]. An entry that no end of a pin has to look for may be
    /// older.
    first_wait: AtomicU64,
    pub(super) mode: Threads,
}

/// A pool in which objects wait for pins to end: `Depot`, in `recycle.rs`.
pub(super) trait Waiter: Send + Sync {
    /// Finishes the objects whose pins have ended. If others wait, adds the pool to the list again.
    fn drain_passed(&self);
}

/// With fewer pools that have ended, the list is not cleaned.
const FEW_ENDED: usize = if cfg!(acedia_loom) { 1 } else { 16 };

/// No stamp.
const NO_WAIT: u64 = u64::MAX;

#[allow(clippy::new_without_default, reason = "only `domain!` makes one")]
impl Pins {
    const_fn! {
        /// For [`domain!`](crate::domain!).
        #[must_use]
        pub const fn new() -> Self {
            Self {
                head: AtomicPtr::new(ptr::null_mut()),
                epoch: AtomicU64::new(2),
                listed: Queue::new(),
                ended: AtomicUsize::new(0),
                first_wait: AtomicU64::new(NO_WAIT),
                mode: Threads::none(),
            }
        }
    }

    /// Determines, before the first object is freed and the first pin, which fences this system has.
    pub(super) fn prepare(&self) {
        self.mode.prepare();
    }

    /// Begins a pin of this thread, which has that flag. `place` is known with debug assertions.
    #[inline]
    pub(super) fn begin(&self, flag: &Flag, place: Option<&'static Location<'static>>) {
        // Relaxed: another thread may raise the epoch at this moment (`stamp`). With the old one, its slots wait for this pin, perhaps
        // for nothing. With the new one, this thread's fence comes after that thread's, and the lives have ended for it.
        let up = self.epoch.load(Ordering::Relaxed) | 1;
        // Release pairs with `oldest` (Acquire): the thread's reads under an older pin happen before, if a scan finds this value instead of
        // the 0 between the two.
        flag.value.store(up, Ordering::Release);
        if cfg!(debug_assertions) {
            flag.holder.note(up, place);
        }
        // Pairs with the fence before `oldest`. If this fence comes first, the scan sees the flag, and the slots wait. If that one comes
        // first, this thread sees that the lives have ended.
        fence(Ordering::SeqCst);
        // Threads that free ask the mode first, and scan no flags while it names no other thread. So it includes this thread before the
        // thread reads.
        if !self.mode.includes(threads::id()) {
            self.mode.include(threads::id());
        }
    }

    /// Whether a thread holds a pin under which it may have seen a life that ended before this call: a fence and a scan.
    #[inline]
    pub(super) fn may_read(&self) -> bool {
        fence_before_look();
        self.oldest() != u64::MAX
    }

    /// All flags.
    #[inline]
    fn all(&self) -> impl Iterator<Item = &'static Flag> + use<> {
        // Acquire pairs with `claim_flag` (Release). The Relaxed loads below are of words that the exchange published.
        let mut next = self.head.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: flags are never freed.
            let flag: &'static Flag = unsafe { NonNull::new(next)?.as_ref() };
            next = flag.next.load(Ordering::Relaxed);
            Some(flag)
        })
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(super) fn count(&self) -> usize {
        self.all().count()
    }

    /// A flag that no thread uses.
    #[cold]
    pub(super) fn claim_flag(&self) -> &'static Flag {
        // One of a thread that has ended, if there is one.
        for flag in self.all() {
            // Acquire pairs with `give_back` (Release): the flag is down. Of two threads that look for a flag, one finds `false`.
            if !flag.in_use.swap(true, Ordering::Acquire) {
                return flag;
            }
        }
        // Else a new one, at the head of the list.
        let at = Box::into_raw(Box::new(Flag {
            value: AtomicU64::new(0),
            in_use: AtomicBool::new(true),
            next: AtomicPtr::new(ptr::null_mut()),
            holder: Holder::default(),
        }));
        // SAFETY: made above; flags are never freed.
        let fresh: &'static Flag = unsafe { &*at };
        // Relaxed: the exchange below decides, and fails if another thread has added a flag since.
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            // Relaxed: no other thread reaches the flag before the exchange.
            fresh.next.store(head, Ordering::Relaxed);
            // Release pairs with the Acquire loads of `head`, also for the flags further down the list: the exchanges are
            // one release sequence. The pin that follows fences, so a scan that must see the flag sees the list that
            // contains it.
            match self
                .head
                .compare_exchange(head, at, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) => return fresh,
                Err(now) => head = now,
            }
        }
    }

    /// The epoch word of the oldest pin, or `u64::MAX` if no thread is pinned.
    ///
    /// The caller has fenced (`SeqCst`) after the ends of the lives in question, or another thread has, before it pushed the slots
    /// that the caller has popped since.
    #[inline]
    pub(super) fn oldest(&self) -> u64 {
        let mut oldest = u64::MAX;
        for flag in self.all() {
            // Acquire pairs with `begin` and `end` (Release): what the thread read under the pin that has ended happens before the reuse.
            // A flag that this load finds down, but that is up, belongs to a pin whose fence comes after the caller's.
            let value = flag.value.load(Ordering::Acquire);
            if value != 0 {
                oldest = oldest.min(value);
            }
        }
        oldest
    }

    /// Starts a wait: every later pin is newer than the stamp. The caller has fenced (`SeqCst`) since the lives ended.
    pub(super) fn stamp(&self) -> Stamp {
        // Relaxed: the caller's fence comes before the load. A pin that reads a later epoch has its own fence after that
        // load, and so sees that the lives have ended.
        let stamp = self.epoch.load(Ordering::Relaxed);
        // On failure another wait has advanced the epoch, which is equivalent.
        let _ = self
            .epoch
            .compare_exchange(stamp, stamp + 2, Ordering::Relaxed, Ordering::Relaxed);
        Stamp(stamp)
    }

    /// For [`Domain::pinned_threads`](crate::pool::Domain::pinned_threads), and for classes.
    pub(crate) fn pinned_threads(&self) -> impl Iterator<Item = PinnedThread> {
        // With a new stamp, later pins have other values.
        self.stamp();
        for flag in self.all() {
            // Relaxed: for users only.
            let value = flag.value.load(Ordering::Relaxed);
            if value != 0 {
                flag.holder.note(value, None);
            }
        }
        self.all()
            .filter(|flag| flag.value.load(Ordering::Relaxed) != 0)
            .filter_map(|flag| flag.holder.pinned())
    }

    /// Adds a pool to the list.
    pub(super) fn add_waiter(&self, waiter: Weak<dyn Waiter>) {
        self.listed.push(waiter);
    }

    /// Records that an object of a pool in the list has waited since that stamp.
    pub(super) fn note_wait(&self, since: Stamp) {
        // Each end of a pin loads this word (`is_wait_over`). Release pairs with the exchange in `finish_waiting` (Acquire): a thread
        // that takes the stamp sees the pool in the list. So this writes also if an older stamp is there: else a thread that takes that
        // one might not see the pool.
        self.first_wait.fetch_min(since.0, Ordering::Release);
    }

    /// Lets the pools of the list finish the objects whose pins have ended.
    pub(super) fn finish_waiting(&self) {
        // The stamp goes first. If it went after the look, it could be the stamp of an object that the look did not find. Acquire pairs with
        // `note_wait` (Release).
        self.first_wait.swap(NO_WAIT, Ordering::Acquire);
        // Those that are in the list now: a pool whose objects still wait adds itself again (`Depot::drain_listed`).
        for _ in 0..self.listed.len() {
            let Some(waiter) = self.listed.pop() else { break };
            // Without an owner, the pool is ending.
            if let Some(waiter) = waiter.upgrade() {
                // A finalizer may drop the last owner of its pool, so that the pool ends here. Its panics are not this thread's.
                contain(move || waiter.drain_passed());
            }
        }
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(super) fn waiters(&self) -> usize {
        self.listed.len()
    }

    /// Counts a pool of the list that ends. Once such pools are half of the list, they are removed. With `may_finish`, the caller may run
    /// finalizers.
    pub(super) fn note_end(&self, may_finish: bool) {
        // Relaxed, both: the count decides only when the list is cleaned. Of two threads that end pools at the same time, both may clean
        // it, or the 0 may drop the count of one pool: then the next cleaning comes one pool later.
        let ended = self.ended.fetch_add(1, Ordering::Relaxed) + 1;
        if ended < FEW_ENDED || 2 * ended < self.listed.len() {
            return;
        }
        self.ended.store(0, Ordering::Relaxed);
        self.forget_ended();
        // Otherwise the next end of a pin does.
        if may_finish && self.is_wait_over() {
            self.finish_waiting();
        }
    }

    /// Removes the pools that have ended from the list.
    fn forget_ended(&self) {
        for _ in 0..self.listed.len() {
            let Some(waiter) = self.listed.pop() else { break };
            if waiter.strong_count() > 0 {
                self.listed.push(waiter);
            }
        }
        // The end of a pin may have missed the pools that were taken out.
        self.note_wait(Stamp::FIRST);
    }

    /// Whether the pins that the first finalizer waits for have ended, as far as a look without a fence can tell: if another pin ends or an object
    /// begins to wait at the same moment, objects may be missed. The next end of a pin, a slow allocation or a collection finds them.
    #[inline]
    pub(super) fn is_wait_over(&self) -> bool {
        // Relaxed: one load for each end of a pin. If `note_wait` writes the word at this moment, this may miss it: see above.
        self.first_wait.load(Ordering::Relaxed) != NO_WAIT && self.has_first_wait_passed()
    }

    #[cold]
    fn has_first_wait_passed(&self) -> bool {
        // At the end of a pin, this thread has stored 0 in its flag. The fence pairs with itself: of two pins that end at the same time,
        // the one whose fence comes second sees the 0 of the other, and finishes the objects.
        fence(Ordering::SeqCst);
        let first = self.first_wait.load(Ordering::Relaxed);
        first != NO_WAIT && Stamp(first).has_passed(self.oldest())
    }
}

impl Flag {
    /// Ends the pin.
    #[inline]
    pub(super) fn end(&self) {
        // Release pairs with `oldest` (Acquire): the reads under the pin happen before the reuse of the slots read. A scan that comes
        // before this store leaves its slots waiting: the end of this pin looks for them, or a later allocation does.
        self.value.store(0, Ordering::Release);
    }

    /// Makes the flag, which is down, available to another thread.
    pub(super) fn give_back(&self) {
        // Release pairs with the swap in `claim_flag` (Acquire): the next thread finds the flag down. A thread that looks before this
        // store adds a flag of its own.
        self.in_use.store(false, Ordering::Release);
    }
}

impl fmt::Debug for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flag").finish_non_exhaustive()
    }
}

impl fmt::Debug for Pins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pins").finish_non_exhaustive()
    }
}

/// The fence between the ends of lives and [`Pins::oldest`] or [`Pins::stamp`].
#[inline]
pub(super) fn fence_before_look() {
    // Pairs with the fence in `begin` and with `Guards::enter` / `Life::confirm`. If this fence comes second, the look finds the flag or
    // the guard. If it comes first, the reader finds that the life has ended.
    fence(Ordering::SeqCst);
}

/// The value of a domain's epoch at which slots started to wait for pins ([`Pins::stamp`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stamp(u64);

impl Stamp {
    /// No wait has an older one.
    pub(super) const FIRST: Self = Self(0);

    /// The stamp as a number, for a word.
    pub(super) fn number(self) -> u64 {
        self.0
    }

    pub(super) fn of(number: u64) -> Self {
        Self(number)
    }

    /// Whether every pin is newer than the stamp, given one scan ([`Pins::oldest`]) made after the stamp.
    #[inline]
    pub(super) fn has_passed(self, oldest: u64) -> bool {
        oldest > self.0 | 1
    }
}

#[cfg(acedia_loom)]
impl Drop for Pins {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // Each execution of a model has its own list.
        // SAFETY: the execution's other threads have ended.
        let mut next = unsafe { self.head.inner().unsync_load() };
        while !next.is_null() {
            // SAFETY: leaked by `claim_flag`; the execution's threads have ended.
            let flag = unsafe { Box::from_raw(next) };
            // SAFETY: as above.
            next = unsafe { flag.next.inner().unsync_load() };
        }
    }
}

/// One thread's record in one domain of readers.
#[derive(Debug)]
pub struct Participant {
    /// The number of living pins of this thread. 64 bits on every target, so that leaking pins one by one never wraps
    /// it to 0.
    pub(super) depth: Cell<u64>,
    pub(super) flag: Cell<Option<&'static Flag>>,
    /// The thread's identity while it holds no pin, otherwise [`NOT_SOLO`]: one comparison in the hot path.
    pub(super) solo: Cell<u64>,
    /// Whether this thread is finishing objects that waited for pins.
    pub(super) finishing: Cell<bool>,
    /// Releases the flag in the domain in which this thread pinned before, at the end of the thread.
    pub(super) release_next: Cell<Option<fn()>>,
}

/// The value of [`Participant::solo`] while the thread must look for readers before it frees. No mode has this value.
pub(super) const NOT_SOLO: u64 = u64::MAX;

#[allow(clippy::new_without_default, reason = "only `domain!` makes one")]
impl Participant {
    const_fn! {
        /// For the thread-local that [`domain!`](crate::domain!) declares.
        #[must_use]
        pub const fn new() -> Self {
            Self {
                depth: Cell::new(0),
                flag: Cell::new(None),
                solo: Cell::new(NOT_SOLO),
                finishing: Cell::new(false),
                release_next: Cell::new(None),
            }
        }
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
