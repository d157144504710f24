//! [`Threads`]: whether no thread, one thread or several threads have ever read.
//!
//! The fence of a pin is always needed, because other threads may free. The fence of a free is not needed while no other thread has
//! ever read.
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
//!
//! The asymmetric fence: a light side that costs nothing, and a heavy side that executes a fence on every running
//! thread.
//!
//! ```text
//! light (often):   store; here();       load
//! heavy (rarely):  store; everywhere(); load
//! ```
//!
//! If two threads execute the two sides, at least one of them sees the other's store. On Linux the heavy side is the
//! system call `membarrier`, on Windows `FlushProcessWriteBuffers`. The light side only prevents reordering by the compiler.
//! Where there is no such call, the fence is not available, and its users assume from the start that every thread may be
//! reading (see `pins`).
//!
//! Under loom each side changes one word and then looks at the other's, so that one of two threads sees the other. Two `SeqCst`
//! fences would do the same, but they would also pair with other fences, and a heavy side left out would go unnoticed.

use std::cell::Cell;

use crate::hint::likely;
use crate::sync::{AtomicU64, Mutex, Ordering, const_fn, plain, thread_static};

thread_static! {
    /// The identity of this thread; 0 before its first pin or guard.
    static ID: Cell<u64> = Cell::new(0);
}

/// The identity of this thread among those that pin or make guards, 0 before the first pin or guard.
#[inline]
pub(super) fn id() -> u64 {
    ID.with(Cell::get)
}

/// The identity of this thread, which is about to pin or to make a guard.
#[cold]
pub(super) fn identify() -> u64 {
    /// Never reused: guards outlive the thread that made them, and a mode may still contain its identity.
    static NEXT: plain::AtomicU64 = plain::AtomicU64::new(FIRST_ID);
    ID.with(|id| {
        if id.get() == 0 {
            // Relaxed: only uniqueness matters.
            id.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        id.get()
    })
}

/// The steps at the end of this thread.
///
/// The thread-locals of the engine have no destructors, so they work at any time on a thread, also in destructors of other thread-locals.
/// The exit hook is armed on the first slow path. After it has run, the thread keeps no objects: each goes through its depot.
struct Exit {
    stage: Cell<Stage>,
    /// Hands over the thread's lists.
    lists: Cell<Option<fn()>>,
    /// Releases the thread's flags.
    flags: Cell<Option<fn()>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No exit hook yet.
    New,
    /// The exit hook will run.
    Armed,
    /// The exit hook has run, or it is too late to arm one.
    Gone,
}

thread_static! {
    static EXIT: Exit = Exit {
        stage: Cell::new(Stage::New),
        lists: Cell::new(None),
        flags: Cell::new(None),
    };
}

/// Arms the exit hook. `false` if it has already run.
fn arm() -> bool {
    EXIT.with(|exit| {
        // If the thread's other values are being destroyed already, the hook cannot be armed: the thread keeps no objects from the start.
        if exit.stage.get() == Stage::New {
            exit.stage.set(if arm_hook() { Stage::Armed } else { Stage::Gone });
        }
        exit.stage.get() == Stage::Armed
    })
}

/// Whether the thread keeps no objects any more.
pub(super) fn is_gone() -> bool {
    !arm()
}

/// Registers `end` to run first at the end of the thread.
pub(super) fn end_lists_with(end: fn()) {
    EXIT.with(|exit| exit.lists.set(Some(end)));
}

/// Registers `release` to run last at the end of the thread. Returns the function that it replaces, for `release` to call.
pub(super) fn release_with(release: fn()) -> Option<fn()> {
    EXIT.with(|exit| exit.flags.replace(Some(release)))
}

/// Runs the steps at the end of the thread.
#[cfg_attr(acedia_loom, allow(dead_code, reason = "models call it"))]
pub(super) fn end_thread() {
    EXIT.with(|exit| {
        // From here on `attach` makes no lists, and the end of a pin releases its flag at once: user code below, and in destructors that
        // run later, may still free and pin.
        exit.stage.set(Stage::Gone);
        // First the lists: their end may run finalizers, which may pin.
        exit.lists.get().into_iter().for_each(|end| end());
        exit.flags.get().into_iter().for_each(|release| release());
    });
}

#[cfg(not(acedia_loom))]
struct Hook;

#[cfg(not(acedia_loom))]
impl Drop for Hook {
    fn drop(&mut self) {
        end_thread();
    }
}

#[cfg(not(acedia_loom))]
fn arm_hook() -> bool {
    std::thread_local! { static HOOK: Hook = const { Hook }; }
    HOOK.try_with(|_| ()).is_ok()
}

/// loom removes all of a thread's values before it drops the first one, and after other threads have joined the thread.
/// So each model calls [`end_thread`] itself (see `models`).
#[cfg(acedia_loom)]
fn arm_hook() -> bool {
    true
}

/// The threads that read: see the [module](self). A value from [`FIRST_ID`] on is the identity of the only one.
#[derive(Debug)]
pub(super) struct Threads {
    word: AtomicU64,
    /// Serialises changes of the word.
    rising: Mutex<()>,
}

const NONE: u64 = 1;
const MANY: u64 = 2;
const CHANGING: u64 = 3;
/// The lowest identity of a thread.
pub(super) const FIRST_ID: u64 = 4;

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
        if !is_available() {
            // Relaxed: no other value is stored on such a system.
            self.word.store(MANY, Ordering::Relaxed);
        }
    }

    /// Whether no thread reads so far.
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        // Relaxed: a thread that reads later sees everything that this thread did before this load.
        self.word.load(Ordering::Relaxed) == NONE
    }

    /// Whether the thread with that identity reads, and no other thread does.
    #[inline]
    pub(super) fn is_only(&self, id: u64) -> bool {
        // Relaxed: this thread stored the value itself. A thread that changes it later fences all threads: either this load sees the
        // change, or the changing thread, before it reads, sees the end of the life that came before this load.
        self.word.load(Ordering::Relaxed) == id
    }

    /// Whether no thread reads but the one that `own` names.
    #[inline]
    pub(super) fn is_none_but(&self, own: impl FnOnce() -> u64) -> bool {
        // Relaxed: `NONE` is the first value, and this thread stored its own identity. A thread that changes the word fences all
        // threads.
        let now = self.word.load(Ordering::Relaxed);
        likely(now == NONE) || now == own()
    }

    /// Whether the thread with that identity is included, so that it may read.
    #[inline]
    pub(super) fn includes(&self, id: u64) -> bool {
        // Acquire for `MANY`, which another thread may have stored. A thread that finds the word too low goes on to `include`, where the lock
        // orders it.
        let now = self.word.load(trusting());
        now == MANY || now == id
    }

    /// Includes the thread with that identity, so that it may read.
    #[cold]
    pub(super) fn include(&self, id: u64) {
        let _rising = self.rising.lock();
        if self.includes(id) {
            return;
        }
        // Release pairs with `trusting` (Acquire), here and below.
        let set = |value| self.word.store(value, Ordering::Release);
        // Each thread that frees loads the word after it has stored the end of the life (`is_none`, `is_only`, `is_none_but`). If it loads
        // the old value, `everywhere` makes that end visible before this thread reads. If it loads the new one, it looks for readers.
        if self.is_none() {
            // Only this thread trusts its own identity, so the word may have it before the fence.
            set(id);
            everywhere();
        } else {
            // Every thread trusts `MANY`, so it comes after the fence. No thread trusts `CHANGING`: one that wants to read waits for the
            // lock, and the one that the word named looks for readers from now on.
            set(CHANGING);
            everywhere();
            set(MANY);
        }
    }
}

/// For the load of a thread that relies on `MANY`. Acquire pairs with the stores of [`Threads::include`] (Release): the fence on all
/// threads came before the store of `MANY`.
#[inline]
fn trusting() -> Ordering {
    Ordering::Acquire
}

pub(in crate::pool) use system::{avoid, everywhere, here, is_available};

#[cfg(all(any(target_os = "linux", windows), not(miri), not(acedia_loom)))]
mod system {
    use super::call;
    use crate::sync::plain::{AtomicU32, Ordering, compiler_fence};

    /// [`UNKNOWN`], [`YES`] or [`NO`]. Not a `OnceLock`: a forked child could wait for a thread that it does not have.
    static AVAILABLE: AtomicU32 = AtomicU32::new(UNKNOWN);
    const UNKNOWN: u32 = 0;
    const YES: u32 = 1;
    const NO: u32 = 2;

    /// Whether the fence works on this system, and the program has not asked to avoid it. The answer holds for the rest of the
    /// process.
    pub(in crate::pool) fn is_available() -> bool {
        // Relaxed: the word guards no other memory, and the system knows which process has registered.
        let known = AVAILABLE.load(Ordering::Relaxed);
        (if known == UNKNOWN { determine() } else { known }) == YES
    }

    /// Makes the fence unavailable. `false` if it is already in use.
    pub(in crate::pool) fn avoid() -> bool {
        decide(NO) == NO
    }

    #[cold]
    fn determine() -> u32 {
        let works = std::env::var_os("ACEDIA_AVOID_MEMBARRIER").is_none() && call::register();
        decide(if works { YES } else { NO })
    }

    /// Stores the answer, unless there is one already. Returns the one that holds.
    fn decide(answer: u32) -> u32 {
        // Relaxed: as above.
        let decided = AVAILABLE.compare_exchange(UNKNOWN, answer, Ordering::Relaxed, Ordering::Relaxed);
        decided.map_or_else(|earlier| earlier, |_| answer)
    }

    /// The light side.
    #[inline]
    pub(in crate::pool) fn here() {
        compiler_fence(Ordering::SeqCst);
    }

    /// The heavy side, if it [is available](is_available).
    pub(in crate::pool) fn everywhere() {
        if is_available() {
            call::fence();
        }
    }
}

#[cfg(all(target_os = "linux", not(miri), not(acedia_loom)))]
mod call {
    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: a system call without pointers.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    /// Registers the process, and tries the fence.
    pub(super) fn register() -> bool {
        membarrier(libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED)
            && membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED)
    }

    pub(super) fn fence() {
        // The call fails in a forked process, which has no registration: register, and repeat the call.
        if !membarrier(libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED) && !register() {
            give_up();
        }
    }

    /// Continuing would let another thread read an object that this one reuses.
    #[cold]
    fn give_up() -> ! {
        const MESSAGE: &[u8] = b"acedia: membarrier worked when the first pool was made and is forbidden now. Call \
            acedia::pool::avoid_membarrier first in main, or set ACEDIA_AVOID_MEMBARRIER=1 in the environment.\n";
        // Not `eprintln!`: it panics if standard error is closed.
        // SAFETY: a constant and its length.
        unsafe { libc::write(2, MESSAGE.as_ptr().cast(), MESSAGE.len()) };
        std::process::abort();
    }
}

#[cfg(all(windows, not(miri), not(acedia_loom)))]
mod call {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        /// Every processor that runs a thread of this process executes a fence. It cannot fail.
        safe fn FlushProcessWriteBuffers();
    }

    pub(super) fn register() -> bool {
        true
    }

    pub(super) fn fence() {
        FlushProcessWriteBuffers();
    }
}

#[cfg(acedia_loom)]
mod system {
    use std::cell::Cell;

    use crate::sync::{AtomicU64, Ordering, fence, process_static};

    struct Sides {
        light: AtomicU64,
        heavy: AtomicU64,
    }

    process_static! {
        static SIDES: Sides = Sides {
            light: AtomicU64::new(0),
            heavy: AtomicU64::new(0),
        };
    }

    std::thread_local! {
        // loom runs all threads of a model on the calling thread, and each test has its own thread.
        static AVAILABLE: Cell<bool> = const { Cell::new(false) };
    }

    /// Runs a model in which the fence is available, so that modes change.
    #[cfg(test)]
    pub(in crate::pool) fn with_fence<R>(model: impl FnOnce() -> R) -> R {
        AVAILABLE.set(true);
        let result = model();
        AVAILABLE.set(false);
        result
    }

    pub(in crate::pool) fn is_available() -> bool {
        AVAILABLE.get()
    }

    pub(in crate::pool) fn avoid() -> bool {
        !AVAILABLE.get()
    }

    #[inline]
    pub(in crate::pool) fn here() {
        if is_available() {
            // Two light sides do not synchronize with each other: one does not acquire what the other releases.
            SIDES.light.fetch_add(1, Ordering::Release);
            SIDES.heavy.fetch_add(0, Ordering::Acquire);
        }
    }

    pub(in crate::pool) fn everywhere() {
        if is_available() {
            // The system call is also a fence of its caller.
            fence(Ordering::SeqCst);
            SIDES.heavy.fetch_add(1, Ordering::Release);
            SIDES.light.fetch_add(0, Ordering::Acquire);
        }
    }
}

#[cfg(all(test, acedia_loom))]
pub(in crate::pool) use system::with_fence;

#[cfg(not(any(acedia_loom, all(any(target_os = "linux", windows), not(miri)))))]
mod system {
    pub(in crate::pool) fn is_available() -> bool {
        false
    }

    pub(in crate::pool) fn avoid() -> bool {
        true
    }

    #[inline]
    pub(in crate::pool) fn here() {
        crate::sync::plain::compiler_fence(crate::sync::plain::Ordering::SeqCst);
    }

    pub(in crate::pool) fn everywhere() {}
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus;
