//! Threads that push and pop at the same time.

use std::cell::Cell;

use std::ptr::NonNull;

use super::{Cells, Magazine, Stock};
use crate::pool::models::{Beginning, Payload, are_all, both, model, saw};
use crate::pool::slot::Slot;
use crate::pool::{Owned, Pool};

/// Puts one object of this value into a magazine.
fn packed(owner: &mut Owned<Payload, &'_ Pool<Payload, Beginning>>, value: u32) -> Box<Magazine> {
    owner.get_mut().expect("not shared").write(value);
    let mut magazine = Magazine::new();
    magazine.push(Slot::of_own(owner.index()));
    magazine
}

/// Puts a magazine into a cell. Returns it if all are full.
fn push(cells: &Cells<Magazine>, magazine: Box<Magazine>) -> Option<Box<Magazine>> {
    let raw = NonNull::from(Box::leak(magazine));
    // SAFETY: from the box above; no cell has it.
    let back = || unsafe { Box::from_raw(raw.as_ptr()) };
    cells.push(raw, usize::MAX).is_none().then(back)
}

fn pop(cells: &Cells<Magazine>) -> Option<Box<Magazine>> {
    // SAFETY: `push` put a box there, and the pop gave it to this thread.
    cells.pop().map(|raw| unsafe { Box::from_raw(raw.as_ptr()) })
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
        let cells = &Cells::new(1);
        let (popped, refused) = both(
            || {
                let refused = push(cells, packed(&mut one, 1)).map(unpacked);
                let popped = pop(cells).map(unpacked);
                saw(if popped == Some(1) { "own" } else { "other" });
                refused.into_iter().chain(popped).collect::<Vec<_>>()
            },
            || push(cells, packed(&mut two, 2)).map(unpacked),
        );
        let rest = std::iter::from_fn(|| pop(cells)).map(unpacked);
        are_all(popped.into_iter().chain(refused).chain(rest), &[1, 2]);
        assert_eq!([one.read(), two.read()], [11, 12]);
    });
}

/// Two threads pop, and one of them gets a magazine that came meanwhile: no magazine goes to both, and none is lost.
#[test]
fn cells_of_two_poppers() {
    model(&["here", "there"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let [mut one, mut two] = [(); 2].map(|()| pool.allocate());
        let cells = &Cells::new(2);
        let pushed = Cell::new(push(cells, packed(&mut one, 1)).is_none());
        let (here, there) = both(
            || {
                let popped = pop(cells).map(unpacked);
                pushed.set(pushed.get() && push(cells, packed(&mut two, 2)).is_none());
                popped
            },
            || pop(cells).map(unpacked),
        );
        assert!(pushed.get(), "there is room for both");
        saw(if here == Some(1) { "here" } else { "there" });
        let rest = std::iter::from_fn(|| pop(cells)).map(unpacked);
        are_all(here.into_iter().chain(there).chain(rest), &[1, 2]);
        assert_eq!([one.read(), two.read()], [11, 12]);
    });
}

/// Magazines and single slots go through all three containers of the stock: each slot has one place at the end.
#[test]
fn a_stock_of_two_threads() {
    model(&["found", "missed"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let [mut one, mut two, mut three] = [(); 3].map(|()| pool.allocate());
        let [first, second, third] = [packed(&mut one, 1), packed(&mut two, 2), packed(&mut three, 3)];
        let stock = &Stock::new();
        let (here, there) = both(
            || {
                stock.push(first);
                // There is one cell, which may be full.
                stock.push(second);
                stock.put(third.slots()[0]);
                stock.pop().map(unpacked)
            },
            || {
                let popped = stock.pop().map(unpacked);
                assert!(stock.slots() <= 3, "below 0");
                saw(if popped.is_some() { "found" } else { "missed" });
                popped
            },
        );
        let rest = std::iter::from_fn(|| stock.pop()).map(unpacked);
        are_all(here.into_iter().chain(there).chain(rest), &[1, 2, 3]);
        assert_eq!(stock.slots(), 0);
    });
}
