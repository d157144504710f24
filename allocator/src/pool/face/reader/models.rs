//! Reading on one thread under the pin of another, as the threads of rayon do.

use crate::pool::models::{BEGUN, Beginning, both, model, model_with_fence, saw};
use crate::pool::{Pool, pin};

/// A free, and the next life of the slot, against a read under the pin of a third thread.
fn read_under_another_pin() {
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
}

#[test]
fn reading_under_the_pin_of_another_thread() {
    model(&["seen", "gone"], read_under_another_pin);
}

/// The same, while the mode of reading rises: before the pin, no thread has read.
#[test]
fn reading_under_the_first_pin_of_another_thread() {
    model_with_fence(2, &["seen", "gone"], read_under_another_pin);
}
