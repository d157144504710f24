//! Freed slots that become ready again.

use crate::pool::models::{BEGUN, Beginning, both, model, saw};
use crate::pool::{Pool, pin};

/// A thread frees more than its list of freed slots holds, and reuses them at once. It reuses no slot that is being read.
#[test]
fn a_full_list_against_a_pin() {
    model(&["live", "stale", "reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owners = [(); 3].map(|()| pool.allocate());
        let keys = owners.each_ref().map(|owner| owner.key());
        both(
            || {
                drop(owners);
                let next = [(); 2].map(|()| pool.allocate_with(|object| object.write(1)));
                let reused = next.iter().any(|owner| owner.index() == keys[0].index());
                saw(if reused { "reused" } else { "not reused" });
            },
            || match pool.get(keys[0], &pin()) {
                Some(object) => {
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                }
                None => saw("stale"),
            },
        );
    });
}
