//! Pools of values: any type, dropped at the end of each life.

use std::collections::{HashMap, HashSet};
use std::mem::{ManuallyDrop, forget};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use acedia::{Handle, Reason, Values, pin};

use super::support::{LAST_LIFE, Rng, alone, sized};

#[test]
fn errors_and_panics_lose_no_value() {
    let _alone = alone();
    let pool: Values<Arc<()>> = Values::new().bounded(1);
    let witness = Arc::new(());
    let only = pool.insert(Arc::clone(&witness));
    let (error, back) = pool.try_insert(Arc::clone(&witness)).unwrap_err();
    let full = "the pool of alloc::sync::Arc<()> is full: all 1 objects of its bound are in use";
    assert_eq!(error.to_string(), full);
    assert!(Arc::ptr_eq(&back, &witness));
    drop((only, back));
    assert_eq!(Arc::strong_count(&witness), 1);
    let failed = catch_unwind(AssertUnwindSafe(|| pool.insert_with_handle(|_| panic!("no value"))));
    assert!(failed.is_err());
    assert_eq!(pool.stats().live, 0);
}

#[test]
fn a_value_of_64_bytes_takes_72() {
    let pool: Values<[u64; 8]> = Values::new();
    let [first, second] = [0, 1].map(|_| pool.insert([0; 8]));
    assert_eq!((&raw const *second).addr().abs_diff((&raw const *first).addr()), 72);
}

/// Random operations on the living, against a map.
#[test]
fn the_living_are_those_of_a_map() {
    let _alone = alone();
    let mut pool: Values<u64> = Values::new();
    let mut model: HashMap<Handle<u64>, u64> = HashMap::new();
    let (mut rng, mut next) = (Rng(11), 0);
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
                pool.retain(|handle, value| {
                    assert_eq!(model.get(&handle), Some(&*value));
                    *value % divisor != 0
                });
                model.retain(|_, value| *value % divisor != 0);
            }
            35..=39 => {
                for (handle, value) in pool.iter_mut() {
                    *value += 1;
                    *model.get_mut(&handle).unwrap() += 1;
                }
            }
            40..=47 => drop(pool.collect()),
            _ => {
                // Objects not returned are removed, too.
                let most = rng.below(1000);
                let indices: HashSet<u32> = pool.drain().take(most).map(|owner| owner.index()).collect();
                assert_eq!(indices.len(), most.min(model.len()));
                let known: HashSet<u32> = model.drain().map(|(old, _)| old.index()).collect();
                assert!(known.is_superset(&indices));
                assert_eq!(pool.stats().live, 0);
            }
        }
        let seen: HashMap<_, _> = pool.iter(&pin()).map(|(handle, value)| (handle, *value)).collect();
        assert_eq!(seen, model);
        let at = |handle: &Handle<u64>| pool.handle_at(handle.index());
        assert!(model.keys().all(|handle| at(handle) == Some(*handle)));
    }
    pool.clear();
    assert_eq!((pool.handles().count(), pool.handle_at(u32::MAX)), (0, None));
}

/// A pool used through `&mut` does what a map does, and takes what other uses left.
#[test]
fn values_added_and_removed_by_mut() {
    let _alone = alone();
    let mut pool: Values<Box<u64>> = Values::new();
    let mut model = Vec::new();
    for round in 0..2_000_u64 {
        let handle = pool.add(Box::new(round));
        assert!(pool.contains(handle));
        model.push((handle, round));
        if round % 3 != 0 {
            let place = usize::try_from(round * 7 % model.len() as u64).expect("small");
            let (handle, value) = model.swap_remove(place);
            assert_eq!(*pool.remove(handle).expect("manual"), value);
            assert!(!pool.contains(handle));
            assert!(pool.remove(handle).is_err(), "removed twice");
            assert!(pool.free(handle).is_err());
        }
    }
    assert_eq!(pool.stats().live, model.len() as u64);
    // Each kind of removal fits each kind of insertion.
    let added = pool.add(Box::new(1));
    assert_eq!(pool.take(added).map(|value| *value).ok(), Some(1));
    let manual = pool.insert(Box::new(2)).into_manual();
    assert_eq!(pool.remove(manual).map(|value| *value).ok(), Some(2));
    let freed = pool.add(Box::new(3));
    assert!(pool.free(freed).is_ok());
    for (handle, value) in model {
        assert_eq!(pool.reclaim(handle).map(|owner| **owner).ok(), Some(value));
    }
    assert_eq!(pool.stats().live, 0);
}

/// A value that a forgotten guard or owner may still name is not removed.
#[test]
fn forgotten_guards_and_owners_refuse_a_removal() {
    let mut pool: Values<u64> = Values::new();
    let guarded = pool.add(1);
    forget(pool.guard(guarded));
    let owned = {
        let owner = pool.insert(2);
        forget(owner.clone());
        owner.into_manual()
    };
    let unshared = ManuallyDrop::new(pool.insert(3)).handle();
    for (handle, reason) in [
        (guarded, Reason::Read),
        (owned, Reason::Owned),
        (unshared, Reason::Owned),
    ] {
        assert_eq!(pool.remove(handle).unwrap_err().reason(), reason);
    }
    assert_eq!(pool.iter_mut().count(), 3);
}

/// A removal ends the last life of a slot for good.
#[test]
fn the_last_life_of_a_slot_is_removed() {
    let mut pool: Values<u64> = Values::new();
    let handle = {
        let mut owner = pool.insert(1);
        pool.skip_lives(&mut owner, LAST_LIFE);
        owner.into_manual()
    };
    assert_eq!(pool.remove(handle).ok(), Some(1));
    assert_ne!(pool.add(2).index(), handle.index(), "the slot has no life left");
}

/// An error names the call that took the value.
#[test]
#[cfg(debug_assertions)]
fn an_error_names_the_call_that_took_the_value() {
    let _alone = alone();
    let mut pool: Values<u64> = Values::new();
    let handle = pool.insert(1).into_manual();
    let guard = pool.guard(handle).unwrap();
    let read = pool.take(handle).unwrap_err().to_string();
    assert!(read.ends_with("may have readers: a guard, or a pin in its domain"));
    drop(guard);
    let (line, _taken) = (line!(), pool.take(handle).unwrap());
    let again = pool.take(handle).unwrap_err().to_string();
    assert!(again.contains(&format!("values.rs:{line}:")), "{again}");
    let handle = pool.add(2);
    let (line, _removed) = (line!(), pool.remove(handle).unwrap());
    let again = pool.remove(handle).unwrap_err().to_string();
    assert!(again.contains(&format!("values.rs:{line}:")), "{again}");
}
