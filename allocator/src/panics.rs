//! Much is done, though some of it panics: [`FirstPanic`] and [`drop_all`].

use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// The first panic of many things that all have to be done.
#[derive(Debug, Default)]
pub struct FirstPanic(Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// None so far.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Does one of the things. `None` if it panicked.
    pub fn catch<R>(&mut self, work: impl FnOnce() -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => Some(result),
            Err(panic) => {
                self.note(panic);
                None
            }
        }
    }

    /// One of the things has panicked.
    pub fn note(&mut self, panic: Box<dyn Any + Send>) {
        match &self.0 {
            None => self.0 = Some(panic),
            Some(_) => discard(panic),
        }
    }

    /// All is done: the panic goes on, if there was one, unless another one goes on already.
    pub fn resume(self) {
        match self.0 {
            Some(panic) if thread::panicking() => discard(panic),
            Some(panic) => resume_unwind(panic),
            None => {}
        }
    }
}

/// Drops all that `items` gives, also behind one whose drop panics; the first panic goes on, unless another one goes on already.
/// A vector that is dropped would abort the process at the second.
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

/// Does work whose panic must go no further. `false` if it panicked.
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

/// Drops what a panic carries, which may panic again, and again.
#[cold]
fn discard(panic: Box<dyn Any + Send>) {
    let mut panic = Some(panic);
    for _ in 0..3 {
        let Some(carried) = panic.take() else { return };
        panic = catch_unwind(AssertUnwindSafe(|| drop(carried))).err();
    }
    // There is no end to it.
    mem::forget(panic);
}

#[cfg(all(test, not(acedia_loom)))]
mod tests;
