//! Readers of a pool that grows.

use loom::sync::atomic::{AtomicU64, Ordering};

use crate::pool::memory::shape::MOST_SLOTS;
use crate::pool::models::{BEGUN, Beginning, both, model, saw};
use crate::pool::{Key, Pool, pin};

/// A reader that was made while there was one chunk finds an object that another thread has put into the second.
#[test]
fn a_part_that_comes_while_there_are_readers() {
    model(&["found", "not yet"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let full: Vec<_> = (0..MOST_SLOTS).map(|_| pool.allocate()).collect();
        let hand_over = AtomicU64::new(0);
        both(
            || {
                let pinned = pin();
                let reader = pool.reader(&pinned);
                let first = full[0].key();
                assert!(reader.get(first).is_some());
                let Some(key) = Key::from_bits(hand_over.load(Ordering::Acquire)) else {
                    return saw("not yet");
                };
                let object = reader.get(key).expect("it lives");
                assert_eq!(object.read(), BEGUN);
                assert_eq!(reader.get_many(&[first, key]).flatten().count(), 2);
                saw("found");
            },
            || hand_over.store(pool.allocate().into_manual().to_bits(), Ordering::Release),
        );
    });
}

/// A key that comes without any order, as a guess does, while another thread makes the pool's first chunk. A reader that finds the
/// chunk finds its words.
#[test]
fn a_guess_against_the_first_chunk() {
    model(&["live", "stale", "no chunk"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        // Makes the pool's record.
        let _ = pool.reader(&pin());
        let guess = AtomicU64::new(0);
        both(
            || {
                let pinned = pin();
                let guess = Key::from_bits(guess.load(Ordering::Relaxed));
                let reader = pool.reader(&pinned);
                match guess {
                    // The directory, which a reader without a chunk asks, is outside loom.
                    Some(key) if !reader.span.is_none() => match reader.near(key) {
                        Some(object) => {
                            assert_eq!(object.read(), BEGUN);
                            saw("live");
                        }
                        None => saw("stale"),
                    },
                    _ => saw("no chunk"),
                }
            },
            || {
                let owner = pool.allocate();
                guess.store(owner.key().to_bits(), Ordering::Relaxed);
            },
        );
    });
}
