//! Frees by key.

use crate::pool::models::{BEGUN, Beginning, Ending, both, ends, model, saw};
use crate::pool::{Pool, pin};

/// Of two that free the same key one wins, and a later life is not theirs to end.
#[test]
fn manual_free_by_two_threads() {
    model(&["here", "there"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let key = pool.allocate().into_manual();
        let (here, there) = both(
            || {
                let won = pool.free(key).is_ok();
                assert_eq!(pool.allocate().read(), BEGUN);
                won
            },
            || pool.free(key).is_ok(),
        );
        assert!(here != there, "{} won", if here { "both" } else { "none" });
        saw(if here { "here" } else { "there" });
        // The loser's pin may have ended without seeing that an object waited for it; the next one looks.
        drop(pin());
        assert_eq!(ends(), 2);
        assert_eq!(pool.stats().panics, 0);
    });
}

/// What an owner did with the object comes before what is done by whoever frees it by key.
#[test]
fn manual_from_one_thread_to_another() {
    model(&["freed", "not yet"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || {
                assert_eq!(owner.read(), BEGUN);
                let _ = owner.into_manual();
            },
            || match pool.free(key) {
                Ok(()) => {
                    saw("freed");
                    pool.allocate_with(|object| object.write(1));
                }
                Err(_) => saw("not yet"),
            },
        );
        let _ = pool.free(key);
        assert_eq!(pool.stats().live, 0);
    });
}
