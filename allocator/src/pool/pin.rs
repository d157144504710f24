//! Pins: how a thread says "I am reading", and how whoever frees finds out.
//!
//! Each reading thread has one flag in a process-wide list. A pin stores the current epoch there, with bit 0 set, and
//! fences; from then on it reads lives with plain loads. Whoever frees ends the life first, fences, and looks at every
//! flag. Either the pin's fence came first, and the flag is seen; or the other one did, and the reader sees the life
//! ended.
//!
//! ```text
//! reader:  flag = epoch|1; FENCE; life == mine? → read …; flag = 0
//! freeing: life = ended;   FENCE; every flag 0? → reuse
//!                                 else: stamp = epoch; epoch += 2; wait until every flag is 0 or above stamp|1
//! ```
//!
//! # Nobody else reads
//!
//! As long as at most one thread reads through handles, neither the fence nor the look of whoever frees is needed: that
//! thread knows whether it is reading itself. [`Pins::mode`] says who that is.
//!
//! ```text
//!          first pin              pin of another thread
//!   NONE ───────────► one thread ──────────────────────► MANY
//!     ▲                    │                               │
//!     └────── quieten: CHANGING; FENCE; every flag 0 ──────┘
//! ```
//!
//! *Up*: a pin looks at the mode after its fence. If the mode does not allow for it, the thread changes it and asks the
//! operating system for a fence on every running thread (`membarrier`) before it reads a life. A thread that decided by
//! the old mode has its store of the life in memory by then, and every later decision sees the new mode. Others trust
//! `MANY` without asking for a fence of their own, so it is stored when that one is through; until then the mode is
//! `CHANGING`, by which nobody frees alone and nobody reads.
//!
//! *Down*: now and then a thread that frees and finds no pin makes the mode `CHANGING`, fences, and looks again. Either it
//! sees the flag of a pin, and the mode stays what it was; or that pin sees the mode, and waits for the lock to raise it. A pin
//! that has to raise the mode costs about as much as 16 µs of other work, so the mode falls at most once in a while, and less
//! often the sooner it rose again.
//!
//! Guards are another matter: see `guarding`. Where there is no such system call, the mode is `MANY` from the start. A
//! sandbox that forbids it must be entered before the first pool is used: afterwards the process aborts where it is needed.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use super::barrier;
use super::depot::Depot;
use super::shared::WeakShared;
use super::thread::{self, ThreadState};
use crate::hint::likely;
use crate::sync::plain::{self, Ordering as PlainOrdering, compiler_fence};
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Mutex, Ordering, bug, fence, process_static};

/// A flag of its own cache line (two, for the adjacent-line prefetcher).
#[repr(align(128))]
pub(super) struct Flag {
    /// 0, or the epoch at which the thread pinned, with bit 0 set.
    value: AtomicU64,
    in_use: AtomicBool,
    next: plain::AtomicPtr<Flag>,
}

struct Pins {
    /// Flags are added and used again, never removed: as many as threads ever read at the same time.
    head: AtomicPtr<Flag>,
    /// Even; moves on whenever freed slots start to wait for pins.
    epoch: AtomicU64,
    /// Who may be reading through handles: see [`who`]. Always `MANY` under loom, which has no
    /// `membarrier`.
    mode: plain::AtomicU64,
    /// Objects of all pools that wait for a pin to end before their finalizer can run.
    pending: AtomicUsize,
    /// Pools with objects that wait for a pin to end. Never held while user code or another lock's owner runs.
    waiting: Mutex<Vec<WeakShared<Depot>>>,
}

/// Values of [`Pins::mode`], and of [`Census`](super::census::Census). From `FIRST_ID` on: the identity of the only
/// thread.
pub(super) mod who {
    pub(in crate::pool) const UNKNOWN: u64 = 0;
    pub(in crate::pool) const NONE: u64 = 1;
    pub(in crate::pool) const MANY: u64 = 2;
    pub(in crate::pool) const CHANGING: u64 = 3;
    pub(in crate::pool) const FIRST_ID: u64 = 4;
}

/// What [`ThreadState::solo`] holds while the thread cannot free without looking around. No mode has this value.
pub(super) const NOT_SOLO: u64 = u64::MAX;

process_static! {
    static PINS: Pins = Pins {
        head: AtomicPtr::new(std::ptr::null_mut()),
        epoch: AtomicU64::new(2),
        mode: plain::AtomicU64::new(if cfg!(acedia_loom) { who::MANY } else { who::UNKNOWN }),
        pending: AtomicUsize::new(0),
        waiting: Mutex::new(Vec::new()),
    };
}

/// Serialises changes of the mode, and says when the next fall may be tried.
static REGISTRATION: std::sync::Mutex<Registration> = std::sync::Mutex::new(Registration {
    next_id: who::FIRST_ID,
    fell: None,
    not_before: None,
    pause: SHORTEST_PAUSE,
});

struct Registration {
    next_id: u64,
    /// When the mode fell to `NONE`, while it is that.
    fell: Option<Instant>,
    not_before: Option<Instant>,
    /// How long the mode stays up after its next rise, at least.
    pause: Duration,
}

const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

fn registration() -> std::sync::MutexGuard<'static, Registration> {
    REGISTRATION.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A thread's promise that it is reading: objects it can see are neither finalized nor reused before it is dropped.
///
/// Made by [`pin`]. Any number of reads of any pool go through one pin. It stays on its thread; for a reference that
/// crosses threads or an `await`, take a [`Guard`](super::Guard).
///
/// Memory freed while any thread is pinned is not reused before that pin ends, so a pin is for a burst of reads, not for
/// the life of a program: while it lasts, every pool makes new objects instead of reusing freed ones. When the last pin that an
/// object's finalizer waited for ends, the finalizer runs on the thread that drops it (or on another that pins, frees or
/// collects at that moment).
///
/// ```
/// use acedia_allocator::pool::{Pool, pin};
///
/// let pool: Pool<u64> = Pool::new();
/// let owner = pool.allocate_with(|n| *n = 7);
/// let key = owner.key();
/// let pinned = pin();
/// let seen = pool.get(key, &pinned).unwrap();
/// drop(owner);
/// assert_eq!(*seen, 7, "still there for who is looking");
/// assert!(pool.get(key, &pinned).is_none(), "and gone for who asks now");
/// ```
#[must_use = "reads are allowed only while the pin lives"]
pub struct Pinned {
    /// A pin belongs to the thread that made it.
    not_send: PhantomData<*mut ()>,
}

/// Starts reading on this thread. Cheap when the thread is pinned already; otherwise one fence.
///
/// After a while in which nobody was pinned, the first pin of a thread also interrupts every running thread of the process
/// for a moment (about 16 µs with one other core at work): in return whoever freed in that time did so without a fence.
///
/// Works at any time, in destructors of thread-locals too, and for any number of threads.
#[inline]
pub fn pin() -> Pinned {
    thread::with(|thread| {
        let depth = thread.depth.get();
        if depth == 0 {
            begin(thread);
        }
        // Cannot overflow: 2^64 pins cannot be leaked one by one.
        thread.depth.set(depth + 1);
    });
    Pinned { not_send: PhantomData }
}

impl Drop for Pinned {
    #[inline]
    fn drop(&mut self) {
        thread::with(|thread| {
            let depth = thread.depth.get() - 1;
            thread.depth.set(depth);
            if depth == 0 {
                end(thread);
            }
        });
    }
}

impl fmt::Debug for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pinned")
    }
}

#[inline]
fn begin(thread: &ThreadState) {
    let flag = match thread.flag.get() {
        Some(flag) => flag,
        None => register_flag(thread),
    };
    // SAFETY: flags are never freed.
    let flag = unsafe { flag.as_ref() };
    if !bug("own_pin_forgotten") {
        thread.solo.set(NOT_SOLO);
    }
    // Relaxed: an old epoch only makes others wait for this pin a little longer.
    let epoch = PINS.epoch.load(Ordering::Relaxed);
    // Release pairs with `oldest` (Acquire): what the thread read before, under an older pin, is done.
    let order = if bug("relaxed_pin") {
        Ordering::Relaxed
    } else {
        Ordering::Release
    };
    if !bug("read_without_pin") {
        flag.value.store(epoch | 1, order);
    }
    if !bug("pin_without_fence") {
        // Pairs with the fence before `oldest`, and with the one in `quieten`: see the module's documentation.
        fence(Ordering::SeqCst);
    }
    // Acquire pairs with `raise` (Release): who finds `MANY` relies on a fence that came before it.
    let mode = PINS.mode.load(PlainOrdering::Acquire);
    if mode != who::MANY && mode != thread.id.get() {
        announce(thread);
    }
}

#[inline]
fn end(thread: &ThreadState) {
    if let Some(flag) = thread.flag.get() {
        let order = if bug("relaxed_unpin") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        // SAFETY: flags are never freed.
        // Release pairs with `oldest` (Acquire): the reads under the pin come before the reuse of what was read.
        unsafe { flag.as_ref() }.value.store(0, order);
    }
    thread.restore_solo();
    if thread.is_gone() {
        release_flag(thread);
    }
    // Relaxed: a miss leaves the object to the next thread that unpins, frees or collects.
    if PINS.pending.load(Ordering::Relaxed) != 0 {
        finish_waiting(thread);
    }
}

/// All flags there are.
#[inline]
fn flags() -> impl Iterator<Item = &'static Flag> {
    let mut next = PINS.head.load(Ordering::Acquire);
    std::iter::from_fn(move || {
        // SAFETY: flags are never freed.
        let flag: &'static Flag = unsafe { NonNull::new(next)?.as_ref() };
        next = flag.next.load(PlainOrdering::Relaxed);
        Some(flag)
    })
}

#[cold]
fn register_flag(thread: &ThreadState) -> NonNull<Flag> {
    register_reader(thread);
    for flag in flags() {
        // Acquire pairs with `release_flag` (Release).
        let order = if bug("relaxed_flag_reuse") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        if !flag.in_use.swap(true, order) {
            let flag = NonNull::from(flag);
            thread.flag.set(Some(flag));
            return flag;
        }
    }
    let fresh = NonNull::from(Box::leak(Box::new(Flag {
        value: AtomicU64::new(0),
        in_use: AtomicBool::new(true),
        next: plain::AtomicPtr::new(std::ptr::null_mut()),
    })));
    let mut head = PINS.head.load(Ordering::Relaxed);
    loop {
        // SAFETY: flags are never freed.
        unsafe { fresh.as_ref() }.next.store(head, PlainOrdering::Relaxed);
        // Release pairs with the Acquire loads of `head`. The pin that follows fences, so a scan that must see the flag
        // sees the list with it.
        match PINS
            .head
            .compare_exchange(head, fresh.as_ptr(), Ordering::AcqRel, Ordering::Relaxed)
        {
            Ok(_) => break,
            Err(now) => head = now,
        }
    }
    thread.flag.set(Some(fresh));
    fresh
}

/// Lets another thread use the flag of this one, which is ending.
pub(super) fn release_flag(thread: &ThreadState) {
    // A pin is still being read under, if it was leaked for ever: its flag stays up.
    if thread.depth.get() != 0 {
        return;
    }
    if let Some(flag) = thread.flag.take() {
        // SAFETY: flags are never freed.
        // Release pairs with the swap in `register_flag` (Acquire).
        unsafe { flag.as_ref() }.in_use.store(false, Ordering::Release);
    }
}

#[cfg(acedia_loom)]
impl Drop for Pins {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // Each execution of a model has a list of its own.
        // SAFETY: the execution's other threads have ended.
        let mut next = unsafe { self.head.inner().unsync_load() };
        while !next.is_null() {
            // SAFETY: leaked by `register_flag`; the execution's threads have ended.
            let flag = unsafe { Box::from_raw(next) };
            next = flag.next.load(PlainOrdering::Relaxed);
        }
    }
}

/// The epoch word of the oldest pin, or `u64::MAX` if no thread is pinned.
///
/// The caller has fenced (`SeqCst`) since the ends of the lives it asks for.
#[inline]
pub(super) fn oldest() -> u64 {
    let order = if bug("relaxed_scan") {
        Ordering::Relaxed
    } else {
        Ordering::Acquire
    };
    let mut oldest = u64::MAX;
    for flag in flags() {
        // Acquire pairs with `begin` and `end` (Release).
        let value = flag.value.load(order);
        if value != 0 {
            oldest = oldest.min(value);
        }
    }
    if bug("scan_skipped") { u64::MAX } else { oldest }
}

/// The fence that stands between the ends of lives and [`oldest`].
#[inline]
pub(super) fn fence_before_look() {
    if !bug("refill_without_fence") {
        // Pairs with the fence in `begin` and with `Readers::enter` / `Life::confirm`.
        fence(Ordering::SeqCst);
    }
}

/// When slots started to wait for pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Stamp(u64);

/// Starts a wait: pins from now on are newer than the stamp. The caller has fenced since the lives ended.
pub(super) fn stamp() -> Stamp {
    // Relaxed: only uniqueness of the step matters; the flags carry the ordering.
    let stamp = PINS.epoch.load(Ordering::Relaxed);
    if !bug("epoch_stands_still") {
        // Failure means that another wait moved it on: as good.
        let _ = PINS
            .epoch
            .compare_exchange(stamp, stamp + 2, Ordering::Relaxed, Ordering::Relaxed);
    }
    Stamp(stamp)
}

impl Stamp {
    /// Whether no pin is as old as the stamp, given one scan ([`oldest`]) made after it.
    #[inline]
    pub(super) fn has_passed(self, oldest: u64) -> bool {
        if bug("stamp_off_by_one") {
            oldest >= self.0 | 1
        } else {
            oldest > self.0 | 1
        }
    }
}

/// Whether this thread may reuse at once what it frees: nobody else can be reading, and it is not reading itself.
#[inline]
pub(super) fn is_solo(thread: &ThreadState) -> bool {
    // The life has ended in program order before this load, and the compiler must keep it so; the processor may not, but
    // whoever raises the mode drains its store buffer. See the module's documentation.
    compiler_fence(PlainOrdering::SeqCst);
    // Acquire pairs with the fall of the mode in `quieten` (Release): the reads of those who have left come first.
    let mode = PINS.mode.load(PlainOrdering::Acquire);
    likely(mode == who::NONE) || mode == thread.solo.get()
}

/// Finds out, before the first object is freed, whether this system can tell one reading thread from several.
pub(super) fn prepare() {
    let _lock = registration();
    if PINS.mode.load(PlainOrdering::Relaxed) == who::UNKNOWN {
        let first = if barrier::is_available() { who::NONE } else { who::MANY };
        PINS.mode.store(first, PlainOrdering::Relaxed);
    }
}

/// Gives this thread its identity among those that pin or make guards, before it first does.
#[cold]
pub(super) fn register_reader(thread: &ThreadState) {
    if thread.id.get() != 0 {
        return;
    }
    prepare();
    let mut registration = registration();
    // Never used again: guards outlive the thread that made them, and the mode may name it still.
    thread.id.set(registration.next_id);
    registration.next_id += 1;
    drop(registration);
    thread.restore_solo();
}

/// Makes the mode allow for this thread, whose flag is up, before it reads.
#[cold]
fn announce(thread: &ThreadState) {
    raise(&mut registration(), thread);
}

/// Raises the mode so that it allows for this thread.
fn raise(registration: &mut Registration, thread: &ThreadState) {
    let old = PINS.mode.load(PlainOrdering::Relaxed);
    let alone = old == who::NONE;
    if old == who::MANY || old == thread.id.get() {
        return;
    }
    if alone && registration.fell.is_some() && bug("return_unannounced") {
        return;
    }
    if !alone && bug("second_reader_unnoticed") {
        return;
    }
    let now = Instant::now();
    if let Some(fell) = registration.fell.take() {
        registration.pause = if now - fell < LONGEST_PAUSE / 10 {
            LONGEST_PAUSE.min(registration.pause * 2)
        } else {
            SHORTEST_PAUSE
        };
    }
    registration.not_before = Some(now + registration.pause);
    // Its own number is trusted by this thread only, and `MANY` by everybody: see the module's documentation.
    let meanwhile = if alone { thread.id.get() } else { who::CHANGING };
    PINS.mode.store(meanwhile, PlainOrdering::Relaxed);
    barrier::everywhere();
    if !alone {
        // Release pairs with the look of a pin (Acquire).
        PINS.mode.store(who::MANY, PlainOrdering::Release);
    }
}

/// Called where this thread has found that nobody is pinned; `frees` objects were freed to get there. Now and then it
/// makes the mode fall.
#[inline]
pub(super) fn note_calm(frees: u32) {
    /// Between two tries on one thread.
    const FREES: u32 = 1024;
    thread::with(|thread| {
        let calm = thread.calm.get() + frees;
        thread.calm.set(if calm < FREES { calm } else { 0 });
        if calm >= FREES {
            quieten();
        }
    });
}

/// Makes the mode fall if nobody is pinned, and if it did not rise lately. See the module's documentation.
#[cold]
fn quieten() {
    // A mode that fell could not be raised again.
    if !barrier::is_available() {
        return;
    }
    let Ok(mut registration) = REGISTRATION.try_lock() else {
        return;
    };
    let old = PINS.mode.load(PlainOrdering::Relaxed);
    if old == who::NONE {
        return;
    }
    let now = Instant::now();
    if registration.not_before.is_some_and(|then| now < then) {
        return;
    }
    PINS.mode.store(who::CHANGING, PlainOrdering::Relaxed);
    fence_before_look();
    if oldest() == u64::MAX {
        registration.fell = Some(now);
        // Release pairs with `is_solo` (Acquire).
        PINS.mode.store(who::NONE, PlainOrdering::Release);
    } else {
        // Release: this may be `MANY`; as in `raise`.
        PINS.mode.store(old, PlainOrdering::Release);
    }
}

/// Counts an object that waits for a pin to end. `remember` must follow once it can be found.
pub(super) fn count_waiting() {
    PINS.pending.fetch_add(1, Ordering::Relaxed);
}

/// Remembers a pool in which objects wait for pins to end. A pin that ended and did not find it there is seen to have
/// ended by whoever looks after this: the lock orders the two.
pub(super) fn remember(depot: &WeakShared<Depot>) {
    let mut waiting = PINS.waiting.lock();
    if !waiting.iter().any(|known| known.ptr_eq(depot)) {
        waiting.push(depot.clone());
    }
}

#[cfg(all(test, not(acedia_loom)))]
pub(super) fn is_remembered(depot: &WeakShared<Depot>) -> bool {
    PINS.waiting.lock().iter().any(|known| known.ptr_eq(depot))
}

/// The end of [`remember`], for a pool that ends.
pub(super) fn forget(depot: &WeakShared<Depot>) {
    PINS.waiting.lock().retain(|known| !known.ptr_eq(depot));
}

/// Takes back what [`count_waiting`] counted.
pub(super) fn sub_waiting(count: usize) {
    PINS.pending.fetch_sub(count, Ordering::Relaxed);
}

/// Runs what waited for pins to end, in whatever pool.
#[cold]
fn finish_waiting(thread: &ThreadState) {
    // A finalizer that pins and unpins must not start over from inside.
    if thread.finishing.replace(true) {
        return;
    }
    let pools = std::mem::take(&mut *PINS.waiting.lock());
    for weak in pools {
        // It is remembered again if something in it still waits.
        if let Some(depot) = weak.upgrade() {
            depot.finish_remembered();
        }
    }
    thread.finishing.set(false);
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! Pins against everybody who frees.

    use super::pin;
    use crate::pool::Pool;
    use crate::pool::models::{BEGUN, Beginning, Ending, both, ends, model, saw};
    use crate::sync::loads_are_rmw;

    /// What a pinned thread reads is not used again under it.
    #[test]
    fn free_against_pin() {
        model(&["live", "stale", "reused", "not reused"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let owner = pool.allocate();
            let key = owner.key();
            both(
                || {
                    drop(owner);
                    let next = pool.allocate();
                    saw(if next.index() == key.index() {
                        "reused"
                    } else {
                        "not reused"
                    });
                },
                || match pool.get(key, &pin()) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("stale"),
                },
            );
            assert!(pool.get(key, &pin()).is_none());
        });
    }

    /// A finalizer waits for the pin, and is run by whoever finds out first that it may.
    #[test]
    fn the_last_unpin_finalizes() {
        model(&["live", "stale", "at once", "by the reader"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owner = pool.allocate();
            let key = owner.key();
            let (at_once, by_reader) = both(
                || {
                    assert_eq!(owner.read(), BEGUN);
                    drop(owner);
                    ends() == 1
                },
                || {
                    let pinned = pin();
                    match pool.get(key, &pinned) {
                        Some(object) => {
                            assert_eq!(object.read(), BEGUN);
                            saw("live");
                        }
                        None => saw("stale"),
                    }
                    let before = ends();
                    drop(pinned);
                    before == 0 && ends() == 1
                },
            );
            saw(match (at_once, by_reader) {
                (true, false) => "at once",
                (_, true) => "by the reader",
                // The reader did not see yet that something waits, nor the other that the reader has left.
                (false, false) => "later",
            });
            if loads_are_rmw() {
                assert!(at_once || by_reader || ends() == 1, "forgotten");
            }
            drop(pin());
            assert_eq!(ends(), 1);
            assert_eq!(pool.stats().panics, 0);
        });
    }

    /// Slots in limbo wait for the pins that were there, and for no later one.
    #[test]
    fn limbo_waits_for_old_pins_only() {
        model(&["reused under a newer pin", "not reused", "live"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let owners = [pool.allocate(), pool.allocate(), pool.allocate()];
            let keys = owners.each_ref().map(|owner| owner.key());
            let first = pin();
            both(
                || {
                    // The pin of this thread stands in the way, so the first two go to the limbo with a stamp. The
                    // second comes back first.
                    drop(owners);
                    drop(first);
                    let _newer = pin();
                    let next = pool.allocate();
                    let reused = keys.iter().any(|key| key.index() == next.index());
                    saw(if reused {
                        "reused under a newer pin"
                    } else {
                        "not reused"
                    });
                },
                || {
                    for _ in 0..2 {
                        if let Some(object) = pool.get(keys[1], &pin()) {
                            assert_eq!(object.read(), BEGUN);
                            saw("live");
                        }
                    }
                },
            );
        });
    }

    /// Whoever takes slots from the limbo looks for pins after it has them.
    #[test]
    fn limbo_filled_under_a_pin() {
        model(&["reused", "not reused"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let seen = || {
                let owner = pool.allocate();
                let _ = owner.key();
                owner
            };
            let owners = [seen(), seen(), seen()];
            let before = [seen(), seen(), seen()];
            let pinned = pin();
            drop(before);
            drop(pinned);
            both(
                || {
                    let key = owners[0].key();
                    let pinned = pin();
                    let object = pool.get(key, &pinned).unwrap();
                    // Takes the limbo's only magazine, and puts another there.
                    let other = pool.allocate();
                    drop(owners);
                    assert_eq!(object.read(), BEGUN);
                    drop(other);
                },
                || {
                    let fresh = pool.stats().fresh;
                    drop(pool.allocate_with(|object| object.write(1)));
                    saw(if pool.stats().fresh == fresh {
                        "reused"
                    } else {
                        "not reused"
                    });
                },
            );
        });
    }

    /// The same for objects that wait for their finalizer.
    #[test]
    fn deferred_one_after_another() {
        model(&["none yet", "one", "both"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owners = [pool.allocate(), pool.allocate()];
            let ((), then) = both(
                || {
                    for owner in owners {
                        let pinned = pin();
                        let object = pool.get(owner.key(), &pinned).unwrap();
                        drop(owner);
                        assert_eq!(object.read(), BEGUN);
                    }
                },
                || {
                    let _ = pool.collect();
                    ends()
                },
            );
            saw(match then {
                0 => "none yet",
                1 => "one",
                _ => "both",
            });
            assert!(ends() == 2 || !loads_are_rmw(), "forgotten");
            drop(pin());
            assert_eq!(ends(), 2);
            assert_eq!(pool.stats().panics, 0);
        });
    }

    /// What two threads look at at the same time is not forgotten.
    #[test]
    fn deferred_under_a_pin() {
        model(&["here", "there"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let owner = pool.allocate();
            let (here, ()) = both(
                || {
                    let pinned = pin();
                    let object = pool.get(owner.key(), &pinned).unwrap();
                    drop(owner);
                    assert_eq!(object.read(), BEGUN);
                    assert_eq!(ends(), 0);
                    drop(pinned);
                    ends() == 1
                },
                // Looks what waits for pins, twice.
                || {
                    drop(pin());
                    let _ = pool.collect();
                },
            );
            saw(if here { "here" } else { "there" });
            assert!(ends() == 1 || !loads_are_rmw(), "forgotten");
            drop(pin());
            assert_eq!(ends(), 1);
            assert_eq!(pool.stats().panics, 0);
        });
    }
}
