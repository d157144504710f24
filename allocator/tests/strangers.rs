//! One part of a program must not affect the pools of another.

mod support;

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use acedia::pool::{Domain, Global, GuardsOnly, Hooks, Owned, Pool, Readers, pin};
use support::sized;

/// The finalizers that have run: only of one test at a time.
static ENDED: AtomicU64 = AtomicU64::new(0);

struct Ending;

impl Hooks<u64> for Ending {
    type Readers = Global;

    fn make() -> u64 {
        0
    }
    const END: Option<fn(&mut u64)> = Some(|_| _ = ENDED.fetch_add(1, Ordering::Relaxed));
}

/// Frees by key take no pin: the finalizers of another pool run at once, on the thread that frees.
#[test]
fn frees_by_key_delay_no_finalizer() {
    let _alone = support::alone();
    ENDED.store(0, Ordering::Relaxed);
    let stop = AtomicBool::new(false);
    let (by_key, other): (Pool<u64>, Pool<u64, Ending>) = (Pool::new(), Pool::with_hooks());
    // Two threads that read: from now on a pin would be looked for.
    drop(pin());
    thread::scope(|scope| scope.spawn(|| drop(pin())).join().expect("no panic"));
    let mut late = 0;
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let key = by_key.allocate().into_manual();
                    assert!(by_key.free(key).is_ok());
                }
            });
        }
        for round in 1..=sized(2000, 20_000, 20) as u64 {
            let owner = other.allocate();
            let _ = owner.handle();
            drop(owner);
            late += u64::from(ENDED.load(Ordering::Relaxed) != round);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(late, 0, "finalizers ran late");
}

/// Of two objects of a pool that wait for pins, the end of the first pin finishes one, and the end of the second the other.
#[test]
fn an_object_that_waits_for_a_later_pin() {
    let _alone = support::alone();
    ENDED.store(0, Ordering::Relaxed);
    let pool: Pool<u64, Ending> = Pool::with_hooks();
    let owners = [pool.allocate(), pool.allocate()];
    for owner in &owners {
        let _ = owner.handle();
    }
    // Each thread pins, says so, and unpins when it is told to.
    let turns: [_; 4] = std::array::from_fn(|_| Barrier::new(2));
    let [pinned, unpin, pinned_later, unpin_later] = &turns;
    // Compared after the threads have ended: a panic in between would leave them at their barriers.
    let mut ended = Vec::new();
    let mut note = || ended.push(ENDED.load(Ordering::Relaxed));
    thread::scope(|scope| {
        let hold = |pinned: &Barrier, unpin: &Barrier| {
            let pin = pin();
            pinned.wait();
            unpin.wait();
            drop(pin);
        };
        let earlier = scope.spawn(move || hold(pinned, unpin));
        pinned.wait();
        let [first, second] = owners;
        drop(first);
        let later = scope.spawn(move || hold(pinned_later, unpin_later));
        pinned_later.wait();
        drop(second);
        note();
        unpin.wait();
        earlier.join().expect("no panic");
        note();
        unpin_later.wait();
        later.join().expect("no panic");
        note();
    });
    assert_eq!(ended, [0, 1, 2], "under both pins, after the first, after the second");
}

/// A late finalizer pins, and frees another object under that pin. The end of the outer pin finishes both.
#[test]
fn a_pin_that_ends_in_a_late_finalizer() {
    static INNER: Pool<u64, Ending> = Pool::with_hooks();
    struct Outer;
    impl Hooks<Option<Owned<u64, &'static Pool<u64, Ending>>>> for Outer {
        type Readers = Global;

        fn make() -> Option<Owned<u64, &'static Pool<u64, Ending>>> {
            None
        }
        const END: Option<fn(&mut Option<Owned<u64, &'static Pool<u64, Ending>>>)> = Some(|owner| {
            let pinned = pin();
            drop(owner.take());
            assert_eq!(ENDED.load(Ordering::Relaxed), 0, "finished under a pin");
            drop(pinned);
        });
    }
    let _alone = support::alone();
    ENDED.store(0, Ordering::Relaxed);
    let outer: Pool<_, Outer> = Pool::with_hooks();
    let inner = INNER.allocate();
    let _ = inner.handle();
    let owner = outer.allocate_with(|place| *place = Some(inner));
    let _ = owner.handle();
    let pinned = pin();
    drop(owner);
    assert_eq!((outer.stats().waiting, ENDED.load(Ordering::Relaxed)), (1, 0));
    drop(pinned);
    // No other use of the two pools comes between.
    assert_eq!(
        ENDED.load(Ordering::Relaxed),
        1,
        "the inner object waits for other work"
    );
    assert_eq!((outer.stats().waiting, outer.stats().kept), (0, 1));
}

/// A refused `exclusive` leaves the object in the sight of other threads.
#[test]
fn a_refused_exclusive_hides_nothing() {
    let _alone = support::alone();
    let pool: Pool<u64> = Pool::new();
    let mut owner = pool.allocate_with(|object| *object = 7);
    let key = owner.handle();
    let stop = AtomicBool::new(false);
    let guard = pool.guard(key).expect("it lives");
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                assert_eq!(pool.get(key, &pin()), Some(&7), "out of sight");
            }
        });
        for _ in 0..sized(2000, 20_000, 20) {
            assert!(owner.exclusive(|_| ()).is_none(), "there is a guard");
        }
        stop.store(true, Ordering::Relaxed);
    });
    drop(guard);
}

/// The thread that drops a pool keeps nothing of it, and the memory of its objects is used again.
#[test]
fn pools_that_come_and_go_use_the_same_memory() {
    let _alone = support::alone();
    let mut before = None;
    for _ in 0..sized(200, 1000, 5) {
        let pool: Pool<[u64; 8]> = Pool::new();
        let key = pool.allocate().into_manual();
        let index = key.index();
        drop(pool);
        assert!(
            before.replace(index).is_none_or(|before| before == index),
            "another chunk number"
        );
    }
}

/// In a pool that is read by guards only, the finalizer runs at the free, on that thread, while other threads hold pins.
#[test]
fn guards_only_finalizers_run_at_the_free() {
    std::thread_local! { static ENDED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) }; }
    struct Ending;
    impl Hooks<u64> for Ending {
        type Readers = GuardsOnly;

        fn make() -> u64 {
            0
        }
        const END: Option<fn(&mut u64)> = Some(|_| ENDED.with(|ended| ended.set(ended.get() + 1)));
    }
    let _alone = support::alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks();
    let [pinned, over] = [Barrier::new(3), Barrier::new(3)];
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let pin = pin();
                pinned.wait();
                over.wait();
                drop(pin);
            });
        }
        pinned.wait();
        let _mine = pin();
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
        over.wait();
    });
}

/// A pin that is held for ever in one domain changes nothing in another.
#[test]
fn a_pin_for_ever_in_another_domain() {
    acedia::domain! { Audio }
    struct Ending<D>(std::marker::PhantomData<fn() -> D>);
    impl<D: Readers> Hooks<u64> for Ending<D> {
        type Readers = D;

        fn make() -> u64 {
            0
        }
        const END: Option<fn(&mut u64)> = Some(|value| *value = 0);
    }
    let _alone = support::alone();
    let (here, there): (Pool<u64, Ending<Global>>, Pool<u64, Ending<Audio>>) = (Pool::with_hooks(), Pool::with_hooks());
    thread::scope(|scope| scope.spawn(|| std::mem::forget(Audio::pin())).join().expect("no panic"));
    // A later thread gets a flag of its own.
    thread::scope(|scope| scope.spawn(|| drop(Audio::pin())).join().expect("no panic"));
    let count = sized(1000, 10_000, 20) as u64;
    for round in 0..count {
        let owners = (here.allocate(), there.allocate());
        let _ = (owners.0.handle(), owners.1.handle());
        drop(owners);
        let (stats, waits) = (here.stats(), there.stats());
        assert_eq!((stats.waiting, stats.kept, waits.waiting), (0, 1, round + 1));
    }
    assert_eq!(Audio::pinned_threads().len(), 1);
    // The pin was leaked, so the objects of its domain wait for ever; the pool may end all the same.
    assert_eq!(there.stats().kept, count);
}
