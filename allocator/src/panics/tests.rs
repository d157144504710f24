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

/// A payload whose drop panics with the next lower `Again`.
struct Again(u32);

impl Drop for Again {
    fn drop(&mut self) {
        if let Some(less) = self.0.checked_sub(1) {
            panic_any(Self(less));
        }
    }
}

/// Like [`Again`], but without an end. It is zero-sized, so forgetting one leaks no memory.
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
