//! Several owners.

use crate::pool::Pool;
use crate::pool::models::{BEGUN, Ending, both, ends, model, saw};

/// The thread that drops the last owner ends the life, after all accesses by the other owners.
#[test]
fn owners_on_two_threads() {
    model(&["ended here", "ended there"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let other = owner.clone();
        let (here, there) = both(
            || {
                assert_eq!(owner.read(), BEGUN);
                let before = ends();
                drop(owner);
                before == 0 && ends() == 1
            },
            || {
                assert_eq!(other.read(), BEGUN);
                let before = ends();
                drop(other);
                before == 0 && ends() == 1
            },
        );
        assert!(here || there);
        saw(if here { "ended here" } else { "ended there" });
        assert_eq!(ends(), 1);
    });
}

#[test]
fn owners_cloned_on_two_threads() {
    model(&["last here", "last there"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let owner = pool.allocate();
        let other = owner.clone();
        both(
            || {
                let more = owner.clone();
                drop(owner);
                assert_eq!(more.read(), BEGUN);
                if more.owners() == 1 {
                    saw("last here");
                }
            },
            || {
                let more = other.clone();
                assert_eq!(other.read(), BEGUN);
                drop(other);
                if more.owners() == 1 {
                    saw("last there");
                }
            },
        );
        assert_eq!(ends(), 1);
    });
}
