//! A thread's first use of a pool, and its end: the steps that run there, in a fixed order.
//!
//! The thread-locals of the engine have no destructors, so they work at any time on a thread, also in destructors of
//! other thread-locals. The exit hook is armed on the first slow path. After it has run, the thread keeps no objects:
//! every object goes through the depot.

use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::Arc;

use crate::panics::contain;
use crate::pool::depot::Depot;
use crate::pool::local::Local;
use crate::pool::tables::{self, Tables};
use crate::sync::thread_static;

/// This thread's exit.
struct Exit {
    stage: Cell<Stage>,
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
pub(super) fn is_gone() -> bool {
    !arm()
}

/// Registers `release` to run last at the end of the thread. Returns the function that it replaces, for `release` to call.
pub(super) fn release_with(release: fn()) -> Option<fn()> {
    EXIT.with(|exit| exit.flags.replace(Some(release)))
}

/// Runs the steps at the end of the thread.
#[cfg_attr(acedia_loom, allow(dead_code, reason = "models call it"))]
pub(super) fn run() {
    EXIT.with(|exit| {
        exit.stage.set(Stage::Gone);
        // First the magazines, because this may run finalizers, which may pin.
        tables::with(Tables::take).for_each(|(depot, local)| depot.detach(local));
        exit.flags.get().into_iter().for_each(|release| release());
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

/// This thread's lists for the pool, created on first use. `None` if the thread is ending.
#[cold]
pub(super) fn attach<'t>(tables: &'t Tables, depot: &Arc<Depot>) -> Option<&'t Local> {
    if tables.local(depot.tag).is_some() {
        return tables.local(depot.tag);
    }
    if is_gone() {
        return None;
    }
    tables.enter(depot, depot.add_local(Box::new(Local::new())));
    tables.local(depot.tag)
}

impl Depot {
    /// Takes over the lists of a thread that ends. Called on that thread.
    fn detach(&self, at: NonNull<Local>) {
        // SAFETY: the depot owns it until the end of this function, and only this thread removes it.
        let local = unsafe { at.as_ref() };
        // A limit may drop objects here. A panic in such a drop must not end the process with the thread.
        contain(|| self.empty_local(local));
        let mut locked = self.locked.lock();
        locked.take_back_fresh(local);
        // Under the lock, so that `stats` counts these objects once.
        self.count_made_by(local);
        let place = locked.locals.iter().position(|known| NonNull::from(&**known) == at);
        let gone = place.map(|place| locked.locals.swap_remove(place));
        drop(locked);
        drop(gone);
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
