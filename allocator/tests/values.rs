//! Pools of values: any type, dropped at the end of each life.

mod support;

use std::collections::{HashMap, HashSet};
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use acedia::Reason;
use acedia::pool::{GuardsOnly, Handle, Values, pin};
use support::{Rng, sized};

#[test]
fn values_without_default_are_dropped_after_their_readers() {
    let _alone = support::alone();
    let pool: Values<Arc<u32>> = Values::new();
    let witness = Arc::new(7);
    let owner = pool.insert(Arc::clone(&witness));
    let key = owner.handle();
    let pinned = pin();
    assert_eq!(pool.get(key, &pinned).map(|value| **value), Some(7));
    let guard = pool.guard(key).unwrap();
    assert_eq!(guard.handle(), key);
    drop(owner);
    assert_eq!((pool.contains(key), Arc::strong_count(&witness)), (false, 2));
    drop(pinned);
    assert_eq!((**guard, Arc::strong_count(&witness)), (7, 2));
    drop(guard);
    assert_eq!((Arc::strong_count(&witness), pool.stats().live), (1, 0));
    // The slot is used again, and no value is left in it.
    let again = pool.insert(Arc::clone(&witness));
    assert_eq!((again.index(), Arc::strong_count(&witness)), (key.index(), 2));
    drop(again);
    assert_eq!(Arc::strong_count(&witness), 1);
}

#[test]
fn a_pool_of_sockets() {
    let sockets: Values<TcpListener, GuardsOnly> = Values::in_domain();
    let Ok(socket) = TcpListener::bind("127.0.0.1:0") else {
        return;
    };
    let address = socket.local_addr().unwrap();
    let owner = sockets.insert(socket);
    assert_eq!(
        sockets.with(owner.handle(), |socket| socket.local_addr().unwrap()),
        Some(address)
    );
    drop(owner);
    // Closed at that moment, so the address is free.
    assert!(TcpListener::bind(address).is_ok());
}

#[test]
fn taking_a_value_out() {
    let _alone = support::alone();
    let pool: Values<String> = Values::new();
    let key = pool.insert("one".to_owned()).into_manual();
    let guard = pool.guard(key).unwrap();
    assert_eq!(pool.take(key).unwrap_err().reason(), Reason::Read);
    assert_eq!(*guard, "one");
    drop(guard);
    assert_eq!(pool.take(key), Ok("one".to_owned()));
    assert_eq!(pool.take(key).unwrap_err().reason(), Reason::Freed);
    let owner = pool.insert("two".to_owned());
    assert_eq!(pool.take(owner.handle()).unwrap_err().reason(), Reason::Owned);
    let manual = owner.clone().into_manual();
    assert_eq!(pool.take(manual).unwrap_err().reason(), Reason::Owned);
    assert_eq!(*owner, "two");
}

#[test]
fn errors_and_panics_lose_no_value() {
    let _alone = support::alone();
    let pool: Values<Arc<()>> = Values::new().bounded(1);
    let witness = Arc::new(());
    let only = pool.insert(Arc::clone(&witness));
    let (error, back) = pool.try_insert(Arc::clone(&witness)).unwrap_err();
    assert!(error.to_string().contains("bounded to 1"), "{error}");
    drop((only, back));
    assert_eq!(Arc::strong_count(&witness), 1);
    let failed = catch_unwind(AssertUnwindSafe(|| pool.insert_with_handle(|_| panic!("no value"))));
    assert!(failed.is_err());
    assert_eq!(pool.stats().live, 0);
}

/// Random operations on the living, against a map.
#[test]
fn the_living_are_those_of_a_map() {
    let _alone = support::alone();
    let mut pool: Values<u64> = Values::new();
    let mut model: HashMap<Handle<u64>, u64> = HashMap::new();
    let mut rng = Rng(11);
    let mut next = 0;
    for _ in 0..sized(300, 3000, 30) {
        match rng.below(50) {
            0..=29 => {
                for _ in 0..rng.below(20) {
                    next += 1;
                    model.insert(pool.insert(next).into_manual(), next);
                }
            }
            30..=34 => {
                let divisor = 2 + rng.below(5) as u64;
                pool.retain(|key, value| {
                    assert_eq!(model.get(&key), Some(&*value));
                    *value % divisor != 0
                });
                model.retain(|_, value| *value % divisor != 0);
            }
            35..=39 => {
                for (key, value) in pool.iter_mut() {
                    *value += 1;
                    *model.get_mut(&key).unwrap() += 1;
                }
            }
            40..=47 => {
                let _ = pool.collect();
            }
            _ => {
                // Also what the iterator has not returned is removed.
                let most = rng.below(1000);
                let owners = pool.drain().take(most);
                let indices: HashSet<u32> = owners.map(|owner| owner.index()).collect();
                assert_eq!(indices.len(), most.min(model.len()));
                assert!(model.drain().filter(|(key, _)| indices.contains(&key.index())).count() == indices.len());
                assert_eq!(pool.stats().live, 0);
            }
        }
        let pinned = pin();
        let seen: HashMap<_, _> = pool.iter(&pinned).map(|(key, value)| (key, *value)).collect();
        assert_eq!(seen, model);
        for key in model.keys() {
            assert_eq!(pool.handle_at(key.index()), Some(*key));
        }
    }
    pool.clear();
    assert_eq!((pool.handles().count(), pool.stats().live), (0, 0));
    assert_eq!(pool.handle_at(u32::MAX), None);
}

/// Objects that live throughout are seen exactly once, while other threads allocate, free and collect.
#[test]
fn going_through_while_others_work() {
    let _alone = support::alone();
    let pool: Values<u64> = Values::new();
    let throughout: Vec<_> = (0..500).map(|number| pool.insert(number)).collect();
    let keys: HashSet<_> = throughout.iter().map(acedia::pool::Owned::handle).collect();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let owners: Vec<_> = (0..700).map(|_| pool.insert(u64::MAX)).collect();
                    for owner in &owners {
                        let _ = owner.handle();
                    }
                    drop(owners);
                    let _ = pool.collect();
                }
            });
        }
        for _ in 0..sized(100, 1000, 5) {
            let pinned = pin();
            let seen: Vec<_> = pool.iter(&pinned).map(|(key, value)| (key, *value)).collect();
            let lasting = seen.iter().filter(|(key, _)| keys.contains(key));
            assert_eq!(lasting.clone().map(|(_, value)| value).sum::<u64>(), 499 * 500 / 2);
            assert_eq!(lasting.count(), 500);
            let different: HashSet<_> = seen.iter().map(|(key, _)| key).collect();
            assert_eq!(different.len(), seen.len(), "seen twice");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

/// A pool by `&mut` does the same as a map, and forgets nothing that another way of use left.
#[test]
fn values_added_and_removed_by_mut() {
    let _alone = support::alone();
    let mut pool: Values<Box<u64>> = Values::new();
    let mut keys = Vec::new();
    for round in 0..2_000_u64 {
        let key = pool.add(Box::new(round));
        assert!(pool.contains(key));
        keys.push((key, round));
        if round % 3 != 0 {
            let place = usize::try_from(round * 7 % keys.len() as u64).expect("small");
            let (key, value) = keys.swap_remove(place);
            assert_eq!(*pool.remove(key).expect("manual"), value);
            assert!(!pool.contains(key));
            assert!(pool.remove(key).is_err(), "removed twice");
            assert!(pool.free(key).is_err());
        }
    }
    assert_eq!(pool.stats().live, keys.len() as u64);
    // Either end suits either beginning.
    let added = pool.add(Box::new(1));
    assert_eq!(pool.take(added).map(|value| *value).ok(), Some(1));
    let manual = pool.insert(Box::new(2)).into_manual();
    assert_eq!(pool.remove(manual).map(|value| *value).ok(), Some(2));
    let freed = pool.add(Box::new(3));
    assert!(pool.free(freed).is_ok());
    for (key, value) in keys {
        assert_eq!(pool.reclaim(key).map(|owner| **owner).ok(), Some(value));
    }
    assert_eq!(pool.stats().live, 0);
}

/// What a forgotten guard or owner may still name is not removed.
#[test]
fn forgotten_guards_and_owners_refuse_a_removal() {
    let mut pool: Values<u64> = Values::new();
    let guarded = pool.add(1);
    std::mem::forget(pool.guard(guarded));
    assert_eq!(pool.remove(guarded).map_err(|error| error.reason()), Err(Reason::Read));
    let owned = {
        let owner = pool.insert(2);
        std::mem::forget(owner.clone());
        owner.into_manual()
    };
    assert_eq!(pool.remove(owned).map_err(|error| error.reason()), Err(Reason::Owned));
    let unshared = {
        let forgotten = std::mem::ManuallyDrop::new(pool.insert(3));
        forgotten.handle()
    };
    assert_eq!(
        pool.remove(unshared).map_err(|error| error.reason()),
        Err(Reason::Owned)
    );
    assert_eq!(pool.iter_mut().count(), 3);
}

/// A removal ends the last life of a slot for good.
#[test]
fn the_last_life_of_a_slot_is_removed() {
    let mut pool: Values<u64> = Values::new();
    let last = i32::MAX.unsigned_abs();
    let key = {
        let mut owner = pool.insert(1);
        pool.skip_lives(&mut owner, last);
        owner.into_manual()
    };
    assert_eq!(pool.remove(key).ok(), Some(1));
    let next = pool.add(2);
    assert_ne!(next.index(), key.index(), "the slot has no life left");
}

/// An error names the call that took the value.
#[test]
#[cfg(debug_assertions)]
fn an_error_names_the_call_that_took_the_value() {
    // A pin of another test would be a reader.
    let _alone = support::alone();
    let mut pool: Values<u64> = Values::new();
    let key = pool.insert(1).into_manual();
    let guard = pool.guard(key).unwrap();
    let read = pool.take(key).unwrap_err().to_string();
    assert!(
        read.ends_with(", may have readers: a guard, or a pin in its domain"),
        "{read}"
    );
    drop(guard);
    let (line, _taken) = (line!(), pool.take(key).unwrap());
    let again = pool.take(key).unwrap_err().to_string();
    assert!(again.contains(&format!("values.rs:{line}:")), "{again}");
    let key = pool.add(2);
    let (line, _removed) = (line!(), pool.remove(key).unwrap());
    let again = pool.remove(key).unwrap_err().to_string();
    assert!(again.contains(&format!("values.rs:{line}:")), "{again}");
}
