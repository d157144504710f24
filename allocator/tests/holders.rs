//! Guards that keep the holder of their pool alive.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use acedia::Reason;
use acedia::pool::{GuardsOnly, Handle, OwnedGuard, Pool, Values};

/// Counts its drop.
struct Witness(Arc<AtomicU32>);

impl Drop for Witness {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

struct World {
    pawns: Pool<String>,
    sockets: Values<Witness, GuardsOnly>,
    late: OnceLock<Box<Pool<u64>>>,
    ended: Arc<AtomicU32>,
}

impl Drop for World {
    fn drop(&mut self) {
        self.ended.fetch_add(100, Ordering::SeqCst);
    }
}

fn world() -> (Arc<World>, Arc<AtomicU32>) {
    let ended = Arc::new(AtomicU32::new(0));
    let world = World {
        pawns: Pool::new(),
        sockets: Values::in_domain(),
        late: OnceLock::new(),
        ended: Arc::clone(&ended),
    };
    (Arc::new(world), ended)
}

#[test]
fn a_guard_keeps_the_holder_and_the_object() {
    let (world, ended) = world();
    let key = world.sockets.insert(Witness(Arc::clone(&ended))).into_manual();
    let guard: OwnedGuard<Witness, World> = OwnedGuard::new(&world, |world| &*world.sockets, key).unwrap();
    let other = guard.clone();
    assert_eq!((guard.handle(), Arc::strong_count(&world)), (key, 3));
    world.sockets.free(key).unwrap();
    assert!(OwnedGuard::new(&world, |world| &*world.sockets, key).is_none());
    drop(world);
    // The life is over, the world has no other holder, and the object is whole.
    let reader = thread::spawn(move || {
        let strong = Arc::strong_count(&guard.0);
        drop(guard);
        strong
    });
    assert_eq!((reader.join().unwrap(), ended.load(Ordering::SeqCst)), (3, 0));
    assert_eq!(Arc::strong_count(other.holder()), 1);
    drop(other);
    assert_eq!(ended.load(Ordering::SeqCst), 101, "the object, then the world");
}

trait Room: Send + Sync {
    fn pawns(&self) -> &Pool<String>;
}

impl Room for World {
    fn pawns(&self) -> &Pool<String> {
        &self.pawns
    }
}

#[test]
fn a_holder_may_be_a_trait_object_or_keep_its_pool_elsewhere() {
    let (world, ended) = world();
    let key = world.pawns.allocate_with(|name| name.push_str("orc")).into_manual();
    let room: Arc<dyn Room> = Arc::clone(&world) as _;
    let pawn = OwnedGuard::new(&room, |room| room.pawns(), key).unwrap();
    let late = |world: &World| -> Handle<u64> {
        let pool = world.late.get_or_init(Box::default);
        pool.allocate_with(|number| *number = 7).into_manual()
    };
    let number = late(&world);
    let number = OwnedGuard::new(&world, |world| &**world.late.get().unwrap(), number).unwrap();
    drop((world, room));
    assert_eq!((pawn.as_str(), *number), ("orc", 7));
    drop(number);
    assert_eq!(ended.load(Ordering::SeqCst), 0);
    drop(pawn);
    assert_eq!(ended.load(Ordering::SeqCst), 100);
}

#[test]
fn a_refusal_holds_nothing() {
    let (world, _) = world();
    let owner = world.pawns.allocate();
    let key = owner.handle();
    let elsewhere = Arc::new(Pool::<String>::new());
    let refused = OwnedGuard::try_new(&elsewhere, |pool| pool, key).err().unwrap();
    assert_eq!(refused.reason(), Reason::Foreign);
    drop(owner);
    let refused = OwnedGuard::try_new(&world, |world| &world.pawns, key).err().unwrap();
    assert_eq!(refused.reason(), Reason::Freed);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        OwnedGuard::<String, World>::new::<acedia::pool::Plain>(&world, |_| panic!("no pool"), key)
    }));
    assert!(panicked.is_err());
    assert_eq!(Arc::strong_count(&world), 1);
}
