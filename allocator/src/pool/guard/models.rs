//! The end of a pool.

use crate::pool::models::{both, model, saw};
use crate::pool::{Global, Guard, Hooks, Pool};
use crate::sync::plain::{AtomicU32, Ordering};
use std::sync::Arc;

/// Counts objects. Loom does not see that an `Arc` synchronises, so the hooks must not touch a cell.
struct Counting;
static MADE: AtomicU32 = AtomicU32::new(0);
static ENDED: AtomicU32 = AtomicU32::new(0);

impl Hooks<u32> for Counting {
    type Readers = Global;

    fn make() -> u32 {
        MADE.fetch_add(1, Ordering::Relaxed);
        7
    }
    const END: Option<fn(&mut u32)> = Some(|object| {
        *object = 0;
        ENDED.fetch_add(1, Ordering::Relaxed);
    });
}

/// The pool ends, with all that is in it, when both the pool and its last guard are dropped.
#[test]
fn drop_of_a_pool_against_its_last_guard() {
    model(&["live", "last guard"], || {
        let pool = Arc::new(Pool::<u32, Counting>::with_hooks());
        let handle = pool.allocate().into_manual();
        let guard = Guard::holding(&pool, |pool| pool, handle).unwrap();
        both(
            move || {
                let _ = pool.free(handle);
                drop(pool);
            },
            move || {
                assert_eq!(*guard, 7);
                saw("live");
                let alone = Arc::strong_count(guard.holder()) == 1;
                drop(guard);
                if alone {
                    saw("last guard");
                }
            },
        );
        assert_eq!(ENDED.load(Ordering::Relaxed), MADE.load(Ordering::Relaxed));
    });
}
