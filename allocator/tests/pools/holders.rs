//! Guards that keep the holder of their pool alive.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use acedia::pool::{GuardsOnly, Plain};
use acedia::{Guard, Pool, Values};

use super::support::alone;

/// Adds its number when it is dropped.
struct Witness(Arc<AtomicU32>, u32);

impl Drop for Witness {
    fn drop(&mut self) {
        self.0.fetch_add(self.1, Ordering::SeqCst);
    }
}

struct World {
    pawns: Pool<String>,
    sockets: Values<Witness, GuardsOnly>,
    _ended: Witness,
}

fn world() -> (Arc<World>, Arc<AtomicU32>) {
    let ended = Arc::new(AtomicU32::new(0));
    let world = World {
        pawns: Pool::new(),
        sockets: Values::in_domain(),
        _ended: Witness(Arc::clone(&ended), 100),
    };
    (Arc::new(world), ended)
}

#[test]
fn a_guard_keeps_the_holder_and_the_object() {
    let _alone = alone();
    let (world, ended) = world();
    let handle = world.sockets.insert(Witness(Arc::clone(&ended), 1)).into_manual();
    let guard: Guard<Witness, Arc<World>> = Guard::holding(&world, |world| &*world.sockets, handle).unwrap();
    let other = guard.clone();
    assert_eq!((guard.handle(), Arc::strong_count(&world)), (handle, 3));
    world.sockets.free(handle).unwrap();
    assert!(Guard::holding(&world, |world| &*world.sockets, handle).is_none());
    drop(world);
    // The life is over, the world has no other holder, and the object is whole.
    let reader = thread::spawn(move || Arc::strong_count(&guard.0));
    assert_eq!((reader.join().unwrap(), ended.load(Ordering::SeqCst)), (3, 0));
    assert_eq!(Arc::strong_count(other.holder()), 1);
    drop(other);
    assert_eq!(ended.load(Ordering::SeqCst), 101, "the object, then the world");
}

#[test]
fn a_refusal_holds_nothing() {
    let _alone = alone();
    let (world, _) = world();
    let owner = world.pawns.allocate();
    let handle = owner.handle();
    let elsewhere = Arc::new(Pool::<String>::new());
    assert!(Guard::holding(&elsewhere, |pool| pool, handle).is_none());
    drop(owner);
    assert!(Guard::holding(&world, |world| &world.pawns, handle).is_none());
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        Guard::<String, Arc<World>>::holding::<Plain>(&world, |_| panic!("no pool"), handle)
    }));
    assert!(panicked.is_err());
    assert_eq!(Arc::strong_count(&world), 1);
}
