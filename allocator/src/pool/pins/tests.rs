use std::thread;

use crate::pool::pins::Pins;
use crate::pool::{Domain, Global, Plain, Pool, Readers, pin};
use crate::support::{alone, elsewhere};

crate::domain! { One }
crate::domain! { Other }
crate::domain! { Watched }
crate::domain! { Waiting }
crate::domain! { Late }

/// A thread that ends gives its flags back, in every domain in which it pinned.
#[test]
fn flags_go_to_the_next_thread() {
    let _alone = alone();
    let flags = || [One::pins(), Other::pins()].map(Pins::count);
    for round in 0..10 {
        elsewhere(|| {
            drop(One::pin());
            if round % 2 == 0 {
                drop((Other::pin(), pin()));
            }
        });
        assert_eq!(flags(), [1, 1], "after {round} threads");
    }
}

/// A pin in a destructor that runs after the exit hook gives its flag back, too.
#[test]
fn flags_of_late_pins_go_to_the_next_thread() {
    struct PinsLate;
    impl Drop for PinsLate {
        fn drop(&mut self) {
            drop(Late::pin());
        }
    }
    // In any order of destructors, one of these thread-locals is dropped after the engine's hook.
    std::thread_local! {
        static BEFORE: PinsLate = const { PinsLate };
        static AFTER: PinsLate = const { PinsLate };
    }
    for round in 0..10 {
        elsewhere(|| {
            BEFORE.with(|_| ());
            drop(Late::pin());
            AFTER.with(|_| ());
        });
        assert_eq!(Late::pins().count(), 1, "after {round} threads");
    }
}

#[test]
fn pinned_threads_are_listed() {
    assert!(Watched::pinned_threads().is_empty());
    let pinned = Watched::pin();
    let threads = Watched::pinned_threads();
    assert_eq!(threads.len(), 1);
    assert_eq!(threads[0].name(), thread::current().name());
    let line = threads[0].to_string();
    assert!(line.contains("pinned_threads_are_listed"), "{line}");
    if cfg!(debug_assertions) {
        assert_eq!(threads[0].place().map(std::panic::Location::file), Some(file!()));
        assert!(line.contains(file!()), "{line}");
    }
    // The same pin has the same beginning, and the next pin a later one.
    let again = Watched::pinned_threads();
    assert_eq!(again[0].since(), threads[0].since());
    drop(pinned);
    assert!(Watched::pinned_threads().is_empty());
    let _next = Watched::pin();
    assert!(Watched::pinned_threads()[0].since() > threads[0].since());
}

#[test]
fn pools_of_a_domain_wait_for_its_pins_alone() {
    let (one, global) = (Pool::<u64, Plain<Waiting>>::with_hooks(), Pool::<u64>::new());
    let _pinned = (Waiting::pin(), Waiting::pin());
    assert!(!std::ptr::eq(Waiting::pins(), Global::pins()));
    let (mine, other) = (one.allocate(), global.allocate());
    let handles = (mine.handle(), other.handle());
    drop((mine, other));
    assert!(!one.contains(handles.0) && !global.contains(handles.1));
    assert_ne!(one.allocate().index(), handles.0.index(), "reused under a pin");
}
