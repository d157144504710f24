//! Side maps: a value ends with the life of its object.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;

use acedia::{Handle, Object, Owned, Pool, SecondaryMap, Values, class};

use super::support::{Rng, alone, sized};

#[derive(Default)]
struct Pawn;

impl Object for Pawn {
    class!(Pawn, "Side.Pawn");
}

#[test]
fn an_entry_ends_with_the_life_of_its_object() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let mut map = SecondaryMap::of(&pool);
    let witness = Arc::new(());
    let first = pool.allocate();
    let stale = first.handle();
    assert!(map.insert(stale, Arc::clone(&witness)).is_none());
    assert!(map.insert(stale, Arc::clone(&witness)).is_some());
    assert_eq!((map.len(), Arc::strong_count(&witness)), (1, 2));
    drop(first);
    // Not returned by anything …
    assert!(map.get(stale).is_none() && map.get_mut(stale).is_none() && !map.contains_key(stale));
    assert_eq!(
        (
            map.iter().count(),
            map.iter_mut().count(),
            map.keys().count(),
            map.values().count()
        ),
        (0, 0, 0, 0)
    );
    assert!(
        map.get_or_insert_with(stale, || unreachable!("the life has ended"))
            .is_none()
    );
    assert_eq!(format!("{map:?}"), "{}");
    // … even if the slot has another object, …
    let second = pool.allocate();
    assert_eq!(second.index(), stale.index());
    assert!(map.get(second.handle()).is_none() && map.remove(second.handle()).is_none());
    // … and dropped when that gets a value.
    assert_eq!((map.len(), Arc::strong_count(&witness)), (1, 2));
    assert!(map.insert(second.handle(), Arc::new(())).is_none());
    assert_eq!((map.len(), Arc::strong_count(&witness)), (1, 1));
    // A value for a stale handle comes back.
    assert!(Arc::ptr_eq(
        &map.try_insert(stale, Arc::clone(&witness)).unwrap_err(),
        &witness
    ));
    assert!(map.get(second.handle()).is_some() && map.remove(second.handle()).is_some() && map.is_empty());
    assert_eq!(Arc::strong_count(&witness), 1);
}

#[test]
fn ended_values_are_dropped_by_prune_retain_remove_and_clear() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let mut map = SecondaryMap::of(&pool);
    let witness = Arc::new(());
    let count = || Arc::strong_count(&witness) - 1;
    let mut owners: Vec<_> = (0..10).map(|_| pool.allocate()).collect();
    map.extend(owners.iter().map(|owner| (owner.handle(), Arc::clone(&witness))));
    let stale = owners[9].handle();
    owners.truncate(6);
    assert_eq!((map.len(), map.iter().count(), count()), (10, 6, 10));
    assert!(map.remove(stale).is_none());
    assert_eq!((map.len(), count()), (9, 9));
    map.prune();
    assert_eq!((map.len(), count()), (6, 6));
    owners.truncate(5);
    map.retain(|handle, _| handle != owners[0].handle());
    assert_eq!((map.len(), count()), (4, 4));
    owners.truncate(4);
    let drained: Vec<Handle<u64>> = map.drain().map(|(handle, _)| handle).collect();
    assert_eq!((map.len(), count(), drained.len()), (0, 0, 3));
    map.insert(owners[0].handle(), Arc::clone(&witness));
    map.clear();
    assert_eq!((map.len(), count()), (0, 0));
}

#[test]
fn a_hidden_life_has_not_ended() {
    let _alone = alone();
    let pool: Arc<Pool<u64>> = Arc::new(Pool::new());
    let mut map: SecondaryMap<Arc<Pool<u64>>, &str> = SecondaryMap::of(Arc::clone(&pool));
    // Before the object is seen.
    let mut owner = pool.allocate_with_handle(|handle, _| {
        assert!(map.insert(handle, "early").is_none());
        map.prune();
    });
    let handle = owner.handle();
    assert_eq!(map.get(handle), Some(&"early"));
    // Out of sight for a moment.
    owner.exclusive(|_| map.prune()).unwrap();
    assert_eq!(map.get(handle), Some(&"early"));
    // A reservation that comes to nothing.
    let reserved = pool.reserve();
    let never = reserved.handle();
    map.insert(never, "never");
    assert_eq!(map.get(never), Some(&"never"));
    drop(reserved);
    assert_eq!(map.get(never), None);
    map.prune();
    assert_eq!(map.len(), 1);
}

#[test]
fn handles_of_other_pools_and_made_up_handles_are_refused() {
    let _alone = alone();
    let (pool, other): (Pool<u64>, Pool<u64>) = (Pool::new(), Pool::new());
    let mut map = SecondaryMap::of(&pool);
    let (owner, foreign) = (pool.allocate(), other.allocate());
    assert_eq!(map.try_insert(foreign.handle(), 1), Err(1));
    let later = Handle::from_bits(owner.handle().to_bits() + (5 << 32)).unwrap();
    assert_eq!(map.try_insert(later, 2), Err(2));
    assert_eq!(map.try_insert(owner.handle(), 3), Ok(None));
    assert!(map.get(foreign.handle()).is_none() && map.get(later).is_none() && map.remove(later).is_none());
    assert_eq!(map.values().collect::<Vec<_>>(), [&3]);
}

#[test]
fn a_map_beside_a_class() {
    let _alone = alone();
    let owners: Vec<_> = (0..3).map(|_| Pawn::allocate()).collect();
    let mut map: SecondaryMap<Pawn, usize> = owners.iter().map(Handle::from).zip(0..).collect();
    let own = Pawn::pool().allocate_with_handle(|own, _| {
        map.insert(own, 3);
    });
    let copy = map.clone();
    *map.get_mut(own.handle()).unwrap() += 1;
    map.values_mut().for_each(|number| *number *= 10);
    let mut found: Vec<usize> = map
        .iter()
        .map(|(handle, number)| {
            assert!(handle.is_allocated());
            *number
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, [0, 10, 20, 40]);
    let gone = owners[1].handle();
    drop(owners);
    assert_eq!(
        (map.values().sum::<usize>(), map.get(gone), copy.get(own.handle())),
        (40, None, Some(&3))
    );
    assert_eq!(format!("{map:?}"), format!("{{{:?}: 40}}", own.handle()));
}

/// Against a table by handle, from which freed objects are removed by hand.
#[test]
fn a_map_does_what_a_table_does() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let mut random = Rng(7);
    let mut owners: Vec<Owned<u64, &Pool<u64>>> = Vec::new();
    let mut stale: Vec<Handle<u64>> = Vec::new();
    let mut map = SecondaryMap::of(&pool);
    let mut model: HashMap<Handle<u64>, u64> = HashMap::new();
    let (mut reused, mut replaced) = (0, 0);
    for step in 0..sized(40_000, 400_000, 400) as u64 {
        let pick = |random: &mut Rng, owners: &[Owned<u64, &Pool<u64>>]| {
            (!owners.is_empty()).then(|| owners[random.below(owners.len())].handle())
        };
        match random.below(10) {
            // Sometimes more than one page.
            0..=3 if owners.len() < sized(6_000, 12_000, 60) => owners.push(pool.allocate()),
            0..=3 => stale.extend(owners.drain(10..).map(|owner| owner.handle()).inspect(|handle| {
                model.remove(handle);
            })),
            4 if !owners.is_empty() => {
                let owner = owners.swap_remove(random.below(owners.len()));
                model.remove(&owner.handle());
                stale.push(owner.handle());
            }
            5 | 6 => {
                if let Some(handle) = pick(&mut random, &owners) {
                    let last = map.insert(handle, step);
                    replaced += usize::from(last.is_some());
                    assert_eq!(last, model.insert(handle, step));
                }
            }
            7 => {
                if let Some(handle) = pick(&mut random, &owners) {
                    assert_eq!(map.remove(handle), model.remove(&handle));
                }
            }
            8 => {
                if let Some(handle) = pick(&mut random, &owners) {
                    assert_eq!(
                        map.get_or_insert_with(handle, || step),
                        Some(model.entry(handle).or_insert(step))
                    );
                }
            }
            _ => {
                if !stale.is_empty() {
                    let handle = stale[random.below(stale.len())];
                    reused += usize::from(pool.handle_at(handle.index()).is_some());
                    assert_eq!(map.get(handle), None);
                    assert_eq!(map.try_insert(handle, step), Err(step));
                }
            }
        }
        if step % sized(5_000, 50_000, 100) as u64 == 0 {
            let found: HashMap<Handle<u64>, u64> = map.iter().map(|(handle, value)| (handle, *value)).collect();
            assert_eq!(found, model);
            map.prune();
            assert_eq!(map.len(), model.len());
        }
    }
    assert!(reused > 0 && replaced > 0, "{reused} {replaced}: the test saw nothing");
}

/// A map of handles alone has no pool to ask, so it compares lives: the value of a later life stays.
#[test]
fn a_map_of_handles_keeps_the_value_of_the_later_life() {
    let _alone = alone();
    let [first, next] = [1, 2].map(|life| Handle::from_bits(life << 32 | 5).expect("possible"));
    let mut map = SecondaryMap::<Handle<u64>, &str>::new();
    assert_eq!(map.get_or_insert_with(first, || "a"), Some(&mut "a"));
    assert_eq!(map.get_or_insert_with(next, || "b"), Some(&mut "b"));
    assert_eq!((map.get(first), map.get(next), map.len()), (None, Some(&"b"), 1));
    assert_eq!(map.try_insert(first, "c"), Err("c"));
    assert_eq!(map.get_or_insert_with(first, || unreachable!("nothing is made")), None);
    assert_eq!(
        (map.insert(first, "d"), map.remove(first), map.get_mut(first)),
        (None, None, None)
    );
    map.extend([(first, "e")]);
    assert_eq!((map.get(next), map.len()), (Some(&"b"), 1));
    assert_eq!(map.drain().collect::<Vec<_>>(), [(next, "b")]);
}

/// A map has only values of living objects, while another thread frees and allocates.
#[test]
fn objects_end_while_the_map_is_read() {
    let _alone = alone();
    let pool: Arc<Pool<u64>> = Arc::new(Pool::new());
    let handles: Vec<Handle<u64>> = (0..sized(2_000, 20_000, 50))
        .map(|_| pool.allocate().into_manual())
        .collect();
    let mut map: SecondaryMap<Arc<Pool<u64>>, Handle<u64>> = SecondaryMap::of(Arc::clone(&pool));
    map.extend(handles.iter().map(|handle| (*handle, *handle)));
    thread::scope(|scope| {
        let freeing = scope.spawn(|| {
            for handle in &handles {
                pool.free(*handle).unwrap();
                let _ = pool.allocate().into_manual();
            }
        });
        let mut last = handles.len();
        while last > 0 {
            let now = map.iter().inspect(|(handle, value)| assert_eq!(handle, *value)).count();
            assert!(now <= last, "an ended life came back");
            last = now;
            if freeing.is_finished() {
                assert_eq!(map.iter().count(), 0);
                break;
            }
        }
    });
    map.prune();
    assert!(map.is_empty());
}

#[test]
fn a_panic_in_a_drop_leaves_the_other_values() {
    let _alone = alone();
    struct Loud(bool);
    impl Drop for Loud {
        fn drop(&mut self) {
            assert!(!self.0, "loud");
        }
    }
    let pool: Values<u64> = Values::new();
    let owners: Vec<_> = (0..4).map(|number| pool.insert(number)).collect();
    let mut map = SecondaryMap::of(&pool);
    map.extend(owners.iter().map(|owner| (owner.handle(), Loud(**owner == 1))));
    let pruned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| map.retain(|_, loud| !loud.0)));
    assert!(pruned.is_err());
    assert_eq!((map.len(), map.iter().count()), (3, 3));
}
