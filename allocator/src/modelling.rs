//! Model checking of programs on top of the pools, with loom or shuttle. Compiled only under `--cfg acedia_loom`, with the feature
//! `loom` or `shuttle`.
//!
//! The chapter "Memory model and model checking" of the guide (`docs/memory-model.md`) has an example.

#[cfg(not(feature = "shuttle"))]
pub use ::loom;
#[cfg(feature = "shuttle")]
pub use ::shuttle;

use crate::pool::exit_thread;
use crate::sync::checker::thread::{self, JoinHandle};

/// Explores every interleaving of `body`, as `loom::model` does. Make the pools inside `body`, so that each execution has its
/// own. Classes do not exist in a model.
///
/// # Panics
///
/// If `body` panics in one of the executions.
#[cfg(not(feature = "shuttle"))]
pub fn model(body: impl Fn() + Send + Sync + 'static) {
    loom::model(move || ending(&body));
}

/// Runs `body` in 5,000 random schedules, as `shuttle::check_pct` does: threads have random priorities, which change at two
/// random steps. The schedules are the same in each run, unless the environment has a `SHUTTLE_RANDOM_SEED`. Make the pools inside
/// `body`, so that each execution has its own. Classes do not exist in a model.
///
/// # Panics
///
/// If `body` panics in one of the executions. shuttle prints the schedule, for [`explore`].
#[cfg(feature = "shuttle")]
pub fn model(body: impl Fn() + Send + Sync + 'static) {
    explore(shuttle::scheduler::PctScheduler::new_from_seed(0, 3, 5000), body);
}

/// Runs `body` in the schedules of `scheduler`, as `shuttle::Runner` does. Use it for more schedules, for another strategy,
/// or, with `ReplayScheduler`, to repeat the schedule that failed.
///
/// # Panics
///
/// As [`model`].
#[cfg(feature = "shuttle")]
pub fn explore(scheduler: impl shuttle::scheduler::Scheduler + 'static, body: impl Fn() + Send + Sync + 'static) {
    let mut config = shuttle::Config::new();
    // The warnings are about weak memory orders, which loom's models check, and about statics, which end with each execution on purpose.
    config.silence_warnings = true;
    // shuttle's default of 60 KiB is too small for a build without optimization.
    config.stack_size = 1 << 18;
    shuttle::Runner::new(scheduler, config).run(move || ending(&body));
}

/// Starts a thread of a model, as `loom::thread::spawn` does. The thread returns its free objects to their pools before
/// it can be joined. A real thread does so when it ends, but a model has no hook for the end of a thread.
pub fn spawn<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> JoinHandle<R> {
    thread::spawn(|| ending(body))
}

/// Runs the body of a thread, and ends the thread for the pools.
fn ending<R>(body: impl FnOnce() -> R) -> R {
    let result = body();
    exit_thread();
    result
}
