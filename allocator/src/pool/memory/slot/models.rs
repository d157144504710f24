//! The counts of owners of a chunk, which begin when the first owner is cloned.

use crate::pool::Pool;
use crate::pool::models::{BEGUN, Ending, both, ends, model};

/// Two threads clone their owners of two objects, whose counts are in one table. A thread that finds the other one's table finds
/// the counts in it.
#[test]
fn first_clones_of_two_objects() {
    model(&["executions"], || {
        let pool = Pool::<_, Ending>::with_hooks();
        let (one, other) = (pool.allocate(), pool.allocate());
        both(
            || {
                let more = one.clone();
                drop(one);
                assert_eq!(more.read(), BEGUN);
            },
            || {
                let more = other.clone();
                drop(other);
                assert_eq!(more.read(), BEGUN);
            },
        );
        assert_eq!(ends(), 2);
    });
}
