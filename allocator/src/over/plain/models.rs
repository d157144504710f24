//! Loads beside sets, frees, and collections.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::LifeVersion;
use crate::over::plain::{Contended, PlainPool};
use crate::pool::Key;
use crate::pool::models::{both, model, saw};
use crate::sync::loads_are_rmw;

type Value = [u64; 2];
type Values = PlainPool<Value>;

/// A value of two equal words.
const fn value(n: u64) -> Value {
    [n, n]
}

/// The number of a value, which is whole.
fn number([first, second]: Value) -> u64 {
    assert_eq!(first, second, "torn");
    first
}

/// A copy is whole, and it is a value that was set.
#[test]
fn load_against_set() {
    model(&["first", "second", "third"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(1));
        let key = owner.key();
        let ((), loaded) = both(
            || {
                owner.set(value(2));
                owner.set(value(3));
            },
            || pool.load(key),
        );
        saw(["first", "second", "third"][number(loaded.expect("it is alive")) as usize - 1]);
        assert_eq!(pool.load(key).map(number), Some(3));
    });
}

/// An attempt is given up if a step of a set was completed meanwhile. A second load is not older than the first.
#[test]
fn attempts_against_set() {
    model(&["whole", "disturbed", "newer"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(1));
        let key = owner.key();
        both(
            || {
                owner.set(value(2));
                owner.set(value(3));
            },
            || {
                let first = match pool.load_within(key, 1) {
                    Ok(found) => {
                        saw("whole");
                        number(found.expect("it is alive"))
                    }
                    Err(Contended) => {
                        saw("disturbed");
                        1
                    }
                };
                if let Ok(Some(second)) = pool.load_within(key, 1) {
                    assert!(number(second) >= first, "older");
                    if number(second) > first {
                        saw("newer");
                    }
                }
            },
        );
    });
}

/// A copy is of the key's own life: the next one writes the same words.
#[test]
fn load_against_free_and_reuse() {
    model(&["live", "stale", "reused"], || {
        let pool = Values::new();
        let owner = pool.insert(value(1));
        let key = owner.key();
        let (next, loaded) = both(
            || {
                drop(owner);
                let next = pool.insert(value(2));
                if next.key().index() == key.index() {
                    saw("reused");
                }
                next
            },
            || pool.load(key),
        );
        match loaded {
            Some(loaded) => {
                assert_eq!(number(loaded), 1, "a stranger's");
                saw("live");
            }
            None => saw("stale"),
        }
        assert_eq!(pool.load(key), None);
        assert_eq!(pool.load(next.key()).map(number), Some(2));
    });
}

/// The same, and the next life sets its value.
#[test]
fn load_against_reuse_and_set() {
    model(&["live", "stale"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(0));
        owner.set(value(1));
        let key = owner.key();
        let ((), loaded) = both(
            || {
                drop(owner);
                let mut next = pool.insert(value(2));
                next.set(value(3));
                assert_eq!(next.key().index(), key.index());
            },
            || pool.load(key),
        );
        saw(if loaded.is_some() { "live" } else { "stale" });
        assert_eq!(loaded.map_or(1, number), 1, "a stranger's");
    });
}

/// A thread that finds a life finds its value.
#[test]
fn load_against_a_first_key() {
    model(&["before", "after"], || {
        let pool = Values::new();
        let first = pool.insert(value(1));
        let old = first.key();
        drop(first);
        let key = Key::new(old.index(), LifeVersion::above(old.life().get()));
        let ((), loaded) = both(
            || {
                let owner = pool.insert(value(2));
                assert_eq!(owner.into_manual(), key);
            },
            || pool.load(key),
        );
        saw(if loaded.is_some() { "after" } else { "before" });
        assert_eq!(loaded.map_or(2, number), 2);
    });
}

/// Of two owners, one writes at a time.
#[test]
fn sets_by_two_owners() {
    model(&["here", "there", "between"], || {
        let pool = Values::new();
        let mut mine = pool.insert(value(1));
        let mut other = mine.clone();
        let key = mine.key();
        let (seen, ()) = both(
            || {
                mine.set(value(2));
                let seen = number(mine.load());
                assert_ne!(seen, 1, "the set was lost");
                seen
            },
            move || other.set(value(3)),
        );
        let last = number(pool.load(key).expect("it is alive"));
        if seen != last {
            saw("between");
        }
        saw(if last == 2 { "here" } else { "there" });
        assert_ne!(last, 1, "both sets were lost");
    });
}

/// No update is lost, and a reader sees each of them whole.
#[test]
fn updates_by_two_owners() {
    model(&["repeated", "at once"], || {
        let pool = Values::new();
        let mut mine = pool.insert(value(1));
        let mut other = mine.clone();
        let calls = |owner: &mut super::PlainOwner<'_, Value>| {
            let mut calls = 0;
            owner.update(|[first, second]| {
                calls += 1;
                *first += 1;
                *second += 1;
            });
            calls
        };
        let (here, there) = both(|| calls(&mut mine), move || calls(&mut other));
        saw(if here + there > 2 { "repeated" } else { "at once" });
        assert_eq!(number(mine.load()), 3);
    });
}

/// An owner that became the only one sees the sets of those that left.
#[test]
fn set_after_another_owner_left() {
    // Of a load before a subtraction, loom explores next to nothing in its native mode.
    let outcomes: &[_] = if loads_are_rmw() {
        &["alone", "together"]
    } else {
        &["together"]
    };
    model(outcomes, || {
        let pool = Values::new();
        let mut mine = pool.insert(value(1));
        let mut other = mine.clone();
        let key = mine.key();
        both(
            || {
                saw(if mine.owners() == 1 { "alone" } else { "together" });
                mine.update(|[first, second]| {
                    *first += 10;
                    *second += 10;
                });
            },
            move || {
                other.update(|[first, second]| {
                    *first += 1;
                    *second += 1;
                });
            },
        );
        assert_eq!(pool.load(key).map(number), Some(12));
    });
}

/// The slot's memory is given back, and used again, while a thread copies.
#[test]
fn load_against_collect() {
    model(&["live", "stale", "dropped"], || {
        let pool = Values::new();
        let owner = pool.insert(value(1));
        let key = owner.key();
        let (next, loaded) = both(
            || {
                drop(owner);
                if pool.collect().objects == 1 {
                    saw("dropped");
                }
                pool.insert(value(2)).into_manual()
            },
            || pool.load(key),
        );
        saw(if loaded.is_some() { "live" } else { "stale" });
        assert_eq!(loaded.map_or(1, number), 1, "a stranger's");
        assert_ne!(next, key, "issued twice");
        assert_eq!(pool.load(next).map(number), Some(2));
    });
}

/// The pool ends with its last holder. A key of it is refused by another pool.
#[test]
fn load_against_the_drop_of_the_pool() {
    model(&["live", "stale"], || {
        let pool = Arc::new(Values::new());
        let key = pool.insert(value(1)).into_manual();
        let theirs = Arc::clone(&pool);
        both(
            move || {
                let _ = pool.remove(key);
                drop(pool);
            },
            move || {
                let loaded = theirs.load(key);
                saw(if loaded.is_some() { "live" } else { "stale" });
                assert_eq!(loaded.map_or(1, number), 1);
            },
        );
        let another = Values::new();
        let owner = another.insert(value(2));
        assert_eq!(another.load(key), None);
        assert_ne!(owner.key(), key);
    });
}

/// An update that panics leaves the value, and readers and the next set go on.
#[test]
fn load_against_an_update_that_panics() {
    model(&["first", "second"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(1));
        let _other = owner.clone();
        let key = owner.key();
        let ((), loaded) = both(
            || {
                let update = AssertUnwindSafe(|| {
                    owner.update(|value| {
                        value[0] = 9;
                        std::panic::resume_unwind(Box::new(()));
                    });
                });
                assert!(catch_unwind(update).is_err());
                owner.set(value(2));
            },
            || pool.load(key),
        );
        saw(["first", "second"][number(loaded.expect("it is alive")) as usize - 1]);
    });
}
