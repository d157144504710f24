//! [`FirstPanic`]: many things run, though some of them panic.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The first panic of many things that all have to run.
#[derive(Default)]
pub(crate) struct FirstPanic(Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// Runs one of them.
    pub(crate) fn catch(&mut self, work: impl FnOnce()) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            self.0.get_or_insert(panic);
        }
    }

    /// All have run: the panic goes on, if there was one, and none goes on already.
    pub(crate) fn resume(self) {
        if let Some(panic) = self.0.filter(|_| !std::thread::panicking()) {
            resume_unwind(panic);
        }
    }
}
