//! Reading on one thread under the pin of another, as the threads of rayon do.

use crate::pool::chunk::MOST_SLOTS;
use crate::pool::models::{BEGUN, Beginning, Payload, both, free_against, look, model, model_with_fence, saw};
use crate::pool::{Handle, Pool, pin};

/// A free, and the next life of the slot, against a read under the pin of a third thread.
fn read_under_another_pin() {
    free_against(
        |_, _| (),
        |pool, handle| {
            let pinned = pin();
            let reader = pool.reader(&pinned);
            both(|| (), || look(reader.get(handle), "stale"));
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

// Iteration over the living objects while another thread frees, reuses and collects objects, and the pool grows.

/// The handles and values of the living objects. Checks that `kept` is found exactly once.
fn go_through(pool: &Pool<Payload, Beginning>, kept: Handle<Payload>) -> Vec<(Handle<Payload>, u32)> {
    let seen: Vec<_> = pool
        .iter(&pin())
        .map(|(handle, object)| (handle, object.read()))
        .collect();
    assert_eq!(seen.iter().filter(|one| **one == (kept, BEGUN)).count(), 1);
    seen
}

/// An object that lives throughout is seen once; one that is freed, and the next life of its slot, at most once.
#[test]
fn going_through_against_free_and_reuse() {
    model(&["the freed one", "the next one", "neither"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let (throughout, freed) = (pool.allocate(), pool.allocate());
        let (kept, handle) = (throughout.handle(), freed.handle());
        both(
            || {
                drop(freed);
                let _ = pool.allocate_with(|object| object.write(1)).into_manual();
            },
            || {
                let seen = go_through(&pool, kept);
                let next = seen.iter().filter(|one| one.1 == 1).count();
                let old = seen.iter().filter(|one| one.0 == handle).count();
                assert!(next <= 1 && old <= 1 && seen.len() == 1 + next + old);
                saw(match (old, next) {
                    (1, _) => "the freed one",
                    (_, 1) => "the next one",
                    _ => "neither",
                });
            },
        );
        drop(throughout);
    });
}

/// The same against a collection and a new chunk.
#[test]
fn going_through_against_collect_and_growth() {
    model(&["the new one", "not yet"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let throughout = pool.allocate();
        let kept = throughout.handle();
        let full: Vec<_> = (1..MOST_SLOTS).map(|_| pool.allocate()).collect();
        both(
            || {
                let _ = pool.allocate_with(|object| object.write(1)).into_manual();
                drop(full);
                let _ = pool.collect();
            },
            || {
                let seen = go_through(&pool, kept);
                assert!(seen.len() <= 2);
                saw(if seen.len() == 2 { "the new one" } else { "not yet" });
            },
        );
        drop(throughout);
    });
}

/// The same against the first chunk of the pool.
#[test]
fn going_through_against_the_first_chunk() {
    model(&["one", "none"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        pool.prewarm(0).expect("nothing is made");
        both(
            || _ = pool.allocate().into_manual(),
            || {
                let seen: Vec<_> = pool.iter(&pin()).map(|(_, object)| object.read()).collect();
                saw(match seen[..] {
                    [] => "none",
                    [BEGUN] => "one",
                    _ => panic!("another object"),
                });
            },
        );
    });
}
