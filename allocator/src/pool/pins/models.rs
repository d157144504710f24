//! The mode rises while other threads free.

use std::sync::Arc;

use super::{Flag, Waiter, fence_before_look};
use crate::pool::models::{Beginning, both, look, model, model_with_fence, reuse, saw};
use crate::pool::{Global, Pool, Readers, pin};
use crate::sync::plain::{AtomicU64, Ordering};

/// A first reader appears while another thread frees and reuses without a scan.
#[test]
fn a_first_reader_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || drop(reuse(&pool, owner, key)),
            || look(pool.get(key, &pin()), "stale"),
        );
    });
}

/// A second reader appears while the only reader frees and reuses without a scan.
#[test]
fn a_second_reader_against_a_free() {
    model_with_fence(3, &["live", "stale", "reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        drop(pin());
        both(
            || drop(reuse(&pool, owner, key)),
            || look(pool.get(key, &pin()), "stale"),
        );
    });
}

/// One new reader sets the mode to `MANY` while another relies on it.
#[test]
fn two_new_readers_against_a_free() {
    model_with_fence(3, &["live", "stale"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        drop(pin());
        both(
            || drop(reuse(&pool, owner, key)),
            || {
                both(|| drop(pin()), || look(pool.get(key, &pin()), "stale"));
            },
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

/// A thread that takes the stamp of the list sees each pool that was added before a stamp was noted, also if an older stamp was there.
#[test]
fn a_stamp_leads_to_all_pools() {
    struct Finished(AtomicU64);
    impl Waiter for Finished {
        fn finish(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    model(&["before", "after"], || {
        let pins = Global::pins();
        let [older, later] = [(); 2].map(|()| Arc::new(Finished(AtomicU64::new(0))));
        let add = |pool: &Arc<Finished>, since| {
            let weak = Arc::downgrade(pool);
            pins.add_waiter(weak);
            pins.note_wait(since);
        };
        let [first, second] = [(); 2].map(|()| pins.stamp());
        add(&older, first);
        both(|| pins.finish_waiting(), || add(&later, second));
        let is_over = later.0.load(Ordering::Relaxed) == 1;
        saw(if is_over { "before" } else { "after" });
        assert!(is_over || pins.is_wait_over(), "the stamp was taken without its pool");
    });
}
