//! Threads that push to a stock or a limbo and take from it at the same time, and objects that begin to wait while pins end.

use std::cell::Cell;
use std::ptr::NonNull;

use super::{Cells, Lazy, Limbo, Magazine, Stock, Taken, Waiting};
use crate::pool::chunk::Slot;
use crate::pool::models::{Beginning, Ending, Payload, are_all, both, ends, model, saw};
use crate::pool::pins::fence_before_look;
use crate::pool::{Global, Owned, Pool, Readers, pin};
use crate::sync::plain::AtomicUsize;
use crate::sync::{AtomicPtr, Ordering, loads_are_rmw};

/// Two threads use a value for the first time: both get the same one, as it was made, and one that was made in vain is dropped.
#[test]
fn made_at_the_first_use() {
    /// How many were made. loom does not see it.
    static MADE: AtomicUsize = AtomicUsize::new(0);
    fn seven() -> Payload {
        MADE.fetch_add(1, Ordering::Relaxed);
        let mut payload = Payload::default();
        payload.write(7);
        payload
    }
    model(&["made once", "made twice"], || {
        MADE.store(0, Ordering::Relaxed);
        let lazy = Lazy {
            at: AtomicPtr::new(std::ptr::null_mut()),
            make: seven,
        };
        let first_use = || {
            let made = lazy.get_or_make();
            assert_eq!(made.read(), 7);
            std::ptr::from_ref(made).addr()
        };
        let (here, there) = both(first_use, first_use);
        assert_eq!(here, there);
        saw(if MADE.load(Ordering::Relaxed) == 1 {
            "made once"
        } else {
            "made twice"
        });
    });
}

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

/// Changes the object of a magazine, which is a race unless all earlier accesses happened before. Returns its
/// old value.
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

/// Takes an entry, if every pin is newer.
fn take(limbo: &Limbo) -> Option<u32> {
    match limbo.take(Global::pins()) {
        Taken::Slots(Waiting::One(slot)) => Some(slot),
        Taken::Slots(Waiting::Many(_)) => unreachable!("no magazine waits"),
        _ => None,
    }
}

/// An outcome, and one that needs a load of an old value.
fn outcomes(always: &'static str, stale: &'static str) -> &'static [&'static str] {
    let both = Box::leak(Box::new([always, stale]));
    if loads_are_rmw() { &both[..1] } else { both }
}

/// Two threads take while a pin ends. Each entry goes to one of them, and none is lost, even if both put one back.
#[test]
fn two_threads_take_from_a_limbo() {
    model(&["too young", "both"], || {
        let limbo = &Limbo::new();
        let pinned = pin();
        limbo.push(Waiting::One(1), Global::pins());
        limbo.push(Waiting::One(2), Global::pins());
        let (here, there) = both(
            || {
                assert_eq!(take(limbo), None, "taken under a pin");
                drop(pinned);
                take(limbo)
            },
            || take(limbo),
        );
        saw(if there.is_some() { "both" } else { "too young" });
        let rest = std::iter::from_fn(|| take(limbo));
        are_all(here.into_iter().chain(there).chain(rest), &[1, 2]);
        assert_eq!(limbo.len(), 0);
    });
}

/// Two threads free objects under pins of their own. Whatever the order, the end of a pin finds each object: at the latest the next one.
#[test]
fn objects_begin_to_wait_while_pins_end() {
    model(outcomes("at the ends", "at the next end"), || {
        let pool = Pool::<_, Ending>::with_hooks();
        let [one, two] = [(); 2].map(|()| pool.allocate());
        let _ = (one.handle(), two.handle());
        let under_a_pin = |owner| {
            let pinned = pin();
            drop(owner);
            drop(pinned);
        };
        both(|| under_a_pin(one), || under_a_pin(two));
        assert!(ends() == 2 || !loads_are_rmw(), "forgotten");
        saw(if ends() == 2 { "at the ends" } else { "at the next end" });
        drop(pin());
        assert_eq!((ends(), pool.stats().waiting), (2, 0));
    });
}

/// With an exact limit of one, two threads free at the same time: one object is kept, and the other one dropped.
#[test]
fn two_frees_at_an_exact_limit() {
    model(&["own", "other"], || {
        let pool = Pool::<_, Ending>::with_hooks().keep(crate::PoolPolicy::KeepAtMost(1));
        let [one, two] = [(); 2].map(|()| pool.allocate());
        let own = one.index();
        let (next, ()) = both(
            || {
                drop(one);
                pool.allocate().index()
            },
            || drop(two),
        );
        saw(if next == own { "own" } else { "other" });
        assert_eq!((pool.stats().live, pool.stats().kept, ends()), (0, 1, 3));
    });
}

/// An allocation takes the object that waits, and puts it back, while the pin ends. One of the threads finds that the
/// pin has ended.
#[test]
fn an_allocation_beside_the_end_of_a_pin() {
    model(&["at once"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let _ = owner.handle();
        let pinned = pin();
        drop(owner);
        both(|| drop(pinned), || drop(pool.allocate()));
        let is_over = pool.stats().waiting == 0;
        assert!(is_over || !loads_are_rmw(), "forgotten");
        saw(if is_over { "at once" } else { "at the next end" });
        drop(pin());
        assert_eq!((pool.stats().waiting, ends()), (0, 2));
    });
}

/// The end of an older pin takes a pool off the list while an allocation has its only entry, which waits for a later pin. The end of the
/// later pin finds the entry.
#[test]
fn an_allocation_beside_the_end_of_an_older_pin() {
    model(&["waiting", "over"], || {
        let pools = [(); 2].map(|()| Pool::<_, Ending>::with_hooks());
        let owners = [0, 1].map(|at| pools[at].allocate());
        owners.iter().for_each(|owner| _ = owner.handle());
        let [first, second] = owners;
        let older = pin();
        drop(first);
        both(
            || drop(older),
            || {
                let later = pin();
                drop(second);
                let owner = pools[1].allocate();
                let is_over = pools[0].stats().waiting == 0;
                saw(if is_over { "over" } else { "waiting" });
                drop(later);
                drop(owner);
            },
        );
        let waiting = || [0, 1].map(|at| pools[at].stats().waiting);
        assert!(waiting() == [0, 0] || !loads_are_rmw(), "missed");
        drop(pin());
        assert_eq!(waiting(), [0, 0], "forgotten");
        assert_eq!(ends(), 3);
    });
}

/// A thread that takes an entry which another thread has put back sees what was done before the entry came.
#[test]
fn an_entry_that_was_put_back_is_seen_whole() {
    model(&["taken", "missed"], || {
        let limbo = &Limbo::new();
        let pins = Global::pins();
        let flag = pins.claim_flag();
        pins.begin(flag, None);
        let object = Box::into_raw(Box::new(Payload::default()));
        let write = |value| {
            // SAFETY: only the thread that pushes the entry, and later the one that takes it, use the object.
            unsafe { &mut *object }.write(value);
        };
        both(
            || {
                // Puts the entry back while the flag is up.
                let first = || take(limbo).inspect(|_| write(3));
                both(first, || {
                    write(1);
                    fence_before_look();
                    limbo.push(Waiting::One(1), pins);
                });
            },
            || {
                flag.end();
                let taken = take(limbo).inspect(|_| write(2));
                saw(if taken.is_some() { "taken" } else { "missed" });
            },
        );
        while take(limbo).is_some() {}
        // SAFETY: the threads have ended.
        drop(unsafe { Box::from_raw(object) });
    });
}

/// The end of a pin takes a pool off the list while a thread leaves another object there, which waits for a later pin. It is found.
#[test]
fn a_pool_is_taken_off_the_list_beside_a_free() {
    model(&["listed", "listed again"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let [one, two] = [(); 2].map(|()| pool.allocate());
        let _ = (one.handle(), two.handle());
        let pins = Global::pins();
        let [older, later] = [(); 2].map(|()| pins.claim_flag());
        pins.begin(older, None);
        drop(one);
        pins.begin(later, None);
        older.end();
        let depot = pool.untyped.depot.get().expect("it has objects");
        both(
            || pins.finish_waiting(),
            || {
                let is_listed = depot.is_listed.load(Ordering::Relaxed);
                drop(two);
                saw(if is_listed { "listed" } else { "listed again" });
            },
        );
        assert_eq!(pool.stats().waiting, 1);
        later.end();
        drop(pin());
        assert_eq!((pool.stats().waiting, ends()), (0, 2), "forgotten");
    });
}
