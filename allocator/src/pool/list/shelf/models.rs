//! The shelf between threads.

use std::cell::Cell;

use crate::pool::Pool;
use crate::pool::list::magazine::{MAGAZINE, Magazine};
use crate::pool::memory::slot::Slot;
use crate::pool::models::{Beginning, Payload, both, model, saw};

/// One thread frees into the shelf while another takes slots from it: every object passes with its writes, and to one of them.
#[test]
fn reuse_against_a_remote_free() {
    model(&["in time", "too late"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let mut owners = [(); MAGAZINE + 1].map(|()| pool.allocate());
        let slots = owners.each_ref().map(|owner| Slot::of_own(owner.index()));
        let shelf = &super::Shelf::new(pool.untyped.depot.get().expect("it has objects").shape);
        let taken = Cell::new(0);
        let reuse = || {
            for magazine in std::iter::from_fn(|| shelf.take(Magazine::try_empty)) {
                taken.set(taken.get() + magazine.len());
                for &slot in magazine.slots() {
                    // SAFETY: the slot was on the shelf, and is not any more.
                    unsafe { slot.object::<Payload>().as_mut() }.write(2);
                }
            }
        };
        let (kept, sent) = owners.split_first_mut().expect("one at least");
        kept.get_mut().expect("not shared").write(1);
        shelf.put(&slots[..1]);
        both(reuse, || {
            sent.iter_mut()
                .for_each(|owner| owner.get_mut().expect("not shared").write(1));
            shelf.put(&slots[1..]);
        });
        saw(if taken.get() == slots.len() {
            "in time"
        } else {
            "too late"
        });
        reuse();
        assert_eq!(taken.get(), slots.len());
        assert!(owners.iter().all(|owner| owner.read() == 2));
    });
}
