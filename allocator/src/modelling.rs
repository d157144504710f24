//! Model checking of programs on top of the pools, with [`loom`]. Compiled only under `--cfg acedia_loom`, with the feature
//! `loom`.
//!
//! The chapter "Model checking" of the guide (`docs/model-checking.md`) has an example.

pub use ::loom;
use loom::thread::JoinHandle;

use crate::pool::exit_thread;

/// Explores every interleaving of `body`, as `loom::model` does. Make the pools inside `body`, so that each execution has its
/// own. Classes do not exist under loom.
///
/// # Panics
///
/// If `body` does in one of the executions.
pub fn model(body: impl Fn() + Send + Sync + 'static) {
    loom::model(move || {
        body();
        exit_thread();
    });
}

/// Starts a thread of a model, as `loom::thread::spawn` does. Its free objects are back in their pools before it can be
/// joined, as after the end of a real thread; loom has no hook for that.
pub fn spawn<R: 'static>(body: impl FnOnce() -> R + 'static) -> JoinHandle<R> {
    loom::thread::spawn(move || {
        let result = body();
        exit_thread();
        result
    })
}
