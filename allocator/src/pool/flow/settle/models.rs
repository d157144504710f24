//! The last life.

use crate::LifeVersion;
use crate::pool::models::{BEGUN, Beginning, Ending, both, ends, model, saw};
use crate::pool::{Hooks, Pool};

fn retirement<H: Hooks<crate::pool::models::Payload>>() {
    model(&["live", "stale"], || {
        let pool = Pool::<_, H>::with_hooks();
        let mut owner = pool.allocate();
        pool.skip_lives(&mut owner, LifeVersion::LAST);
        let key = owner.key();
        both(
            || {
                drop(owner);
                assert_ne!(pool.allocate().index(), key.index(), "a retired slot came back");
            },
            || match pool.guard(key) {
                Some(object) => {
                    assert_eq!(object.read(), BEGUN);
                    saw("live");
                }
                None => saw("stale"),
            },
        );
        assert_eq!(pool.stats().retired, 1);
        assert_ne!(pool.allocate().index(), key.index(), "a retired slot came back");
        assert!(pool.guard(key).is_none());
        assert_eq!(pool.stats().panics, 0);
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
