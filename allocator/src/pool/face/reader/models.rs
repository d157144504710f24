//! Reading on one thread under the pin of another, as the threads of rayon do.

use crate::pool::models::{BEGUN, Beginning, both, model, saw};
use crate::pool::{Pool, pin};

/// A free, and the next life of the slot, against a read under the pin of a third thread.
#[test]
fn reading_under_the_pin_of_another_thread() {
    model(&["seen", "gone"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owner = pool.allocate();
        let key = owner.key();
        both(
            || {
                drop(owner);
                drop(pool.allocate_with(|object| object.write(1)));
            },
            || {
                let pinned = pin();
                let reader = pool.reader(&pinned);
                both(
                    || (),
                    || match reader.get(key) {
                        Some(object) => {
                            assert_eq!(object.read(), BEGUN);
                            saw("seen");
                        }
                        None => saw("gone"),
                    },
                );
            },
        );
    });
}
