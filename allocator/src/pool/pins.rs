//! [`Pinned`]: a thread's announcement that it reads. [`Pins`]: the record of a domain's readers, which a thread that frees scans.
//!
//! Each reading thread has one flag in the domain's list: 0, or the epoch at which the thread pinned. A pin raises the flag and
//! fences. From then on the thread reads lives with plain loads. A freeing thread ends the life first, fences, and then scans every
//! flag. If the pin's fence came first, the scan sees the flag. If the fence of the freeing thread came first, the reader sees that
//! the life has ended.
//!
//! ```text
//! reader:  flag = epoch|1; FENCE; life == mine? → read …; flag = 0
//! freeing: life = ended;   FENCE; every flag 0? → reuse
//!                                 else: stamp = epoch; epoch += 2; wait until every flag is 0 or above stamp|1
//! ```
//!
//! The fence of a pin is always needed, because other threads may free. The freeing side needs no fence while no other thread has ever read:
//! see [`Threads`].
//!
//! A [`Domain`] is a set of pins. [`Readers`] determines how the objects of a pool are read by handle.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::ptr::{self, NonNull};
use std::sync::Weak;

use crate::hint::likely;
use crate::panics::contain;
use crate::pool::threads;
use crate::report::pinned_thread::{Holder, PinnedThread};
use crate::sync::plain::AtomicUsize;
use crate::sync::{
    AtomicBool, AtomicPtr, AtomicU64, Mutex, Ordering, Queue, const_fn, fence, process_static, thread_static,
};

/// Marks a thread as reading: objects of the domain `D` are neither finalized nor reused before the pin is dropped.
///
/// Made by [`pin`], or by [`Domain::pin`] in another domain. One pin serves any number of reads of any pool of its domain.
/// It stays on its thread; for a reference that crosses threads or an `await`, take a [`Guard`](crate::pool::Guard).
///
/// Hold a pin for a burst of reads, not for the life of a program: objects that are freed meanwhile are not reused (unless
/// no handle of them was made), and every pool of the domain makes new ones. A finalizer that waits for pins runs on the
/// thread that drops the last of them. If another pin ends or an object is freed at the same moment, the thread may miss objects
/// that wait. Their finalizers then run later: at the end of another pin of the domain, in
/// [`Pool::settle`](crate::pool::Pool::settle) or a collection, or in an allocation that finds no free object at hand.
///
/// ```
/// use acedia::{Pool, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let owner = pool.allocate_with(|n| *n = 7);
/// let handle = owner.handle();
/// let pinned = pin();
/// let seen = pool.get(handle, &pinned).unwrap();
/// drop(owner);
/// assert_eq!(*seen, 7, "a reference stays valid under its pin");
/// assert!(pool.get(handle, &pinned).is_none(), "a later look-up finds nothing");
/// ```
#[must_use = "reads are allowed only while the pin lives"]
pub struct Pinned<D: Readers = Global> {
    /// A pin belongs to the thread that made it.
    not_send: PhantomData<*mut D>,
}

/// Pins this thread: until the [`Pinned`] is dropped, no object that the thread reads is finalized, reused or dropped, even if another thread
/// frees it. One pin protects any number of reads, of any class and pool of the domain.
///
/// ```
/// use acedia::{Pool, pin};
///
/// let pool: Pool<String> = Pool::new();
/// let owners = ["one", "two"].map(|word| pool.allocate_with(|text| text.push_str(word)));
/// let handles = owners.each_ref().map(|owner| owner.handle());
/// let pinned = pin();
/// let words: Vec<&String> = handles.iter().filter_map(|&handle| pool.get(handle, &pinned)).collect();
/// drop(owners); // the objects are freed; the references stay valid until the pin ends
/// assert_eq!(words, ["one", "two"]);
/// assert!(pool.get(handles[0], &pinned).is_none());
/// ```
///
/// Take one pin around a loop, not one for each read, and keep it short: the memory of objects that are freed meanwhile is not reused before
/// the pin ends. Cheap if the thread is already pinned; otherwise it costs one fence.
///
/// On Linux and Windows, the first pin in a domain, and the first pin of a second thread there, also interrupt every
/// running thread of the process briefly. In return, a thread frees without a fence while no other thread has pinned.
///
/// Works at any time, even in destructors of thread-locals, and for any number of threads.
#[inline]
#[track_caller]
pub fn pin() -> Pinned {
    Pinned::new()
}

impl<D: Readers> Pinned<D> {
    #[inline]
    #[track_caller]
    pub(super) fn new() -> Self {
        // A call, because `Location::caller` passed by name does not return the location of this function's
        // caller.
        let place = if cfg!(debug_assertions) {
            Some(Location::caller())
        } else {
            None
        };
        D::with(|thread| {
            let depth = thread.depth.get();
            if depth == 0 {
                thread.announce::<D>(place);
            }
            // Cannot overflow: leaking 2^64 pins one by one is not feasible.
            thread.depth.set(depth + 1);
        });
        Self { not_send: PhantomData }
    }
}

impl<D: Readers> Drop for Pinned<D> {
    #[inline]
    fn drop(&mut self) {
        D::with(|thread| {
            // The depth falls first: finalizers that `withdraw` runs may pin, and then begin a new pin.
            let depth = thread.depth.get() - 1;
            thread.depth.set(depth);
            if depth == 0 {
                thread.withdraw::<D>();
            }
        });
    }
}

impl<D: Readers> fmt::Debug for Pinned<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pinned")
    }
}

/// One thread's record in one domain of readers.
#[derive(Debug)]
pub struct Participant {
    /// The number of living pins of this thread. 64 bits on every target, so that leaking pins one by one never wraps
    /// it to 0.
    depth: Cell<u64>,
    flag: Cell<Option<&'static Flag>>,
    /// [`PINNED`] during a pin and before the first one, otherwise the thread's identity: one comparison in the hot path.
    unpinned_id: Cell<u64>,
    /// Whether this thread is finishing objects that waited for pins.
    finishing: Cell<bool>,
    /// The exit hook that was set before this domain's: it releases this thread's flag in another domain.
    release_next: Cell<Option<fn()>>,
}

/// The value of [`Participant::unpinned_id`] while the thread must look for readers before it frees. No mode has this value.
const PINNED: u64 = u64::MAX;

#[allow(clippy::new_without_default, reason = "only `domain!` makes one")]
impl Participant {
    const_fn! {
        /// For the thread-local that [`domain!`](crate::domain!) declares.
        #[must_use]
        pub const fn new() -> Self {
            Self {
                depth: Cell::new(0),
                flag: Cell::new(None),
                unpinned_id: Cell::new(PINNED),
                finishing: Cell::new(false),
                release_next: Cell::new(None),
            }
        }
    }

    #[inline]
    fn announce<D: Readers>(&self, place: Option<&'static Location<'static>>) {
        let flag = match self.flag.get() {
            Some(flag) => flag,
            None => self.register::<D>(),
        };
        // This thread's frees check it: under the thread's own pin, they may not reuse an object at once.
        self.unpinned_id.set(PINNED);
        D::pins().begin(flag, place);
    }

    #[inline]
    fn withdraw<D: Readers>(&self) {
        // The flag falls first: the look below, and those of other threads, may then find that no pin holds the waiting
        // objects any more.
        if let Some(flag) = self.flag.get() {
            flag.end();
        }
        // From here on, this thread's frees need not look for pins, unless the mode names another thread.
        self.unpinned_id.set(threads::id());
        // After the exit hook has run, nothing else releases the flag.
        if threads::is_gone() {
            self.release();
        }
        if D::pins().is_wait_over() {
            self.finish_generations(D::pins());
        }
    }

    /// Finishes objects that waited for pins that have ended, in every pool of the domain. This thread has ended its outermost pin.
    #[cold]
    #[inline(never)]
    fn finish_generations(&self, pins: &Pins) {
        // A finalizer that pins and unpins must not recurse: the loop finishes the objects that it leaves.
        if self.finishing.replace(true) {
            return;
        }
        for _ in 0..GENERATIONS {
            // Objects that the finalizers of this round free are finished in the next round.
            pins.finish_waiting();
            if !pins.is_wait_over() {
                break;
            }
        }
        self.finishing.set(false);
    }

    /// Gives this thread an identity and a flag in the domain.
    #[cold]
    fn register<D: Readers>(&self) -> &'static Flag {
        let pins = D::pins();
        pins.prepare();
        threads::identify();
        let is_gone = threads::is_gone();
        if !is_gone {
            let before = threads::release_with(release_in::<D>);
            self.release_next.set(before);
        }
        let flag = pins.claim_flag();
        // A thread that is ending may have lost its name.
        let named = (!is_gone).then(std::thread::current);
        flag.holder.set_thread(named);
        self.flag.set(Some(flag));
        flag
    }

    /// Releases the flag of this thread, which is ending, for another thread.
    fn release(&self) {
        // A leaked pin permits reads for the rest of the process: its flag stays up.
        if self.depth.get() == 0 {
            self.flag.take().into_iter().for_each(Flag::give_back);
        }
    }
}

/// The most generations of objects that one unpin finishes: the finalizers of a generation free the next one under a
/// pin. Later generations wait for the next unpin, so that an endless chain does not occupy a thread forever.
pub(super) const GENERATIONS: usize = 100;

/// Releases this ending thread's flags in the domain and in the domains in which it pinned earlier.
fn release_in<D: Readers>() {
    let next = D::with(|thread| {
        thread.release();
        thread.release_next.take()
    });
    if let Some(next) = next {
        next();
    }
}

/// Whether this thread may reuse at once an object that it frees, as far as pins decide: no other thread can be reading, and this one
/// is not reading either.
#[inline]
pub(super) fn is_unpinned<D: Readers>() -> bool {
    // A compiler fence without an instruction: it keeps the load of the mode after the end of the life. This is the light side of the
    // asymmetric fence in `Threads::include`. If the load finds the mode from before another thread's first pin, that thread's fence comes
    // after the end of the life, and it finds the life ended. If it finds the new mode, the caller looks at the flags.
    threads::here();
    D::pins()
        .mode
        .is_none_but(|| D::with(|thread| thread.unpinned_id.get()))
}

/// A flag on its own cache line (two lines, because of the adjacent-line prefetcher).
#[repr(align(128))]
pub(super) struct Flag {
    /// 0, or the epoch at which the thread pinned, with bit 0 set. Written by the thread that has the flag (`begin`, `end`), and read by every
    /// thread that looks for pins (`oldest`).
    value: AtomicU64,
    in_use: AtomicBool,
    next: AtomicPtr<Flag>,
    holder: Holder,
}

/// The record of one domain, shared by all threads: its flags, its epoch, and which threads have pinned.
pub struct Pins {
    /// Flags are added and reused, never removed. A thread has a flag from its first pin in the domain to its
    /// end.
    head: AtomicPtr<Flag>,
    /// Always even. `stamp` advances it when freed slots begin to wait for pins, and for each list of the pinned threads. A pin reads it
    /// at its beginning (`begin`).
    epoch: AtomicU64,
    /// The pools with objects that wait singly or under an exact limit, each pool at most once. The end of a pin takes
    /// them out.
    listed: Queue<Weak<dyn Waiter>>,
    /// The number of pools in `listed` that have ended since it was last cleaned.
    ended: AtomicUsize,
    /// The oldest stamp noted for these pools since the last look, or [`NO_WAIT`]. Magazines of slots may have waited longer: they are
    /// not noted.
    first_wait: AtomicU64,
    mode: Threads,
}

/// A pool in which objects wait for pins to end: `Depot`, in `recycle.rs`.
pub(super) trait Waiter: Send + Sync {
    /// Finishes the objects whose pins have ended. If others still wait, adds the pool to the list again.
    fn drain_passed(&self);
}

/// The list is not cleaned before this many of its pools have ended.
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

    /// Determines which fences this system has. Called before the first pin and before the first free.
    pub(super) fn prepare(&self) {
        self.mode.prepare();
    }

    /// Begins a pin of this thread, which has that flag. `place` is known only with debug assertions.
    #[inline]
    pub(super) fn begin(&self, flag: &Flag, place: Option<&'static Location<'static>>) {
        // Relaxed: another thread may raise the epoch at this moment (`stamp`). With the old epoch, that thread's slots wait for this
        // pin, perhaps needlessly. With the new one, this thread's fence comes after that thread's, so that this thread finds the
        // lives ended.
        let up = self.epoch.load(Ordering::Relaxed) | 1;
        // Release pairs with `oldest` (Acquire): a scan that finds this value and missed the 0 after an older pin still synchronises with
        // the reads under that pin.
        flag.value.store(up, Ordering::Release);
        if cfg!(debug_assertions) {
            flag.holder.note(up, place);
        }
        // Pairs with `fence_before_look`: see there.
        fence(Ordering::SeqCst);
        // Threads that free load the mode first, and scan no flags while it names no other thread. So the mode must include this thread
        // before it reads.
        self.mode.join();
    }

    /// Whether a thread holds a pin under which it may have seen a life that ended before this call: a fence and a scan.
    #[inline]
    pub(super) fn may_read(&self) -> bool {
        fence_before_look();
        self.oldest() != u64::MAX
    }

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
        // First choice: the flag of a thread that has ended.
        for flag in self.all() {
            // Acquire pairs with `give_back` (Release): the flag is down, and the reads of its previous thread happen before the values that
            // this thread stores in it. So a scan that finds such a value and missed the 0 before it still synchronises with those reads. Of
            // two threads that look for a flag, one finds `false`.
            if !flag.in_use.swap(true, Ordering::Acquire) {
                return flag;
            }
        }
        // Otherwise a new flag, at the head of the list.
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
            // Release pairs with the Acquire loads of `head`, even for the flags further down the list: the exchanges are
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
    /// A `SeqCst` fence came after the ends of the lives in question: on the caller's thread, or on another thread that then
    /// pushed the slots, which the caller has popped.
    #[inline]
    pub(super) fn oldest(&self) -> u64 {
        let mut oldest = u64::MAX;
        for flag in self.all() {
            // Acquire pairs with `begin` and `end` (Release): the reads under a pin that has ended happen before the reuse. If this load
            // misses a flag that was raised, the fence of that pin comes after the caller's.
            let value = flag.value.load(Ordering::Acquire);
            if value != 0 {
                oldest = oldest.min(value);
            }
        }
        oldest
    }

    /// Starts a wait: a pin that is newer than the returned stamp sees that the lives have ended. The caller has fenced (`SeqCst`) since
    /// they ended.
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
            // Relaxed: informational.
            let value = flag.value.load(Ordering::Relaxed);
            if value != 0 {
                flag.holder.note(value, None);
            }
        }
        self.all()
            .filter(|flag| flag.value.load(Ordering::Relaxed) != 0)
            .filter_map(|flag| flag.holder.pinned())
    }

    pub(super) fn add_waiter(&self, waiter: Weak<dyn Waiter>) {
        self.listed.push(waiter);
    }

    /// Records that an object of a pool in the list has waited since that stamp.
    pub(super) fn note_wait(&self, since: Stamp) {
        // Each end of a pin loads this word (`is_wait_over`). Release pairs with the exchange in `finish_waiting` (Acquire): a thread
        // that takes the stamp sees the pool in the list. So this writes even if the word holds an older stamp: otherwise a thread that
        // takes the older stamp might not see the pool.
        self.first_wait.fetch_min(since.0, Ordering::Release);
    }

    /// Lets the pools of the list finish the objects whose pins have ended.
    pub(super) fn finish_waiting(&self) {
        // The stamp is taken before the look. Taken later, it could be the stamp of an object that the look did not find. Acquire pairs with
        // `note_wait` (Release).
        self.first_wait.swap(NO_WAIT, Ordering::Acquire);
        // Visits only the pools that are in the list now: a pool whose objects still wait adds itself again
        // (`Depot::drain_listed`).
        for _ in 0..self.listed.len() {
            let Some(waiter) = self.listed.pop() else { break };
            // If this fails, the pool is ending.
            if let Some(waiter) = waiter.upgrade() {
                // A finalizer may drop the last `Arc` of its pool, so that the pool ends here. Its panics must not reach this
                // thread.
                contain(move || waiter.drain_passed());
            }
        }
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(super) fn waiters(&self) -> usize {
        self.listed.len()
    }

    /// Counts a pool of the list that ends. Once such pools are half of the list, they are removed. With `may_finish`, this call may run
    /// finalizers.
    pub(super) fn note_end(&self, may_finish: bool) {
        // Relaxed, both: the count decides only when the list is cleaned. Of two threads that end pools at the same time, both may clean
        // it, or the store of 0 may lose one count: then the next cleaning comes one pool later.
        let ended = self.ended.fetch_add(1, Ordering::Relaxed) + 1;
        if ended < FEW_ENDED || 2 * ended < self.listed.len() {
            return;
        }
        self.ended.store(0, Ordering::Relaxed);
        self.forget_ended();
        // Otherwise the next end of a pin finishes them.
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
        // The end of a pin may have missed the pools while they were taken out.
        self.note_wait(Stamp::FIRST);
    }

    /// Whether the pins that the longest-waiting object waits for have ended. If another pin ends or an object begins to wait at the same
    /// moment, this may miss objects. The next end of a pin, a slow allocation or a collection finds them.
    #[inline]
    pub(super) fn is_wait_over(&self) -> bool {
        // Relaxed: one load for each end of a pin. If `note_wait` writes the word at this moment, this may miss it: see above.
        self.first_wait.load(Ordering::Relaxed) != NO_WAIT && self.has_first_wait_passed()
    }

    #[cold]
    fn has_first_wait_passed(&self) -> bool {
        // At the end of a pin, this thread has stored 0 in its flag. The fence pairs with the same fence on other threads: of two pins
        // that end at the same time, the one whose fence comes second sees the 0 of the other, and finishes the objects.
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
    /// No wait has an older stamp.
    pub(super) const FIRST: Self = Self(0);

    /// The stamp as a number, to be stored in an atomic word.
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

/// Whether no thread, one thread or several threads have ever read: under the pins of a domain (its *mode*), or with the guards of a pool
/// (its *census*). A value from [`FIRST_ID`](threads::FIRST_ID) on is the identity of the only thread that has read.
///
/// ```text
///          first reader            another thread
///   NONE ───────────────► a thread ──────────────► CHANGING ──► MANY
/// ```
///
/// While at most one thread reads, that thread knows whether it is reading, and its frees need no fence. The word never falls, because a
/// thread that has read once may read again at any time.
///
/// A thread that changes the word executes a fence on every running thread (`membarrier`) before it reads. A thread that decided by the old
/// value has the end of the life in memory by then, and every later decision sees the new value. Other threads trust `MANY` without a fence
/// of their own, so it is stored after the fence. Until then the word is `CHANGING`: no thread frees without a look, and none reads. Where
/// there is no such fence, the word is `MANY` from the start.
#[derive(Debug)]
pub(super) struct Threads {
    word: AtomicU64,
    /// Serialises changes of the word.
    rising: Mutex<()>,
}

const NONE: u64 = 1;
const MANY: u64 = 2;
const CHANGING: u64 = 3;
const _: () = assert!(CHANGING < threads::FIRST_ID);

impl Threads {
    const_fn! {
        /// None so far. [`prepare`](Self::prepare) must follow.
        pub(super) const fn none() -> Self {
            Self {
                word: AtomicU64::new(NONE),
                rising: Mutex::new(()),
            }
        }
    }

    /// Before the first decision and the first reader: on a system that cannot tell one thread from several, the word is `MANY`.
    pub(super) fn prepare(&self) {
        if !threads::is_available() {
            // Relaxed: no other value is stored on such a system.
            self.word.store(MANY, Ordering::Relaxed);
        }
    }

    /// Whether no thread has read so far.
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        // Relaxed: if this finds `NONE`, a thread that includes itself later fences all threads before it reads, and so sees everything that
        // this thread did before this load. If that thread included itself earlier, this load finds the change.
        self.word.load(Ordering::Relaxed) == NONE
    }

    /// Whether the thread with that identity is the only one that has read.
    #[inline]
    pub(super) fn is_only(&self, id: u64) -> bool {
        // Relaxed: this thread stored the value itself. A thread that changes it later fences all threads: either this load sees the
        // change, or the changing thread, before it reads, sees the end of the life that came before this load.
        self.word.load(Ordering::Relaxed) == id
    }

    /// Whether no thread has read, except perhaps the one that `own` names.
    #[inline]
    pub(super) fn is_none_but(&self, own: impl FnOnce() -> u64) -> bool {
        // Relaxed: as in `is_none` and `is_only`.
        let now = self.word.load(Ordering::Relaxed);
        likely(now == NONE) || now == own()
    }

    /// Includes this thread, before it reads.
    #[inline]
    pub(super) fn join(&self) {
        if !self.includes(threads::id()) {
            self.include(threads::identify());
        }
    }

    /// Whether the thread with that identity is included, so that it may read.
    #[inline]
    fn includes(&self, id: u64) -> bool {
        // Acquire pairs with the store of `MANY` in `include` (Release): the fence on all threads came before it. A thread that finds an
        // older value goes on to `include`, where the lock orders it.
        let now = self.word.load(Ordering::Acquire);
        now == MANY || now == id
    }

    /// Includes the thread with that identity, so that it may read.
    #[cold]
    fn include(&self, id: u64) {
        let _rising = self.rising.lock();
        if self.includes(id) {
            return;
        }
        // Release pairs with `includes` (Acquire), here and below.
        let set = |value| self.word.store(value, Ordering::Release);
        // Each thread that frees loads the word after it has stored the end of the life (`is_none`, `is_only`, `is_none_but`). If it loads
        // the old value, `everywhere` makes that end visible before this thread reads. If it loads the new one, it looks for readers.
        if self.is_none() {
            // Only this thread trusts its own identity, so the word may have it before the fence.
            set(id);
            threads::everywhere();
        } else {
            // Every thread trusts `MANY`, so it comes after the fence. No thread trusts `CHANGING`: one that wants to read waits for the
            // lock, and the one that the word named looks for readers from now on.
            set(CHANGING);
            threads::everywhere();
            set(MANY);
        }
    }
}

/// A set of pins: the pools of a domain wait for these pins, and for no others.
///
/// [`Global`] is a domain, and [`domain!`](crate::domain!) declares others.
#[diagnostic::on_unimplemented(
    message = "the objects of this pool or class can be read only through guards: use `guard` or `try_guard`"
)]
pub trait Domain: Readers + Sized {
    /// Like [`pin`](crate::pool::pin), but in this domain.
    ///
    /// ```
    /// use acedia::pool::{Domain, Plain};
    /// use acedia::{Pool, domain};
    ///
    /// domain! { Audio }
    ///
    /// static VOICES: Pool<u64, Plain<Audio>> = Pool::with_hooks();
    /// let voice = VOICES.allocate();
    /// assert_eq!(VOICES.get(voice.handle(), &Audio::pin()), Some(&0));
    /// ```
    #[inline]
    #[track_caller]
    fn pin() -> Pinned<Self> {
        Pinned::new()
    }

    /// The threads that hold a pin of this domain now: those that delay finalizers and the reuse of memory.
    /// [`Stats::waiting`](crate::pool::Stats::waiting) tells how many objects of a pool wait.
    ///
    /// ```
    /// use acedia::pool::{Domain, Global};
    /// use acedia::pin;
    ///
    /// let pinned = pin();
    /// let threads = Global::pinned_threads();
    /// assert!(threads.iter().any(|thread| thread.name() == std::thread::current().name()));
    /// for thread in threads {
    ///     println!("{thread}"); // thread 'main', pinned for 0.001 s at src/main.rs:5:14
    /// }
    /// # drop(pinned);
    /// ```
    ///
    /// # Cost
    ///
    /// Visits the record of every thread that has pinned. Threads reuse the records of threads that have ended.
    #[must_use]
    fn pinned_threads() -> Vec<PinnedThread> {
        Self::pins().pinned_threads().collect()
    }
}

#[diagnostic::do_not_recommend]
impl Domain for Global {}

/// Declares a domain of readers: a type with pins of its own.
///
/// Only pools and classes of that domain wait for its pins, and reading them with other pins does not compile. See
/// the chapter "Pins and guards" of the guide (`docs/pins-and-guards.md`) for when to declare one.
///
/// ```
/// use acedia::pool::{Domain, Plain};
/// use acedia::{Pool, domain, pin};
///
/// domain! {
///     /// The thread that mixes sound reads for a long time.
///     pub Audio
/// }
///
/// let voices: Pool<u64, Plain<Audio>> = Pool::with_hooks();
/// let names: Pool<String> = Pool::new();
/// let voice = voices.allocate();
/// let pinned = Audio::pin();
/// assert!(voices.get(voice.handle(), &pinned).is_some());
/// drop(names.allocate()); // not delayed by the pin
/// ```
///
/// ```compile_fail
/// # use acedia::pool::Plain;
/// # use acedia::{Pool, domain, pin};
/// # domain! { pub Audio }
/// let voices: Pool<u64, Plain<Audio>> = Pool::with_hooks();
/// voices.get(voices.allocate().handle(), &pin()); // a pin of the domain `Global`
/// ```
#[macro_export]
macro_rules! domain {
    ($(#[$meta:meta])* $vis:vis $name:ident $(;)?) => {
        $(#[$meta])*
        #[derive(Debug)]
        $vis enum $name {}

        const _: () = {
            static PINS: $crate::__private::Pins = $crate::__private::Pins::new();
            ::std::thread_local! {
                static THREAD: $crate::__private::Participant = const { $crate::__private::Participant::new() };
            }
            // SAFETY: the statics are declared here, so this implementation alone has them.
            unsafe impl $crate::pool::Readers for $name {
                const BY_PIN: bool = true;

                #[inline]
                fn pins() -> &'static $crate::__private::Pins {
                    &PINS
                }

                #[inline]
                fn with<R>(f: impl ::core::ops::FnOnce(&$crate::__private::Participant) -> R) -> R {
                    THREAD.with(f)
                }
            }
            impl $crate::pool::Domain for $name {}
        };
    };
}

/// The way in which other threads read the objects of a pool by handle: under pins of one [`Domain`](crate::pool::Domain), or
/// by guards alone ([`GuardsOnly`]).
///
/// Implemented by [`Global`], by [`GuardsOnly`], and by the domains that [`domain!`](crate::domain!) declares.
///
/// # Safety
///
/// Only [`domain!`](crate::domain!) implements this trait for types of other crates. `pins` always returns the same record,
/// and `with` always passes this thread's record for it. No other type uses these records.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a domain of readers",
    note = "declare it with `domain! {{ {Self} }}`, or use `Global` or `GuardsOnly`"
)]
pub unsafe trait Readers: 'static {
    /// Whether threads may pin.
    #[doc(hidden)]
    const BY_PIN: bool;

    /// The record that all threads share.
    #[doc(hidden)]
    fn pins() -> &'static Pins;

    /// Runs `f` with this thread's record.
    #[doc(hidden)]
    fn with<R>(f: impl FnOnce(&Participant) -> R) -> R;
}

/// The domain of [`pin`](crate::pool::pin), and of every pool and class that names no other.
#[derive(Debug)]
pub struct Global;

/// No domain: objects are read by guards alone.
///
/// A pool whose [`Hooks::Readers`](crate::pool::Hooks::Readers) is `GuardsOnly` has no `get`, `try_get`, `iter` or `reader`.
/// No pin of any domain delays its finalizers: a finalizer runs when the object is freed or its last guard is dropped,
/// on that thread.
///
/// ```
/// use acedia::pool::{GuardsOnly, Plain};
/// use acedia::{Pool, pin};
///
/// let sessions: Pool<String, Plain<GuardsOnly>> = Pool::with_hooks();
/// let owner = sessions.allocate();
/// let handle = owner.handle();
/// let pinned = pin(); // changes nothing for this pool
/// let guard = sessions.guard(handle).unwrap();
/// drop(owner);
/// drop(guard); // the object is free from here on
/// assert_eq!(sessions.stats().waiting, 0);
/// # drop(pinned);
/// ```
///
/// ```compile_fail
/// use acedia::pool::{GuardsOnly, Plain};
/// use acedia::{Pool, pin};
///
/// let sessions: Pool<String, Plain<GuardsOnly>> = Pool::with_hooks();
/// let handle = sessions.allocate().handle();
/// sessions.get(handle, &pin()); // there is no `get`
/// ```
#[derive(Debug)]
pub struct GuardsOnly;

/// Implements [`Readers`] by two statics of the surrounding scope: `PINS`, and the thread-local `THREAD`. Not exported: a program could
/// pass it statics that return another record at each call.
macro_rules! readers {
    ($name:ident, by_pin: $by_pin:expr) => {
        // SAFETY: the statics belong to this implementation alone.
        unsafe impl $crate::pool::Readers for $name {
            const BY_PIN: bool = $by_pin;

            #[inline]
            fn pins() -> &'static $crate::pool::Pins {
                &PINS
            }

            #[inline]
            fn with<R>(f: impl FnOnce(&$crate::pool::Participant) -> R) -> R {
                THREAD.with(f)
            }
        }
    };
}
#[cfg(all(test, acedia_loom))]
use readers;

/// The records of [`Global`].
mod global {
    use super::{Global, Participant, Pins, process_static, thread_static};

    process_static! { static PINS: Pins = Pins::new(); }
    thread_static! { static THREAD: Participant = Participant::new(); }
    readers!(Global, by_pin: true);
}

/// The records of [`GuardsOnly`]: a domain in which no thread ever pins.
mod guards_only {
    use super::{GuardsOnly, Participant, Pins, process_static, thread_static};

    process_static! { static PINS: Pins = Pins::new(); }
    thread_static! { static THREAD: Participant = Participant::new(); }
    readers!(GuardsOnly, by_pin: false);
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod tests;
