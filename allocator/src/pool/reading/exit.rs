//! The end of a thread: the steps that run there, in a fixed order.
//!
//! The thread-locals of the engine have no destructors, so they work at any time on a thread, also in destructors of
//! other thread-locals. The exit hook is armed on the first slow path. After it has run, the thread keeps no objects:
//! every object goes through the depot.

use std::cell::Cell;

use crate::sync::thread_static;

/// This thread's exit.
struct Exit {
    stage: Cell<Stage>,
    /// Hands the thread's magazines back. It runs first, because it may run finalizers, which may pin.
    magazines: Cell<Option<fn()>>,
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
        magazines: Cell::new(None),
        flags: Cell::new(None),
    };
}

/// Arms the exit hook. `false` if it has already run.
fn arm() -> bool {
    EXIT.with(|exit| {
        if exit.stage.get() == Stage::New {
            exit.stage.set(if arm_hook() { Stage::Armed } else { Stage::Gone });
        }
        exit.stage.get() == Stage::Armed
    })
}

/// Whether the thread keeps no objects any more.
pub(in crate::pool) fn is_gone() -> bool {
    !arm()
}

/// Registers `hand_back` to run at the end of the thread, before its flags are released. `false` if the end has come.
pub(in crate::pool) fn hand_back_with(hand_back: fn()) -> bool {
    EXIT.with(|exit| exit.magazines.set(Some(hand_back)));
    arm()
}

/// Registers `release` to run last at the end of the thread. Returns the function that it replaces, for `release` to call.
pub(in crate::pool) fn release_with(release: fn()) -> Option<fn()> {
    EXIT.with(|exit| exit.flags.replace(Some(release)))
}

/// Runs the steps at the end of the thread.
#[cfg_attr(acedia_loom, allow(dead_code, reason = "models call it"))]
pub(in crate::pool) fn run() {
    EXIT.with(|exit| {
        exit.stage.set(Stage::Gone);
        for end in [&exit.magazines, &exit.flags] {
            end.get().into_iter().for_each(|end| end());
        }
    });
}

#[cfg(not(acedia_loom))]
struct Hook;

#[cfg(not(acedia_loom))]
impl Drop for Hook {
    fn drop(&mut self) {
        run();
    }
}

#[cfg(not(acedia_loom))]
fn arm_hook() -> bool {
    std::thread_local! { static HOOK: Hook = const { Hook }; }
    HOOK.try_with(|_| ()).is_ok()
}

/// loom removes all of a thread's values before it drops the first one, and after other threads have joined the thread.
/// So each model calls [`run`] itself (see `models`).
#[cfg(acedia_loom)]
fn arm_hook() -> bool {
    true
}
