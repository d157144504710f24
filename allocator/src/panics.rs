//! Loops that go on after a panic: [`FirstPanic`] and [`drop_all`].

use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// The first panic of several steps that must all run.
#[derive(Debug, Default)]
pub struct FirstPanic(Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// No panic so far.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Runs one step. `None` if it panicked.
    pub fn catch<R>(&mut self, work: impl FnOnce() -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => Some(result),
            Err(panic) => {
                self.note(panic);
                None
            }
        }
    }

    /// Keeps the panic of a step if it is the first.
    #[cold]
    #[inline(never)]
    pub fn note(&mut self, panic: Box<dyn Any + Send>) {
        match &self.0 {
            None => self.0 = Some(panic),
            Some(_) => discard(panic),
        }
    }

    /// After the last step: resumes the first panic, if there was one and the thread is not panicking already.
    pub fn resume(self) {
        match self.0 {
            Some(panic) if thread::panicking() => discard(panic),
            Some(panic) => resume_unwind(panic),
            None => {}
        }
    }
}

/// Drops every item, even those after an item whose drop panics. Then resumes the first panic, unless the thread is
/// panicking already. (If a vector were dropped, the second panic would abort the process.)
pub fn drop_all(items: impl Iterator) {
    struct Rest<I: Iterator> {
        items: I,
        is_empty: bool,
    }
    impl<I: Iterator> Drop for Rest<I> {
        #[inline]
        fn drop(&mut self) {
            if !self.is_empty {
                while !contain(|| self.items.by_ref().for_each(drop)) {}
            }
        }
    }
    let mut rest = Rest { items, is_empty: false };
    if !thread::panicking() {
        rest.items.by_ref().for_each(drop);
        rest.is_empty = true;
    }
}

/// Runs `work` and catches its panic. `false` if it panicked.
#[inline]
pub fn contain(work: impl FnOnce()) -> bool {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(()) => true,
        Err(panic) => {
            discard(panic);
            false
        }
    }
}

/// Drops the payload of a panic. The drop may panic with another payload, which is dropped, too.
#[cold]
fn discard(panic: Box<dyn Any + Send>) {
    let mut panic = Some(panic);
    for _ in 0..3 {
        let Some(carried) = panic.take() else { return };
        panic = catch_unwind(AssertUnwindSafe(|| drop(carried))).err();
    }
    // Every drop has panicked so far, so this payload is leaked.
    mem::forget(panic);
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
