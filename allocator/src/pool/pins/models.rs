//! The mode rises while other threads free.

use std::sync::Arc;

use super::{Flag, Stamp, Waiter, fence_before_look};
use crate::pool::models::{both, by_pin, free_against, model, model_with_fence, saw};
use crate::pool::{Global, Readers, pin};
use crate::sync::plain::{AtomicU64, Ordering};

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

/// A thread that takes the stamp of the list sees each pool that was added before a stamp was noted, also if an older stamp was there.
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
