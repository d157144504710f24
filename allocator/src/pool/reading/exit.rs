//! The end of a thread: what has to be done there, in a fixed order.
//!
//! The thread-locals of the engine have no destructors, so they work before anything else on a thread and after everything, in
//! destructors of other thread-locals too. The exit hook is armed on the first slow path. Once it has run, the thread keeps
//! nothing any more: every object goes through the depot.

use std::cell::Cell;

use crate::sync::thread_static;

/// This thread's end.
struct Exit {
    stage: Cell<Stage>,
    /// Hands the thread's magazines back. First, because that may run finalizers, which may pin.
    magazines: Cell<Option<fn()>>,
    /// Gives the thread's flag away.
    flag: Cell<Option<fn()>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No exit hook yet.
    New,
    /// The exit hook will run.
    Armed,
    /// The exit hook has run, or the thread is too late for one.
    Gone,
}

thread_static! {
    static EXIT: Exit = Exit {
        stage: Cell::new(Stage::New),
        magazines: Cell::new(None),
        flag: Cell::new(None),
    };
}

/// Makes sure that the exit hook will run. `false` if it has.
fn arm() -> bool {
    EXIT.with(|exit| {
        if exit.stage.get() == Stage::New {
            exit.stage.set(if arm_hook() { Stage::Armed } else { Stage::Gone });
        }
        exit.stage.get() == Stage::Armed
    })
}

/// Whether the thread keeps nothing any more.
pub(in crate::pool) fn is_gone() -> bool {
    !arm()
}

/// Has `hand_back` called at the end of the thread, before its flag is given away. `false` if the end has come.
pub(in crate::pool) fn hand_back_with(hand_back: fn()) -> bool {
    EXIT.with(|exit| exit.magazines.set(Some(hand_back)));
    arm()
}

/// Has `release` called last at the end of the thread.
pub(in crate::pool) fn release_with(release: fn()) {
    EXIT.with(|exit| exit.flag.set(Some(release)));
    arm();
}

/// The end of the thread.
#[cfg_attr(acedia_loom, allow(dead_code, reason = "models call it"))]
pub(in crate::pool) fn run() {
    EXIT.with(|exit| {
        exit.stage.set(Stage::Gone);
        for end in [&exit.magazines, &exit.flag] {
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

/// loom takes all of a thread's values away before it drops the first, and after others have joined the thread, so each model
/// calls [`run`] itself (see `models`).
#[cfg(acedia_loom)]
fn arm_hook() -> bool {
    true
}
