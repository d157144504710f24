//! Slots that move from thread to thread.

use crate::pool::models::{BEGUN, Beginning, Payload, both, exist, model, saw, saw_reuse};
use crate::pool::{Owned, Pool};

/// Two threads allocate and free through the same depot: no slot is owned twice, and none is lost.
#[test]
fn magazines_and_depot_exchange() {
    model(&["here", "there"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        // One more than a thread keeps: the depot gets the magazine that was filled first, for the first thread that asks.
        let mut owners = [(); 6].map(|()| pool.allocate());
        let depot = [owners[0].index(), owners[1].index()];
        owners.iter_mut().for_each(|owner| owner.get_mut().unwrap().write(0));
        drop(owners);
        let (here, there) = both(|| use_some(&pool, 5), || use_some(&pool, 3));
        let got = |indices: &[u32]| depot.iter().any(|index| indices.contains(index));
        assert!(got(&here) || got(&there), "the depot kept its magazine to itself");
        saw(if got(&here) { "here" } else { "there" });
        conserved(&pool);
    });
}

/// Allocates `count` objects and makes handles of half of them. Returns the indices of their slots.
fn use_some(pool: &Pool<Payload, Beginning>, count: usize) -> Vec<u32> {
    let owners: Vec<_> = (0..count)
        .map(|_| pool.allocate_with(|object| object.write(1)))
        .collect();
    let indices = owners.iter().map(Owned::index).collect();
    for (n, owner) in owners.iter().enumerate() {
        assert_eq!(owner.read(), 1);
        if n % 2 == 0 {
            let _ = owner.handle();
        }
    }
    indices
}

/// Checks that every slot is free, and can be allocated exactly once.
fn conserved(pool: &Pool<Payload, Beginning>) {
    let stats = pool.stats();
    assert_eq!(stats.live, 0);
    let all: Vec<_> = (0..stats.kept).map(|_| pool.allocate()).collect();
    assert_eq!(pool.stats().kept, 0, "slots were lost");
    let mut indices: Vec<_> = all.iter().map(Owned::index).collect();
    indices.sort_unstable();
    indices.dedup();
    assert_eq!(indices.len(), all.len(), "a slot is owned twice");
}

/// One thread allocates, the other frees.
#[test]
fn remote_free() {
    model(&["reused", "not reused"], || {
        let pool = Pool::<_, Beginning>::with_hooks();
        let owners = [(); 3].map(|()| pool.allocate());
        owners.iter().for_each(|owner| {
            let _ = owner.handle();
        });
        both(
            || {
                let before = exist(&pool);
                let next = [(); 2].map(|()| pool.allocate());
                next.iter().for_each(|owner| assert_eq!(owner.read(), BEGUN));
                saw_reuse(exist(&pool) < before + 2);
            },
            move || {
                owners.iter().for_each(|owner| assert_eq!(owner.read(), BEGUN));
                drop(owners);
            },
        );
        conserved(&pool);
    });
}
