//! Models of loads during sets, frees and reuse, and of the list of free slots.

use std::sync::Arc;

use acedia::models::{model, saw};

use crate::{AccessError, PlainHandle, PlainOwned, PlainPool};

type Value = [u64; 2];
type Values = PlainPool<Value>;

const fn value(n: u64) -> Value {
    [n, n]
}

/// The number of a value, which must not be torn.
fn number([first, second]: Value) -> u64 {
    assert_eq!(first, second, "torn");
    first
}

/// Runs two closures at the same time, the second on a thread that has ended when this returns.
fn both<'a, A, B: 'static>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + 'a) -> (A, B) {
    let there: Box<dyn FnOnce() -> B + 'a> = Box::new(there);
    // SAFETY: the thread is joined before this returns. If `here` panics it is not joined, but then loom runs it no further.
    let there: Box<dyn FnOnce() -> B + 'static> = unsafe { std::mem::transmute(there) };
    let thread = loom::thread::spawn(there);
    let a = here();
    (a, thread.join().unwrap())
}

/// A copy is whole, and it is a value that was set.
#[test]
fn load_against_set() {
    model(&["first", "second", "third"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(1));
        let handle = owner.handle();
        let ((), loaded) = both(
            || {
                owner.set(value(2));
                owner.set(value(3));
            },
            || pool.load(handle),
        );
        saw(["first", "second", "third"][number(loaded.expect("it is alive")) as usize - 1]);
        assert_eq!(pool.load(handle).map(number), Some(3));
    });
}

/// The same with `update_many`, which writes each value once.
#[test]
fn load_against_update_many() {
    model(&["first", "second", "third"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(1));
        let handle = owner.handle();
        let ((), loaded) = both(
            || {
                for _ in 0..2 {
                    PlainOwned::update_many(std::slice::from_mut(&mut owner), |_, value| {
                        *value = value.map(|n| n + 1)
                    });
                }
            },
            || pool.load(handle),
        );
        saw(["first", "second", "third"][number(loaded.expect("it is alive")) as usize - 1]);
        assert_eq!(pool.load(handle).map(number), Some(3));
    });
}

/// A second load is not older than the first.
#[test]
fn two_loads_against_set() {
    model(&["same", "newer"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(1));
        let handle = owner.handle();
        both(
            || owner.set(value(2)),
            || {
                let [first, second] = [(); 2].map(|()| number(pool.load(handle).expect("it is alive")));
                assert!(second >= first, "older");
                saw(if second > first { "newer" } else { "same" });
            },
        );
    });
}

/// A copy is of the handle's own life, although the next life writes the same words.
#[test]
fn load_against_free_and_reuse() {
    model(&["live", "stale"], || {
        let pool = Values::new();
        let owner = pool.insert(value(1));
        let handle = owner.handle();
        let (next, loaded) = both(
            || {
                drop(owner);
                pool.insert(value(2))
            },
            || pool.load(handle),
        );
        assert_eq!(next.handle().index(), handle.index(), "no reuse");
        saw(if loaded.is_some() { "live" } else { "stale" });
        assert_eq!(loaded.map_or(1, number), 1, "a stranger's");
        assert_eq!(pool.load(handle), None);
        assert_eq!(pool.load(next.handle()).map(number), Some(2));
    });
}

/// The same, if the value is in the spare and the next life writes both places.
#[test]
fn load_against_reuse_and_set() {
    model(&["live", "stale"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(0));
        PlainOwned::update_many(std::slice::from_mut(&mut owner), |_, it| *it = value(1));
        let handle = owner.handle();
        let ((), loaded) = both(
            || {
                drop(owner);
                let mut next = pool.insert(value(2));
                next.set(value(3));
                assert_eq!(next.handle().index(), handle.index());
            },
            || pool.load(handle),
        );
        saw(if loaded.is_some() { "live" } else { "stale" });
        assert_eq!(loaded.map_or(1, number), 1, "a stranger's");
    });
}

/// A thread that finds a life finds its value, not the previous life's.
#[test]
fn load_against_the_next_handle() {
    model(&["before", "after"], || {
        let pool = Values::new();
        let first = pool.insert(value(1));
        let handle = PlainHandle::from_bits(first.handle().to_bits() + (1 << 32)).expect("a handle");
        drop(first);
        let ((), loaded) = both(
            || {
                let owner = pool.insert(value(2));
                assert_eq!(owner.into_manual(), handle);
            },
            || pool.load(handle),
        );
        saw(if loaded.is_some() { "after" } else { "before" });
        assert_eq!(loaded.map_or(2, number), 2);
    });
}

/// The same in a pool without chunks.
#[test]
fn load_against_the_first_insertion() {
    model(&["before", "after"], || {
        let pool = Values::new();
        let handle = PlainHandle::from_bits(1 << 32 | 1 << 16).expect("a handle");
        let ((), loaded) = both(
            || assert_eq!(pool.insert(value(2)).into_manual(), handle),
            || pool.load(handle),
        );
        saw(if loaded.is_some() { "after" } else { "before" });
        assert_eq!(loaded.map_or(2, number), 2);
    });
}

/// The slot's next owner is another thread, which synchronizes with the first owner only through the list of free slots. A third
/// thread loads.
#[test]
fn reuse_by_another_thread() {
    model(&["live", "stale", "reused"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(0));
        let (handle, spare) = (owner.handle(), pool.insert(value(9)));
        let (loaded, ()) = both(
            || pool.load(handle),
            || {
                both(
                    || {
                        owner.set(value(1));
                        drop(owner);
                    },
                    || {
                        let next = pool.insert(value(2));
                        if next.handle().index() == handle.index() {
                            saw("reused");
                        }
                        assert_eq!(pool.load(next.handle()).map(number), Some(2));
                    },
                );
            },
        );
        saw(if loaded.is_some() { "live" } else { "stale" });
        assert!(loaded.is_none_or(|it| number(it) < 2), "a stranger's");
        drop(spare);
    });
}

/// Each free slot is given once, even if a slot returns to the head of the list (ABA).
#[test]
fn two_threads_insert_and_free() {
    model(&["same slot first", "other slot first"], || {
        let pool = Values::new();
        let [one, two] = [1, 2].map(|n| pool.insert(value(n)));
        let first = two.handle().index();
        drop(one);
        drop(two);
        let (mine, theirs) = both(
            || pool.insert(value(3)),
            || {
                let [short, long] = [4, 5].map(|n| pool.insert(value(n)));
                drop(short);
                // As a handle, because the result of a thread outlives its borrows.
                long.into_manual()
            },
        );
        saw(if mine.handle().index() == first {
            "same slot first"
        } else {
            "other slot first"
        });
        assert_ne!(mine.handle().index(), theirs.index(), "given twice");
        assert_eq!(number(mine.load()), 3);
        assert_eq!(pool.load(theirs).map(number), Some(5));
        // And none is lost: two slots are in the first chunk.
        assert_eq!(pool.len(), 2);
        let next = pool.insert(value(6));
        assert!(next.handle() != mine.handle() && next.handle() != theirs);
    });
}

/// A thread frees a slot in front of one that another thread freed.
#[test]
fn frees_by_two_threads() {
    model(&["here last", "there last"], || {
        let pool = Values::new();
        let [one, two] = [1, 2].map(|n| pool.insert(value(n)));
        let handles = [one.handle(), two.handle()];
        both(|| drop(one), || drop(two));
        let next = [3, 4].map(|n| pool.insert(value(n)));
        saw(if next[0].handle().index() == handles[0].index() {
            "here last"
        } else {
            "there last"
        });
        let mut indices = next.each_ref().map(|owner| owner.handle().index());
        indices.sort_unstable();
        assert_eq!(indices, handles.map(PlainHandle::index), "lost or given twice");
        assert_eq!(next.map(|owner| number(owner.load())), [3, 4]);
    });
}

/// A thread that takes an object without an owner goes on from its last value.
#[test]
fn reclaim_against_into_manual() {
    model(&["owned", "taken"], || {
        let pool = Values::new();
        let mut owner = pool.insert(value(1));
        let handle = owner.handle();
        both(
            || {
                owner.set(value(2));
                let _ = owner.into_manual();
            },
            || match pool.reclaim(handle) {
                Ok(mut owner) => {
                    saw("taken");
                    owner.update(|it| *it = it.map(|n| n + 1));
                    assert_eq!(pool.load(handle).map(number), Some(3));
                    assert_eq!(number(owner.load()), 3);
                }
                Err(error) => {
                    saw("owned");
                    assert_eq!(error, AccessError::Owned);
                }
            },
        );
    });
}

/// One of two threads removes an object, and neither removes the next one in its slot.
#[test]
fn remove_against_remove_and_reuse() {
    model(&["here", "there"], || {
        let pool = Values::new();
        let handle = pool.insert(value(1)).into_manual();
        let ((mine, next), theirs) = both(
            || {
                let mine = pool.remove(handle);
                (mine, pool.insert(value(2)).into_manual())
            },
            || pool.remove(handle),
        );
        saw(if mine.is_ok() { "here" } else { "there" });
        assert!(mine.is_ok() != theirs.is_ok(), "removed twice, or never");
        assert_eq!(mine.or(theirs).map(number), Ok(1));
        assert_eq!(pool.load(next).map(number), Some(2), "removed by another handle");
    });
}

/// The pool ends with its last `Arc`. A later pool with the same chunk number refuses its handles.
#[test]
fn load_against_the_drop_of_the_pool() {
    model(&["live", "stale"], || {
        let pool = Arc::new(Values::new());
        let handle = pool.insert(value(1)).into_manual();
        let theirs = Arc::clone(&pool);
        both(
            move || {
                let _ = pool.remove(handle);
                drop(pool);
            },
            move || {
                let loaded = theirs.load(handle);
                saw(if loaded.is_some() { "live" } else { "stale" });
                assert_eq!(loaded.map_or(1, number), 1);
            },
        );
        let another = Values::new();
        let owner = another.insert(value(2));
        assert_eq!(owner.handle().index(), handle.index());
        assert_eq!(another.load(handle), None);
        assert_ne!(owner.handle(), handle);
    });
}

/// A load from a chunk that is being added.
#[test]
fn load_against_growth() {
    model(&["before", "after"], || {
        let pool = Values::new();
        let first = [1, 2].map(|n| pool.insert(value(n)).into_manual());
        let handle = PlainHandle::from_bits(1 << 32 | 2 << 16).expect("a handle");
        let ((), loaded) = both(
            || assert_eq!(pool.insert(value(3)).into_manual(), handle),
            || pool.load(handle),
        );
        saw(if loaded.is_some() { "after" } else { "before" });
        assert_eq!(loaded.map_or(3, number), 3);
        assert_eq!(first.map(|handle| pool.load(handle).map(number)), [Some(1), Some(2)]);
    });
}

/// A pool refuses the handles of a pool that is being dropped.
#[test]
fn drop_of_a_pool_against_the_next_one() {
    model(&["same number", "another"], || {
        let old = Values::new();
        let handles: Vec<_> = (1..4).map(|n| old.insert(value(n)).into_manual()).collect();
        let pool = Values::new();
        both(
            || drop(old),
            || {
                let is_same = pool.insert(value(5)).handle().index() >> 16 == 1;
                saw(if is_same { "same number" } else { "another" });
                assert!(
                    handles.iter().all(|handle| pool.load(*handle).is_none()),
                    "of the other pool"
                );
            },
        );
    });
}

/// A pool that reuses the number of a dropped pool does not find that pool's other chunk.
#[test]
fn load_of_a_handle_of_the_last_pool_of_the_number() {
    model(&["before", "after"], || {
        let old = Values::new();
        let handles: Vec<_> = (1..4).map(|n| old.insert(value(n)).into_manual()).collect();
        let pool = Values::new();
        // The first slot of number 1, by which the old pool was known.
        let next = PlainHandle::from_bits(2 << 32 | 1 << 16).expect("a handle");
        both(
            || {
                drop(old);
                assert_eq!(pool.insert(value(5)).into_manual(), next);
            },
            || {
                assert!(
                    handles.iter().all(|handle| pool.load(*handle).is_none()),
                    "of the other pool"
                );
                saw(if pool.load(next).is_some() { "after" } else { "before" });
            },
        );
    });
}
