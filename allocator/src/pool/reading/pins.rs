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
//! The fence of a pin is always needed, because other threads may free. That of the freeing side is not while no other thread has
//! ever read: [`Threads`] says so.
//!
//! ```text
//!          first reader            another thread
//!   NONE ───────────────► a thread ──────────────► CHANGING ──► MANY
//! ```
//!
//! A domain has such a word for its pins (its *mode*), a pool has one for its guards (its *census*). While at most one thread reads,
//! that thread knows whether it is reading, and its frees need no fence. The word never falls: a thread that has read once may read
//! again.
//!
//! A thread that changes the word executes a fence on every running thread (`membarrier`) before it reads. A thread that
//! decided by the old value has the end of the life in memory by then, and every later decision sees the new value. Other
//! threads trust `MANY` without a fence of their own, so it is stored after the fence. Until then the word is `CHANGING`:
//! no thread frees without a look, and none reads. Where there is no such fence, the word is `MANY` from the start.

use std::fmt;
use std::panic::Location;
use std::ptr::{self, NonNull};

use crate::hint::likely;
use crate::pool::reading::barrier;
use crate::pool::reading::domain::Readers;
use crate::pool::reading::participant;
use crate::report::pinned_thread::{Holder, PinnedThread};
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Mutex, Ordering, const_fn, fence};

/// A flag on its own cache line (two lines, because of the adjacent-line prefetcher).
#[repr(align(128))]
pub(in crate::pool) struct Flag {
    /// 0, or the epoch at which the thread pinned, with bit 0 set.
    value: AtomicU64,
    in_use: AtomicBool,
    next: AtomicPtr<Flag>,
    pub(in crate::pool) holder: Holder,
}

/// The record of one domain, shared by all threads: its flags, its epoch, and which threads have pinned.
pub struct Pins {
    /// Pins are added and reused, never removed. There are as many as threads ever read at the same time.
    head: AtomicPtr<Flag>,
    /// Even. Advances whenever freed slots start to wait for pins.
    epoch: AtomicU64,
    /// The stamp of the object that has waited longest for pins, in any pool of the domain; [`NO_WAIT`] or [`FENCED`] if
    /// there is none.
    first_wait: AtomicU64,
    mode: Threads,
    /// Serialises changes of the mode.
    rising: Mutex<()>,
}

/// No stamp. A pin that ends need not fence before it looks for one, because [`fence_ends_of_pins`] does it.
const NO_WAIT: u64 = u64::MAX;

/// No stamp, on systems without the asymmetric fence: a pin that ends fences and looks again.
const FENCED: u64 = u64::MAX - 1;

#[allow(clippy::new_without_default, reason = "only `domain!` makes one")]
impl Pins {
    const_fn! {
        /// For [`domain!`](crate::domain!).
        #[must_use]
        pub const fn new() -> Self {
            Self {
                head: AtomicPtr::new(ptr::null_mut()),
                epoch: AtomicU64::new(2),
                first_wait: AtomicU64::new(FENCED),
                mode: Threads::none(),
                rising: Mutex::new(()),
            }
        }
    }

    /// Determines, before the first object is freed and the first pin, which fences this system has.
    pub(in crate::pool) fn prepare(&self) {
        self.mode.prepare();
        if barrier::is_available() {
            // A pin that ends need not fence. Relaxed: as in `note_first_wait`. On failure an object waits already.
            let _ = self
                .first_wait
                .compare_exchange(FENCED, NO_WAIT, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Begins a pin of this thread, which has that flag. `place` is known with debug assertions.
    #[inline]
    pub(in crate::pool) fn begin(&self, flag: &Flag, place: Option<&'static Location<'static>>) {
        // Relaxed: with an old epoch, other threads only wait slightly longer for this pin.
        let up = self.epoch.load(Ordering::Relaxed) | 1;
        // Release pairs with `oldest` (Acquire): the thread's reads under an older pin happen before.
        flag.value.store(up, Ordering::Release);
        if cfg!(debug_assertions) {
            flag.holder.note(up, place);
        }
        // Pairs with the fence before `oldest`: see the documentation of this module.
        fence(Ordering::SeqCst);
        // Before this thread reads, the mode includes it.
        if !self.mode.includes(participant::id()) {
            self.announce();
        }
    }

    #[cold]
    fn announce(&self) {
        let _rising = self.rising.lock();
        let id = participant::id();
        if self.mode.includes(id) {
            return;
        }
        self.mode.raise(id, |_| ());
    }

    /// Whether a thread holds a pin under which it may have seen a life that ended before this call: a fence and a scan.
    #[inline]
    pub(in crate::pool) fn may_read(&self) -> bool {
        fence_before_look();
        self.oldest() != u64::MAX
    }

    /// All flags.
    #[inline]
    fn all(&self) -> impl Iterator<Item = &'static Flag> + use<> {
        let mut next = self.head.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: flags are never freed.
            let flag: &'static Flag = unsafe { NonNull::new(next)?.as_ref() };
            next = flag.next.load(Ordering::Relaxed);
            Some(flag)
        })
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn count(&self) -> usize {
        self.all().count()
    }

    /// A flag that no thread uses.
    #[cold]
    pub(in crate::pool) fn claim_flag(&self) -> &'static Flag {
        // One of a thread that has ended, if there is one.
        for flag in self.all() {
            // Acquire pairs with `give_back` (Release).
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
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
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
    /// The caller has fenced (`SeqCst`) after the ends of the lives in question, or another thread has, under a lock that the caller took
    /// since.
    #[inline]
    pub(in crate::pool) fn oldest(&self) -> u64 {
        let mut oldest = u64::MAX;
        for flag in self.all() {
            // Acquire pairs with `begin` and `end` (Release).
            let value = flag.value.load(Ordering::Acquire);
            if value != 0 {
                oldest = oldest.min(value);
            }
        }
        oldest
    }

    /// Starts a wait: every later pin is newer than the stamp. The caller has fenced (`SeqCst`) since the lives ended.
    pub(in crate::pool) fn stamp(&self) -> Epoch {
        // Relaxed: the caller's fence comes before the load. A pin that reads a later epoch has its own fence after that
        // load, and so sees that the lives have ended.
        let stamp = self.epoch.load(Ordering::Relaxed);
        // On failure another wait has advanced the epoch, which is equivalent.
        let _ = self
            .epoch
            .compare_exchange(stamp, stamp + 2, Ordering::Relaxed, Ordering::Relaxed);
        Epoch(stamp)
    }

    /// The stamp that a wait would get now.
    pub(in crate::pool) fn now(&self) -> Epoch {
        // Relaxed: it only limits the work of one thread.
        Epoch(self.epoch.load(Ordering::Relaxed))
    }

    /// Records the pins that exist now, for [`pinned_threads`](Self::pinned_threads). The caller has a new stamp, so later
    /// pins have other values.
    pub(in crate::pool) fn note_pins(&self) {
        for flag in self.all() {
            // Relaxed: for users only.
            let value = flag.value.load(Ordering::Relaxed);
            if value != 0 {
                flag.holder.note(value, None);
            }
        }
    }

    /// For [`Domain::pinned_threads`](crate::pool::Domain::pinned_threads), and for classes.
    pub(crate) fn pinned_threads(&self) -> impl Iterator<Item = PinnedThread> {
        self.stamp();
        self.note_pins();
        self.all()
            .filter(|flag| flag.value.load(Ordering::Relaxed) != 0)
            .filter_map(|flag| flag.holder.pinned())
    }

    /// The pin that is held longest.
    pub(crate) fn oldest_pin(&self) -> Option<PinnedThread> {
        self.pinned_threads().min_by_key(PinnedThread::since)
    }

    /// A number that no other domain has.
    pub(in crate::pool) fn address(&self) -> usize {
        ptr::from_ref(self).addr()
    }

    /// Publishes the stamp of the object that has waited longest, for pins that end.
    pub(in crate::pool) fn note_first_wait(&self, first: Option<Epoch>) {
        let none = if barrier::is_available() { NO_WAIT } else { FENCED };
        // Relaxed: after a miss, the next thread that unpins, frees or collects finishes the object. Callers who can't wait
        // for that use `fence_ends_of_pins`.
        self.first_wait
            .store(first.map_or(none, |stamp| stamp.0), Ordering::Relaxed);
    }

    /// Whether the pins that the first finalizer waits for have ended, as far as a check without a lock can tell.
    #[inline]
    pub(in crate::pool) fn is_wait_over(&self) -> bool {
        // The flag went down before this load in program order: the light side of `fence_ends_of_pins`.
        barrier::here();
        // Relaxed: as above.
        self.first_wait.load(Ordering::Relaxed) != NO_WAIT && self.has_first_wait_passed()
    }

    #[cold]
    fn has_first_wait_passed(&self) -> bool {
        // Pairs with itself: of two pins that end at the same time, one sees that the other has ended. Without the
        // asymmetric fence, also with the one in `fence_ends_of_pins`.
        fence(Ordering::SeqCst);
        // Relaxed: as above.
        let first = self.first_wait.load(Ordering::Relaxed);
        first < FENCED && Epoch(first).has_passed(self.oldest())
    }
}

impl Flag {
    /// Ends the pin.
    #[inline]
    pub(in crate::pool) fn end(&self) {
        // Release pairs with `oldest` (Acquire): the reads under the pin happen before the reuse of the slots read.
        self.value.store(0, Ordering::Release);
    }

    /// Makes the flag, which is down, available to another thread.
    pub(in crate::pool) fn give_back(&self) {
        // Release pairs with the swap in `claim_flag` (Acquire).
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

/// Whether this thread may reuse at once an object that it frees, as far as pins decide: no other thread can be reading, and this one
/// is not reading either.
#[inline]
pub(in crate::pool) fn is_solo<D: Readers>() -> bool {
    // The life ended before the load in program order. This is the light side of the fence in `Threads::raise`.
    barrier::here();
    D::pins().mode.is_none_but(|| D::with(|thread| thread.solo.get()))
}

/// The fence between the ends of lives and [`Pins::oldest`] or [`Pins::stamp`].
#[inline]
pub(in crate::pool) fn fence_before_look() {
    // Pairs with the fence in `begin` and with `Guards::enter` / `Life::confirm`.
    fence(Ordering::SeqCst);
}

/// The heavy side of a fence between the list of waiting pools and the ends of pins. Either a pin that ends finds a pool that
/// the caller knows to be in the list; or the caller, which looks after this, sees that the pin has ended.
#[cold]
pub(in crate::pool) fn fence_ends_of_pins() {
    // For systems without the asymmetric fence: pairs with the fence in `has_first_wait_passed`.
    fence(Ordering::SeqCst);
    barrier::everywhere();
}

/// The epoch at which slots started to wait for pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::pool) struct Epoch(u64);

impl Epoch {
    /// No wait has an older one.
    pub(in crate::pool) const FIRST: Self = Self(0);

    /// Whether every pin is newer than the stamp, given one scan ([`Pins::oldest`]) made after the stamp.
    #[inline]
    pub(in crate::pool) fn has_passed(self, oldest: u64) -> bool {
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

/// The threads that read: see the [module](self). A value from [`FIRST_ID`] on is the identity of the only one.
#[derive(Debug)]
pub(in crate::pool) struct Threads(AtomicU64);

const NONE: u64 = 1;
const MANY: u64 = 2;
const CHANGING: u64 = 3;
/// The lowest identity of a thread.
pub(in crate::pool) const FIRST_ID: u64 = 4;

impl Threads {
    const_fn! {
        /// None so far. [`prepare`](Self::prepare) must follow.
        pub(in crate::pool) const fn none() -> Self {
            Self(AtomicU64::new(NONE))
        }
    }

    /// Before the first decision and the first reader: on a system that cannot tell one thread from several, the word is `MANY`.
    pub(in crate::pool) fn prepare(&self) {
        if !barrier::is_available() {
            // Relaxed: no other value is stored on such a system.
            self.0.store(MANY, Ordering::Relaxed);
        }
    }

    /// Whether no thread reads so far.
    #[inline]
    pub(in crate::pool) fn is_none(&self) -> bool {
        // Relaxed: a thread that reads later sees everything that this thread did before this load.
        self.0.load(Ordering::Relaxed) == NONE
    }

    /// Whether the thread with that identity reads, and no other thread does.
    #[inline]
    pub(in crate::pool) fn is_only(&self, id: u64) -> bool {
        // Relaxed: this thread stored the value itself. A thread that changes it later fences all threads.
        self.0.load(Ordering::Relaxed) == id
    }

    /// Whether no thread reads but the one that `own` names.
    #[inline]
    pub(in crate::pool) fn is_none_but(&self, own: impl FnOnce() -> u64) -> bool {
        // Relaxed: `NONE` is the first value, and this thread stored its own identity. A thread that changes the word fences all
        // threads.
        let now = self.0.load(Ordering::Relaxed);
        likely(now == NONE) || now == own()
    }

    /// Whether the thread with that identity is included, so that it may read.
    #[inline]
    pub(in crate::pool) fn includes(&self, id: u64) -> bool {
        let now = self.0.load(trusting());
        now == MANY || now == id
    }

    /// Includes the thread with that identity, which is not yet. Each change is also passed to `copy`. The caller holds the
    /// lock under which the word changes.
    pub(in crate::pool) fn raise(&self, id: u64, copy: impl Fn(u64)) {
        let set = |value| {
            copy(value);
            self.set(value);
        };
        // Only this thread trusts its own identity, and every thread trusts `MANY`.
        if self.is_none() {
            set(id);
            barrier::everywhere();
        } else {
            set(CHANGING);
            barrier::everywhere();
            set(MANY);
        }
    }

    /// The word, to be copied. The caller holds the lock.
    pub(in crate::pool) fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Changes the word, or a copy of it. The caller holds the lock.
    pub(in crate::pool) fn set(&self, value: u64) {
        // Release pairs with `trusting` (Acquire).
        self.0.store(value, Ordering::Release);
    }
}

/// For the load of a thread that relies on `MANY`. Acquire pairs with [`Threads::set`] (Release): the fence on all threads came
/// before that store.
#[inline]
fn trusting() -> Ordering {
    Ordering::Acquire
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;

#[cfg(all(test, acedia_loom))]
mod models;
