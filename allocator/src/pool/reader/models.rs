//! Reading on one thread under the pin of another, as the threads of rayon do.

use crate::pool::models::{Beginning, both, look, model, model_with_fence, reuse};
use crate::pool::{Pool, pin};

/// A free, and the next life of the slot, against a read under the pin of a third thread.
fn read_under_another_pin() {
    let pool = Pool::<_, Beginning>::with_hooks();
    let owner = pool.allocate();
    let key = owner.handle();
    both(
        || drop(reuse(&pool, owner, key)),
        || {
            let pinned = pin();
            let reader = pool.reader(&pinned);
            both(|| (), || look(reader.get(key), "stale"));
        },
    );
}

#[test]
fn reading_under_the_pin_of_another_thread() {
    model(&["live", "stale"], read_under_another_pin);
}

/// The same, while the mode of reading rises: before the pin, no thread has read.
#[test]
fn reading_under_the_first_pin_of_another_thread() {
    model_with_fence(2, &["live", "stale"], read_under_another_pin);
}
