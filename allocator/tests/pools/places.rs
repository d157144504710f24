//! The places of allocations and frees, in builds with debug assertions.
#![cfg(debug_assertions)]

use std::panic::Location;

use acedia::{Handle, Owned, Pool, Reason, pin};

use super::support::alone;

/// The places of a life outlast the slot's next life, and are never taken for another life's.
#[test]
fn places_of_a_slot_that_was_used_again() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    // After several threads have read, a slot is reused only when enough others were freed.
    let again = |slot: Option<u32>| {
        let mut others = Vec::new();
        loop {
            assert!(others.len() < 10_000, "the slot never comes round");
            let owner = pool.allocate();
            if slot.is_none_or(|slot| slot == owner.index()) {
                return (owner, line!() - 2);
            }
            others.push(owner);
        }
    };
    let life = |slot: Option<u32>| {
        let (owner, line) = again(slot);
        let handle = owner.handle();
        owner.free();
        (handle, (Some(line), Some(line!() - 1)))
    };
    let places = |handle: Handle<u64>| {
        let error = pool.try_get(handle, &pin()).unwrap_err();
        let here = |at: Option<&Location>| at.filter(|at| at.file() == file!()).map(Location::line);
        (error.reason(), here(error.allocated_at()), here(error.freed_at()))
    };
    let (first, (made, freed)) = life(None);
    let slot = Some(first.index());
    assert_eq!(places(first), (Reason::Freed, made, freed));
    // A life without a handle is not recorded.
    for _ in 0..3 {
        let (unseen, _) = again(slot);
        assert_eq!(places(first), (Reason::Freed, made, freed));
        unseen.free();
    }
    let (second, _) = life(slot);
    assert_eq!(places(first), (Reason::Reused, made, freed));
    assert_eq!(places(second), (Reason::Freed, made, freed));
    let text = pool.try_get(first, &pin()).unwrap_err().to_string();
    assert!(
        text.contains("to a later life; allocated at") && text.contains("; freed at"),
        "{text}"
    );
    let _ = life(slot);
    assert_eq!(places(first), (Reason::Reused, None, None), "forgotten");
    assert_eq!(places(second), (Reason::Reused, made, freed));
    // They outlast memory that is returned to the system.
    assert!(pool.collect().objects > 0);
    assert_eq!(places(second), (Reason::Reused, made, freed));
    // A refused free by handle names the allocation. A successful one records its own place.
    let (line, owner) = (line!(), pool.allocate());
    let error = pool.free(owner.handle()).unwrap_err();
    assert_eq!((error.allocated_at().unwrap().line(), error.freed_at()), (line, None));
    let handle = owner.into_manual();
    let (line, _freed) = (line!(), pool.free(handle).unwrap());
    assert_eq!(places(handle).2, Some(line));
    let dropped = pool.allocate().handle();
    assert_eq!(places(dropped).2, None);
    assert!(pool.free(dropped).unwrap_err().to_string().ends_with("freed by a drop"));
}

/// A drained object lives on: its new life keeps the place of its allocation, and has its own place for its end.
#[test]
fn places_of_a_drained_object() {
    let mut pool: Pool<u64> = Pool::new();
    let (line, first) = (line!(), pool.allocate().into_manual());
    let drained = pool.drain().next().map(Owned::into_manual);
    let drained = drained.expect("an object");
    let lines = |handle: Handle<u64>| {
        let error = pool.free(handle).unwrap_err();
        (
            error.allocated_at().map(Location::line),
            error.freed_at().map(Location::line),
        )
    };
    let freed = line!() + 1;
    pool.free(drained).expect("it is alive");
    assert_eq!(lines(drained), (Some(line), Some(freed)));
    assert_eq!(lines(first).0, Some(line));
}
