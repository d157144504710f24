//! One part of a program must not affect the pools of another.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use acedia::pool::{Domain, Global, GuardsOnly};
use acedia::{Pool, pin};

use super::support::{PinElsewhere, alone, beside, hooks, sized};

/// The finalizers that have run: only of one test at a time.
static ENDED: AtomicU64 = AtomicU64::new(0);

hooks!(Ending: u64 = 0, end |_| _ = ENDED.fetch_add(1, Ordering::Relaxed));

fn ended() -> u64 {
    ENDED.load(Ordering::Relaxed)
}

/// Frees by handle take no pin: the finalizers of another pool run at once, on the thread that frees.
#[test]
fn frees_by_handle_delay_no_finalizer() {
    let _alone = alone();
    ENDED.store(0, Ordering::Relaxed);
    let (by_handle, other): (Pool<u64>, Pool<u64, Ending>) = (Pool::new(), Pool::with_hooks());
    // Two threads read: from now on, frees look for pins.
    drop((pin(), PinElsewhere::new::<Global>()));
    let work = || {
        let handle = by_handle.allocate().into_manual();
        assert!(by_handle.free(handle).is_ok());
    };
    beside(2, work, || {
        for round in 1..=sized(2000, 20_000, 20) as u64 {
            let _ = other.allocate().handle();
            assert_eq!(ended(), round, "a finalizer ran late");
        }
    });
}

/// A refused `exclusive` leaves the object in the sight of other threads.
#[test]
fn a_refused_exclusive_hides_nothing() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let mut owner = pool.allocate_with(|object| *object = 7);
    let handle = owner.handle();
    let _guard = pool.guard(handle).expect("it lives");
    let look = || assert_eq!(pool.get(handle, &pin()), Some(&7), "out of sight");
    beside(1, look, || {
        for _ in 0..sized(2000, 20_000, 20) {
            assert!(owner.exclusive(|_| ()).is_none(), "there is a guard");
        }
    });
}

/// The thread that drops a pool keeps nothing of it, and the memory of its objects is reused.
#[test]
fn pools_that_come_and_go_use_the_same_memory() {
    let _alone = alone();
    let index = || Pool::<[u64; 8]>::new().allocate().index();
    let first = index();
    assert!(
        (0..sized(200, 1000, 5)).all(|_| index() == first),
        "another chunk number"
    );
}

/// In a pool that is read by guards only, the finalizer runs during the free, on that thread, while other threads hold pins.
#[test]
fn guards_only_finalizers_run_at_the_free() {
    thread_local! { static ENDED: Cell<u64> = const { Cell::new(0) }; }
    hooks!(Ending: u64 = 0, end |_| ENDED.set(ENDED.get() + 1); GuardsOnly);
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks();
    let _pins = (pin(), PinElsewhere::new::<Global>(), PinElsewhere::new::<Global>());
    for round in 1..=sized(1000, 10_000, 20) as u64 {
        let owner = pool.allocate();
        let guard = pool.guard(owner.handle()).expect("it is alive");
        drop(owner);
        assert_eq!(
            (ENDED.get(), pool.stats().waiting),
            (round - 1, 1),
            "a guard was ignored"
        );
        drop(guard);
        assert_eq!((ENDED.get(), pool.stats().waiting), (round, 0), "a finalizer ran late");
    }
}

/// A pin that is held forever in one domain changes nothing in another.
#[test]
fn a_pin_for_ever_in_another_domain() {
    acedia::domain! { Audio }
    hooks!(Here: u64 = 0, end |value| *value = 0);
    hooks!(There: u64 = 0, end |value| *value = 0; Audio);
    let _alone = alone();
    let (here, there): (Pool<u64, Here>, Pool<u64, There>) = (Pool::with_hooks(), Pool::with_hooks());
    thread::spawn(|| std::mem::forget(Audio::pin())).join().unwrap();
    // A later thread gets its own flag.
    drop(PinElsewhere::new::<Audio>());
    let count = sized(1000, 10_000, 20) as u64;
    for round in 1..=count {
        let owners = (here.allocate(), there.allocate());
        let _ = (owners.0.handle(), owners.1.handle());
        drop(owners);
        let (stats, waits) = (here.stats(), there.stats());
        assert_eq!((stats.waiting, stats.kept, waits.waiting), (0, 1, round));
    }
    assert_eq!(Audio::pinned_threads().len(), 1);
    // The pin was leaked, so the objects of its domain wait forever. The pool may end nevertheless.
    assert_eq!(there.stats().kept, count);
}
