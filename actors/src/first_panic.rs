//! [`FirstPanic`]: many things run, though some of them panic.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The first panic of many things that all have to run.
#[derive(Default)]
pub(crate) struct FirstPanic(Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// Runs one of them. Nothing, if it panics.
    pub(crate) fn catch<R>(&mut self, work: impl FnOnce() -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => Some(result),
            Err(panic) if self.0.is_none() => {
                self.0 = Some(panic);
                None
            }
            Err(later) => {
                // It may panic once more when it is dropped.
                if let Err(last) = catch_unwind(AssertUnwindSafe(|| drop(later))) {
                    std::mem::forget(last);
                }
                None
            }
        }
    }

    /// All have run: the panic goes on, if there was one, and none goes on already.
    pub(crate) fn resume(self) {
        if let Some(panic) = self.0.filter(|_| !std::thread::panicking()) {
            resume_unwind(panic);
        }
    }
}
