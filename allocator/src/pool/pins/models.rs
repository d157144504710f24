//! Pins against freeing threads, and modes that rise while other threads free.

use std::sync::Arc;

use super::{Flag, GuardsOnly, Participant, Pins, Stamp, Waiter, fence_before_look, pin};
use crate::pool::models::{
    BEGUN, Beginning, Ending, Payload, both, by_guard, by_pin, ends, ends_here, exist, free_against, look, model,
    model_with_fence, saw, saw_reuse,
};
use crate::pool::{Domain, Global, Pool, Readers};
use crate::sync::plain::{AtomicU64, Ordering};
use crate::sync::{loads_are_rmw, process_static, thread_static};

/// An object is not reused under a pin.
#[test]
fn free_against_pin() {
    model(&["live", "stale", "reused", "not reused"], || {
        free_against(|_, _| (), by_pin)
    });
}

/// A finalizer waits for the pin, and runs on the first thread that finds the wait over.
#[test]
fn the_last_unpin_finalizes() {
    model(&["live", "stale", "at once", "by the reader"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let handle = owner.handle();
        let (at_once, by_reader) = both(
            || ends_here(owner),
            || {
                let pinned = pin();
                look(pool.get(handle, &pinned), "stale");
                let before = ends();
                drop(pinned);
                before == 0 && ends() == 1
            },
        );
        saw(match (at_once, by_reader) {
            (true, false) => "at once",
            (_, true) => "by the reader",
            // The reader has not seen yet that an object waits, and the other thread has not seen that the reader has
            // left.
            (false, false) => "later",
        });
        if loads_are_rmw() {
            assert!(at_once || by_reader || ends() == 1, "forgotten");
        }
        drop(pin());
        assert_eq!(ends(), 1);
    });
}

/// Magazines wait for the pins that existed at their stamp, and for no later pin.
fn magazines_of_old_pins() {
    let pool = Pool::<_, Beginning>::with_hooks();
    let owners = [pool.allocate(), pool.allocate(), pool.allocate()];
    let handles = owners.each_ref().map(|owner| owner.handle());
    let first = pin();
    both(
        || {
            // The pin of this thread blocks reuse, so the first two wait with a stamp, and come back together.
            drop(owners);
            // The third one waits, too. Otherwise the allocation would fence for it.
            pool.prewarm(0).unwrap();
            drop(first);
            let _newer = pin();
            let next = [(); 2].map(|()| pool.allocate());
            let reused = next.iter().any(|owner| owner.index() == handles[0].index());
            saw(if reused { MAGAZINES[0] } else { MAGAZINES[1] });
        },
        || {
            for _ in 0..2 {
                if let Some(object) = pool.get(handles[0], &pin()) {
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                }
            }
        },
    );
}

const MAGAZINES: [&str; 3] = ["reused under a newer pin", "not reused", "live"];

#[test]
fn magazines_wait_for_old_pins_only() {
    model(&MAGAZINES, magazines_of_old_pins);
}

/// As above, where the end of a pin does not fence.
#[test]
fn magazines_wait_for_old_pins_only_with_modes() {
    model_with_fence(3, &MAGAZINES, magazines_of_old_pins);
}

/// A thread that takes magazines that wait scans for pins after it has them.
#[test]
fn magazines_deferred_under_a_pin() {
    model(&["reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let seen = |()| {
            let owner = pool.allocate();
            let _ = owner.handle();
            owner
        };
        let (owners, before) = ([(); 3].map(seen), [(); 3].map(seen));
        let pinned = pin();
        drop(before);
        drop(pinned);
        both(
            || {
                let handle = owners[0].handle();
                let pinned = pin();
                let object = pool.get(handle, &pinned).unwrap();
                // Takes the only magazine that waits, and puts another one there.
                let other = pool.allocate();
                drop(owners);
                assert_eq!(object.read(), BEGUN);
                drop(other);
            },
            || {
                let before = exist(&pool);
                drop(pool.allocate_with(|object| object.write(1)));
                saw_reuse(exist(&pool) == before);
            },
        );
    });
}

/// The same for objects that wait for their finalizer.
#[test]
fn deferred_one_after_another() {
    model(&["none yet", "one", "both"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owners = [pool.allocate(), pool.allocate()];
        let ((), then) = both(
            || {
                for owner in owners {
                    let pinned = pin();
                    let object = pool.get(owner.handle(), &pinned).unwrap();
                    drop(owner);
                    assert_eq!(object.read(), BEGUN);
                }
            },
            || {
                let _ = pool.collect();
                ends()
            },
        );
        saw(match then {
            0 => "none yet",
            1 => "one",
            _ => "both",
        });
        assert!(ends() == 2 || !loads_are_rmw(), "forgotten");
        drop(pin());
        assert_eq!(ends(), 2);
    });
}

/// No object is forgotten when two threads scan at the same time.
#[test]
fn deferred_under_a_pin() {
    model(&["here", "there"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let (here, ()) = both(
            || {
                let pinned = pin();
                let object = pool.get(owner.handle(), &pinned).unwrap();
                drop(owner);
                assert_eq!(object.read(), BEGUN);
                assert_eq!(ends(), 0);
                drop(pinned);
                ends() == 1
            },
            // Finishes objects that wait for pins, twice.
            || {
                drop(pin());
                let _ = pool.collect();
            },
        );
        saw(if here { "here" } else { "there" });
        assert!(ends() == 1 || !loads_are_rmw(), "forgotten");
        drop(pin());
        assert_eq!(ends(), 1);
    });
}

/// A thread takes over the flag of a thread that has read and ended. A free that sees the later pin, or its end, waits for the
/// earlier one too.
#[test]
fn a_flag_for_a_second_thread() {
    let outcomes = ["live", "stale", "reused"];
    model_with_fence(3, &outcomes, || {
        free_against(
            |_, _| {
                // From here on the mode is `MANY`, so a pin that begins changes nothing but its flag.
                drop(pin());
                both(|| (), || drop(pin()));
            },
            |pool, handle| _ = both(|| drop(pin()), || by_pin(pool, handle)),
        );
    });
}

// Domains against each other, and pools that are read by guards only.

enum Other {}

process_static! { static PINS: Pins = Pins::new(); }
thread_static! { static THREAD: Participant = Participant::new(); }
super::readers!(Other, by_pin: true);
impl Domain for Other {}

/// A thread pins in two domains. Frees in one of them see only the pins of that domain.
fn domain_against_domain() {
    let (here, there) = (
        Pool::<Payload, Ending>::with_hooks(),
        Pool::<_, Ending<Other>>::with_hooks(),
    );
    let (one, other) = (here.allocate(), there.allocate());
    let handles = (one.handle(), other.handle());
    let there = &there;
    both(
        || {
            drop(one);
            assert_eq!(ends(), 1, "a pin of another domain delayed the finalizer");
            drop(other);
            saw(if ends() == 2 { "at once" } else { "late" });
        },
        || {
            let pinned = Other::pin();
            look(there.get(handles.1, &pinned), "stale");
        },
    );
    drop(Other::pin());
    assert_eq!(ends(), 2);
    assert!(here.get(handles.0, &pin()).is_none());
}

#[test]
fn a_pin_of_another_domain_against_a_free() {
    model(&["live", "stale", "at once", "late"], domain_against_domain);
}

#[test]
fn a_pin_of_another_domain_against_a_free_in_modes() {
    model_with_fence(2, &["live", "stale", "at once", "late"], domain_against_domain);
}

/// In a pool that is read only by guards, the finalizer runs during the free, or at the end of the last guard. Pins do not delay it.
fn guards_only() {
    let pool = Pool::<Payload, Ending<GuardsOnly>>::with_hooks();
    let owner = pool.allocate();
    let handle = owner.handle();
    let _pinned = pin();
    let (at_once, ()) = both(|| ends_here(owner), || by_guard(&pool, handle));
    assert_eq!(ends(), 1, "the finalizer is late");
    saw(if at_once { "at the free" } else { "at the guard's end" });
}

const GUARDED: [&str; 4] = ["live", "stale", "at the free", "at the guard's end"];

#[test]
fn guards_only_against_a_free() {
    model(&GUARDED, guards_only);
}

#[test]
fn guards_only_against_a_free_in_modes() {
    model_with_fence(2, &GUARDED, guards_only);
}

/// A first reader appears while another thread frees and reuses without a scan.
#[test]
fn a_first_reader_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused"], || free_against(|_, _| (), by_pin));
}

/// A second reader appears while the only reader frees and reuses without a scan.
#[test]
fn a_second_reader_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused", "not reused"], || {
        free_against(|_, _| drop(pin()), by_pin)
    });
}

/// One new reader sets the mode to `MANY` while another relies on it.
#[test]
fn two_new_readers_against_a_free() {
    model_with_fence(3, &["live", "stale"], || {
        free_against(
            |_, _| drop(pin()),
            |pool, handle| _ = both(|| drop(pin()), || by_pin(pool, handle)),
        );
    });
}

/// Of two pins that end at the same time, the end of one sees that the other has ended: it finds what waited for both.
#[test]
fn two_pins_that_end_at_the_same_time() {
    model(&["one", "both"], || {
        let pins = Global::pins();
        let flags = [(); 2].map(|()| pins.claim_flag());
        flags.iter().for_each(|flag| pins.begin(flag, None));
        fence_before_look();
        pins.note_wait(pins.stamp());
        let end = |flag: &Flag| {
            flag.end();
            pins.is_wait_over()
        };
        let (here, there) = both(|| end(flags[0]), || end(flags[1]));
        assert!(here || there, "neither end finds the wait over");
        saw(if here && there { "both" } else { "one" });
    });
}

/// A pool that notes that it was finished.
struct Finished(AtomicU64);

impl Finished {
    fn add(since: Stamp) -> Arc<Self> {
        let pool = Arc::new(Self(AtomicU64::new(0)));
        let weak = Arc::downgrade(&pool);
        Global::pins().add_waiter(weak);
        Global::pins().note_wait(since);
        pool
    }

    fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 1
    }
}

impl Waiter for Finished {
    fn drain_passed(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A thread that takes the stamp of the list sees each pool that was added before a stamp was noted, even if an older stamp was there.
#[test]
fn a_stamp_leads_to_all_pools() {
    model(&["before", "after"], || {
        let pins = Global::pins();
        let [first, second] = [(); 2].map(|()| pins.stamp());
        let _older = Finished::add(first);
        let ((), later) = both(|| pins.finish_waiting(), || Finished::add(second));
        saw(if later.is_over() { "before" } else { "after" });
        assert!(
            later.is_over() || pins.is_wait_over(),
            "the stamp was taken without its pool"
        );
    });
}

/// The end of a pin looks for pools while a thread removes those that have ended. The next end of a pin finds the others.
#[test]
fn a_list_that_is_cleaned_beside_the_end_of_a_pin() {
    model(&["before", "after"], || {
        let pins = Global::pins();
        let stamp = pins.stamp();
        let pools = [(); 2].map(|()| Finished::add(stamp));
        drop(Finished::add(stamp));
        both(|| pins.finish_waiting(), || pins.forget_ended());
        let is_over = pools.iter().all(|pool| pool.is_over());
        saw(if is_over { "before" } else { "after" });
        assert!(
            is_over || pins.is_wait_over(),
            "a pool is in the list, and no stamp leads to it"
        );
    });
}
