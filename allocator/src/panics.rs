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
mod tests {
    use std::cell::Cell;
    use std::panic::panic_any;

    use super::*;

    /// Counts its drops, and panics with its number if that is odd.
    struct Bomb<'a>(usize, &'a Cell<usize>);

    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            self.1.set(self.1.get() + 1);
            if self.0 % 2 == 1 {
                panic_any(self.0);
            }
        }
    }

    /// A panic that carries this panics again when it is dropped.
    struct Again(u32);

    impl Drop for Again {
        fn drop(&mut self) {
            if let Some(less) = self.0.checked_sub(1) {
                panic_any(Self(less));
            }
        }
    }

    /// As [`Again`], for ever. It has no size, so forgetting one leaks nothing.
    struct Endless;

    impl Drop for Endless {
        fn drop(&mut self) {
            panic_any(Self);
        }
    }

    fn number(panic: &(dyn Any + Send)) -> Option<usize> {
        panic.downcast_ref().copied()
    }

    #[test]
    fn all_are_dropped_and_the_first_panic_goes_on() {
        for count in [0, 1, 2, 10] {
            let dropped = Cell::new(0);
            let bombs: Vec<_> = (0..count).map(|at| Bomb(at, &dropped)).collect();
            let outcome = catch_unwind(AssertUnwindSafe(|| drop_all(bombs.into_iter())));
            assert_eq!(dropped.get(), count);
            assert_eq!(
                outcome.err().map(|panic| number(&*panic)),
                (count > 1).then_some(Some(1))
            );
        }
    }

    #[test]
    fn panics_that_carry_panics_have_an_end() {
        let later: [fn(); 4] = [
            || panic_any(Again(0)),
            || panic_any(Again(1)),
            || panic_any(Again(2)),
            || panic_any(Endless),
        ];
        for later in later {
            let mut first = FirstPanic::new();
            assert_eq!(first.catch(|| 5), Some(5));
            assert_eq!(first.catch(|| panic_any(7_usize)), None::<()>);
            assert_eq!(first.catch(later), None);
            let panic = catch_unwind(AssertUnwindSafe(|| first.resume())).unwrap_err();
            assert_eq!(number(&*panic), Some(7));
            assert!(!contain(later));
        }
        FirstPanic::new().resume();
    }

    /// While another panic goes on, none is added to it.
    #[test]
    fn a_panic_on_the_way_stays_alone() {
        struct Resuming(Option<FirstPanic>);
        impl Drop for Resuming {
            fn drop(&mut self) {
                self.0.take().unwrap_or_default().resume();
            }
        }
        let mut first = FirstPanic::new();
        first.catch(|| panic_any(1_usize));
        let resuming = Resuming(Some(first));
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let _resuming = resuming;
            panic_any(2_usize);
        }));
        assert_eq!(number(&*outcome.unwrap_err()), Some(2));
    }
}
