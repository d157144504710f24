//! Threads that end.

use crate::pool::models::{BEGUN, Beginning, both, model, saw};
use crate::pool::{Pool, pin};

/// What a thread kept comes back when it ends, but not under the eyes of a reader.
#[test]
fn exit_hands_everything_back() {
    model(&["live", "stale", "reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || {
                let pinned = pin();
                if let Some(object) = pool.get(key, &pinned) {
                    // Takes what the other thread left, as far as it may.
                    drop([(); 2].map(|()| pool.allocate_with(|next| next.write(1))));
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                } else {
                    saw("stale");
                }
                drop(pinned);
                // One of its own, the other thread's that nobody saw, and the one that waited.
                let next = [(); 3].map(|()| pool.allocate());
                let reused = next.iter().any(|owner| owner.index() == key.index());
                saw(if reused { "reused" } else { "not reused" });
            },
            // Frees one that was seen and one that was not, and ends.
            || {
                drop(pool.allocate());
                drop(owner);
            },
        );
        let stats = pool.stats();
        assert_eq!((stats.live, stats.kept), (0, stats.fresh));
        let all: Vec<_> = (0..stats.fresh).map(|_| pool.allocate()).collect();
        assert_eq!(pool.stats().fresh, stats.fresh, "slots were lost");
        drop(all);
    });
}
