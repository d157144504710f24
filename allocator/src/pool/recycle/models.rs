//! Slots in limbo that become ready again, and the last life.

use crate::pool::models::{Beginning, Ending, both, ends, look, model, saw_reuse};
use crate::pool::{Hooks, Pool, pin};

fn retirement<H: Hooks<crate::pool::models::Payload>>() {
    model(&["live", "stale"], || {
        let pool = Pool::<_, H>::with_hooks();
        let mut owner = pool.allocate();
        pool.skip_lives(&mut owner, i32::MAX.unsigned_abs());
        let handle = owner.handle();
        both(
            || {
                drop(owner);
                assert_ne!(pool.allocate().index(), handle.index(), "a worn slot came back");
            },
            || look(pool.guard(handle), "stale"),
        );
        assert_ne!(pool.allocate().index(), handle.index(), "a worn slot came back");
        assert!(pool.guard(handle).is_none());
    });
}

#[test]
fn retirement_against_guard() {
    retirement::<Beginning>();
}

#[test]
fn retirement_with_finalizer_against_guard() {
    retirement::<Ending>();
    let _ = ends();
}

/// A thread frees more than its limbo holds, and reuses them at once. It reuses no slot that is being read.
#[test]
fn a_full_list_against_a_pin() {
    model(&["live", "stale", "reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owners = [(); 3].map(|()| pool.allocate());
        let handles = owners.each_ref().map(|owner| owner.handle());
        both(
            || {
                drop(owners);
                let next = [(); 2].map(|()| pool.allocate_with(|object| object.write(1)));
                let reused = next.iter().any(|owner| owner.index() == handles[0].index());
                saw_reuse(reused);
            },
            || look(pool.get(handles[0], &pin()), "stale"),
        );
    });
}
