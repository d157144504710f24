//! The counts of [`Shared`], on two threads.

use super::{Shared, WeakShared};
use crate::pool::models::{Payload, both, model, saw};

fn shared() -> Shared<Payload> {
    Shared::try_new(Payload::default).expect("memory")
}

/// The last owner drops the value, after all reads by the other owner, which frees no memory that is still in use.
#[test]
fn owners_of_a_value_on_two_threads() {
    model(&["executions"], || {
        let one = shared();
        let other = one.clone();
        both(
            || {
                one.read();
                drop(one);
            },
            || {
                other.clone().read();
                drop(other);
            },
        );
    });
}

/// A weak reference leads to the value or to nothing, while the last owner leaves.
#[test]
fn upgrade_against_the_last_owner() {
    model(&["upgraded", "too late"], || {
        let owner = shared();
        let weak = owner.downgrade();
        both(
            || {
                owner.read();
                drop(owner);
            },
            || {
                match weak.upgrade() {
                    Some(owner) => {
                        saw("upgraded");
                        owner.read();
                    }
                    None => saw("too late"),
                }
                drop(weak);
            },
        );
    });
}

/// A weak reference that left before the value was made upgrades to `None`, or to the whole value.
#[test]
fn upgrade_against_the_first_owner() {
    model(&["upgraded", "too early"], || {
        let mut there = None;
        let owner = Shared::try_cyclic((), |me: &WeakShared<Payload>| {
            let me = me.clone();
            there = Some(loom::thread::spawn(move || match me.upgrade() {
                Some(owner) => {
                    saw("upgraded");
                    assert_eq!(owner.read(), 1);
                }
                None => saw("too early"),
            }));
            let mut value = Payload::default();
            value.write(1);
            Ok(value)
        });
        drop(owner);
        there.expect("begun").join().unwrap();
    });
}
