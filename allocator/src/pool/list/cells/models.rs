//! Threads that push and pop at the same time.

use std::cell::Cell;

use super::Cells;
use crate::pool::list::magazine::Magazine;
use crate::pool::memory::slot::Slot;
use crate::pool::models::{Beginning, Payload, both, model, saw};
use crate::pool::{Owner, Pool};

/// Puts one object of this value into a magazine.
fn packed<'a>(owner: &mut Owner<'a, Payload, Beginning>, value: u32) -> Box<Magazine> {
    owner.get_mut().expect("not shared").write(value);
    let mut magazine = Magazine::try_empty().expect("there is memory");
    magazine.push(Slot::of_own(owner.index()));
    magazine
}

/// Changes the object of a magazine, which needs everything that came before. Returns its old value.
fn unpacked(mut magazine: Box<Magazine>) -> u32 {
    let slot = magazine.pop().expect("one slot");
    // SAFETY: this thread has the slot: it took its magazine out of the cells.
    let object = unsafe { slot.object::<Payload>().as_mut() };
    let value = object.read();
    object.write(value + 10);
    value
}

/// Two threads push into one cell, and one of them pops: each magazine has one place at the end, with its object's writes.
#[test]
fn cells_of_two_pushers() {
    model(&["own", "other"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let [mut one, mut two] = [(); 2].map(|()| pool.allocate());
        let cells = &Cells::<1>::new();
        let (popped, refused) = both(
            || {
                let refused = cells.push(packed(&mut one, 1)).err().map(unpacked);
                let popped = cells.pop().map(unpacked);
                saw(if popped == Some(1) { "own" } else { "other" });
                refused.into_iter().chain(popped).collect::<Vec<_>>()
            },
            || cells.push(packed(&mut two, 2)).err().map(unpacked),
        );
        let rest = std::iter::from_fn(|| cells.pop()).map(unpacked);
        let mut all: Vec<_> = popped.into_iter().chain(refused).chain(rest).collect();
        all.sort_unstable();
        assert_eq!(all, [1, 2]);
        assert_eq!([one.read(), two.read()], [11, 12]);
    });
}

/// Two threads pop, and one of them gets a magazine that came meanwhile: no magazine goes to both, and none is lost.
#[test]
fn cells_of_two_poppers() {
    model(&["here", "there"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let [mut one, mut two] = [(); 2].map(|()| pool.allocate());
        let cells = &Cells::<2>::new();
        let pushed = Cell::new(cells.push(packed(&mut one, 1)).is_ok());
        let (here, there) = both(
            || {
                let popped = cells.pop().map(unpacked);
                pushed.set(pushed.get() && cells.push(packed(&mut two, 2)).is_ok());
                popped
            },
            || cells.pop().map(unpacked),
        );
        assert!(pushed.get(), "there is room for both");
        saw(if here == Some(1) { "here" } else { "there" });
        let rest = std::iter::from_fn(|| cells.pop()).map(unpacked);
        let mut all: Vec<_> = here.into_iter().chain(there).chain(rest).collect();
        all.sort_unstable();
        assert_eq!(all, [1, 2]);
        assert_eq!([one.read(), two.read()], [11, 12]);
    });
}
