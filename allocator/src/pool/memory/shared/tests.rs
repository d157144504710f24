use super::{Shared, WeakShared};
use crate::sync::plain::{AtomicUsize, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

struct Counted<'c>(&'c AtomicUsize, Option<WeakShared<Self>>);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
        let me = self.1.take();
        assert!(me.is_none_or(|me| me.upgrade().is_none()), "gone for who asks now");
    }
}

#[test]
fn the_last_owner_drops_the_value() {
    let drops = AtomicUsize::new(0);
    let first = Shared::try_new(|| Counted(&drops, None)).unwrap();
    let weak = first.downgrade();
    let second = weak.upgrade().unwrap();
    assert!(first.ptr_eq(&second) && weak.ptr_eq(&second.downgrade()));
    std::thread::scope(|scope| {
        for owner in [first, second] {
            let weak = weak.clone();
            scope.spawn(move || {
                drop(owner.clone());
                drop((owner, weak.upgrade()));
            });
        }
    });
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    assert!(weak.upgrade().is_none());
}

#[test]
fn a_value_that_knows_itself() {
    let drops = AtomicUsize::new(0);
    let value = Shared::try_cyclic((), |me| {
        assert!(me.upgrade().is_none(), "not there yet");
        Ok(Counted(&drops, Some(me.clone())))
    });
    let value = value.unwrap();
    assert!(value.1.as_ref().unwrap().upgrade().is_some());
    drop(value);
    assert_eq!(drops.load(Ordering::Relaxed), 1);
}

/// No value is made, because of an error or a panic. The memory is freed once.
#[test]
fn a_value_that_was_not_made() {
    let refused = Shared::<u64>::try_cyclic("no memory", |_| Err("refused"));
    assert_eq!(refused.err(), Some("refused"));
    let mut left = None;
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        Shared::<u64>::try_cyclic((), |me| {
            left = Some(me.clone());
            panic!("of a test")
        })
        .is_ok()
    }));
    assert!(panicked.is_err() && left.unwrap().upgrade().is_none());
}
