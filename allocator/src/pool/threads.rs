//! The threads of the process: the identity of each one that reads, the steps at its end, and a fence on all of them.
//!
//! The fence is asymmetric: a light side that costs nothing, and a heavy side that executes a fence on every running thread.
//!
//! ```text
//! light (often):   store; here();       load
//! heavy (rarely):  store; everywhere(); load
//! ```
//!
//! If two threads execute the two sides, at least one of them sees the other's store. On Linux the heavy side is the
//! system call `membarrier`, on Windows `FlushProcessWriteBuffers`. The light side only prevents reordering by the compiler.
//! Where there is no such call, the fence is not available, and its users assume from the start that every thread may be
//! reading (`Threads::prepare` in `pins.rs`).
//!
//! Under loom each side changes one word and then looks at the other's, so that one of two threads sees the other. Two `SeqCst`
//! fences would do the same, but they would also pair with other fences, and a heavy side left out would go unnoticed.

use std::cell::Cell;

use crate::sync::plain::{AtomicU64, Ordering};
use crate::sync::thread_static;

thread_static! {
    /// The identity of this thread; 0 before its first pin or guard.
    static ID: Cell<u64> = Cell::new(0);
}

/// The lowest identity of a thread. Lower numbers have other meanings (`Threads` in `pins.rs`).
pub(super) const FIRST_ID: u64 = 4;

/// The identity of this thread among those that pin or make guards, 0 before the first pin or guard.
#[inline]
pub(super) fn id() -> u64 {
    ID.with(Cell::get)
}

/// The identity of this thread, which is about to pin or to make a guard.
#[cold]
pub(super) fn identify() -> u64 {
    /// Never reused: guards can outlive the thread that made them, and a mode may still contain the identity of
    /// an ended thread.
    static NEXT: AtomicU64 = AtomicU64::new(FIRST_ID);
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
/// The thread-locals of the engine have no destructors, so they work at any time on a thread, even in destructors of other thread-locals.
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
        // If the thread-locals of this thread are already being destroyed, the hook cannot be armed: the thread keeps no objects from the
        // start.
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

/// loom lets other threads join a thread before it drops the thread's thread-local values, and removes all of them
/// before it drops the first. So each model calls [`end_thread`] itself (see `models`).
#[cfg(acedia_loom)]
fn arm_hook() -> bool {
    true
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
        const MESSAGE: &[u8] = b"acedia: the system call membarrier worked when the first pool was created, but is forbidden now. Call \
            acedia::pool::avoid_membarrier at the start of main, or set ACEDIA_AVOID_MEMBARRIER=1 in the environment.\n";
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
