//! Threads that end.

use crate::pool::models::{BEGUN, Beginning, both, model, saw, saw_reuse};
use crate::pool::{Pool, pin};

/// Slots that a thread kept return to the pool when the thread ends. A slot that is being read is not reused.
#[test]
fn exit_hands_everything_back() {
    model(&["live", "stale", "reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let handle = owner.handle();
        both(
            || {
                let pinned = pin();
                if let Some(object) = pool.get(handle, &pinned) {
                    // Reuses slots that the other thread left, except those that are being read.
                    drop([(); 2].map(|()| pool.allocate_with(|next| next.write(1))));
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                } else {
                    saw("stale");
                }
                drop(pinned);
                // This thread's own slot, the other thread's slot without a handle, and the slot that waited.
                let next = [(); 3].map(|()| pool.allocate());
                let reused = next.iter().any(|owner| owner.index() == handle.index());
                saw_reuse(reused);
            },
            // Frees an object with a handle and one without, and ends.
            || {
                drop(pool.allocate());
                drop(owner);
            },
        );
        let stats = pool.stats();
        assert_eq!(stats.live, 0);
        let all: Vec<_> = (0..stats.kept).map(|_| pool.allocate()).collect();
        assert_eq!(pool.stats().kept, 0, "slots were lost");
        drop(all);
    });
}
