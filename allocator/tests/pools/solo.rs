//! From one reading thread to two: the moment at which the engine starts to fence.
//!
//! The first comes once in a process, so each test starts itself again.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use acedia::pool::{Global, Hooks};
use acedia::{Handle, Pool, pin};

use super::support::{Barrier, PinElsewhere, Rng, again, case, crew, elsewhere, hooks, in_own_process, passed, sized};

type Six = [u64; 6];

// The first ends every life by wiping it, so that a late read shows. The second begins every life by wiping the last one.
hooks!(Wiping: Six = [0; 6], begin |object| assert_eq!(*object, [0; 6], "handed out while alive"), end |object| *object = [0; 6]);
hooks!(Late: Six = [0; 6], begin |object| *object = [0; 6]);

/// The bits of a seed: whether the first thread reads, whether it does so by guards, and whether the second thread does.
fn churn_while_another_starts<H: Hooks<Six, Readers = Global>>(seed: u64) {
    let bit = |bit: u32| seed >> bit & 1 == 1;
    let mut rng = Rng(seed);
    let pool: Pool<Six, H> = Pool::with_hooks();
    // The last handle that was published: its object is filled with the handle's own bits.
    let newest = AtomicU64::new(0);
    let (stop, churned) = (AtomicBool::new(false), AtomicU64::new(0));
    let start = rng.below(20_000) as u64;
    let read = |handle: Handle<Six>, object: &Six| {
        // Neither a foreign object nor a half-made one.
        assert_eq!(*object, [handle.to_bits(); 6], "{handle:?}");
    };
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while churned.load(Ordering::Relaxed) < start {
                std::hint::spin_loop();
            }
            for _ in 0..sized(20_000, 40_000, 20) {
                let Some(handle) = Handle::from_bits(newest.load(Ordering::Relaxed)) else {
                    continue;
                };
                if bit(1) {
                    let guard = pool.guard(handle);
                    (0..2).for_each(|_| guard.iter().for_each(|object| read(handle, object)));
                } else {
                    let pinned = pin();
                    let object = pool.get(handle, &pinned);
                    (0..2).for_each(|_| object.iter().for_each(|object| read(handle, object)));
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        let mut rng = Rng(rng.next());
        while !stop.load(Ordering::Relaxed) && !reader.is_finished() {
            let reserved = pool.reserve();
            let handle = reserved.handle();
            let owner = reserved.fill(|object| *object = [handle.to_bits(); 6]);
            newest.store(handle.to_bits(), Ordering::Relaxed);
            if bit(0) && rng.below(4) == 0 {
                read(handle, pool.get(handle, &pin()).unwrap());
            }
            if bit(3) && rng.below(4) == 0 {
                read(handle, &pool.guard(handle).unwrap());
            }
            drop(owner);
            churned.fetch_add(1, Ordering::Relaxed);
        }
        reader.join().unwrap();
    });
    assert_eq!(pool.stats().live, 0);
}

#[test]
fn a_second_thread_starts_to_read() {
    match case().map(|case| case.parse::<u64>().expect("a number")) {
        Some(seed) if seed >> 2 & 1 == 1 => churn_while_another_starts::<Late>(seed),
        Some(seed) => churn_while_another_starts::<Wiping>(seed),
        None => {
            for seed in 0..sized(96, 400, 0) {
                passed(&again(|| (), &seed.to_string()));
            }
        }
    }
}

/// With one reading thread, "free, then allocate" gives the same slot, and its next life; but not under a pin of this thread or of a second one.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs membarrier")]
fn a_second_reading_thread_is_noticed() {
    in_own_process(|| {
        let pool: Pool<Six, Wiping> = Pool::with_hooks();
        let others: Vec<_> = pool.allocate_many(10).collect();
        let mut last: Option<Handle<Six>> = None;
        for _ in 0..1000 {
            let owner = pool.allocate();
            let handle = owner.handle();
            assert!(pool.get(handle, &pin()).is_some());
            let next = last.replace(handle).map(|last| (last.index(), last.life() + 1));
            assert!(next.is_none_or(|next| next == (handle.index(), handle.life())));
        }
        drop(others);
        assert_eq!(pool.stats().kept, 11);
        for elsewhere in [false, true] {
            let owner = pool.allocate_with(|object| object[0] = 2);
            let handle = owner.handle();
            let here = (!elsewhere).then(pin);
            let there = elsewhere.then(PinElsewhere::new::<Global>);
            drop(owner);
            is_kept_back(&pool, handle);
            drop((here, there));
        }
    });
}

/// No object that one of several reading threads sees is handed out, even if threads leave and others come.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs membarrier")]
fn readers_that_leave_and_return() {
    in_own_process(|| {
        let pool: Pool<Six, Wiping> = Pool::with_hooks();
        drop(pin());
        for round in 0..5 {
            let owner = pool.allocate_with(|object| *object = [round; 6]);
            let handle = owner.handle();
            let (reading, freed) = (Barrier::new(2), Barrier::new(2));
            let read = |_| {
                let pinned = pin();
                let seen = pool.get(handle, &pinned).expect("alive");
                reading.wait();
                freed.wait();
                assert_eq!(*seen, [round; 6], "finalized or handed out under a pin");
            };
            crew([1], read, || {
                reading.wait();
                drop(owner);
                is_kept_back(&pool, handle);
                freed.wait();
            });
        }
    });
}

/// Allocates many objects while the object of `handle` is read: it is not among them.
#[track_caller]
fn is_kept_back(pool: &Pool<Six, impl Hooks<Six>>, handle: Handle<Six>) {
    let others: Vec<_> = pool.allocate_many(1000).collect();
    let is_reused = others.iter().any(|other| other.index() == handle.index());
    assert!(!is_reused, "handed out while it is read");
}

/// Frees an object that has a handle, and allocates: the slot is the same.
fn is_reused<H: Hooks<Six>>(pool: &Pool<Six, H>) -> bool {
    let index = pool.allocate().handle().index();
    pool.allocate().index() == index
}

/// Freeing in a pool that has guards looks for them, on every thread. Other pools pay nothing for them.
fn guards_are_noticed_by<H: Hooks<Six>>() {
    let (pool, calm): (Pool<Six, H>, Pool<Six, Late>) = (Pool::with_hooks(), Pool::with_hooks());
    // A guard of the thread that frees, of another thread, and of one more.
    for n in 7..10 {
        let owner = pool.allocate_with(|object| *object = [n; 6]);
        let handle = owner.handle();
        let guard = || pool.guard(handle).expect("alive");
        let guard = if n == 7 { guard() } else { elsewhere(guard) };
        drop(owner);
        is_kept_back(&pool, handle);
        assert!(pool.guard(handle).is_none());
        assert_eq!(*guard, [n; 6], "finalized under a guard");
        // Another pool has no guards, and the engine knows it.
        assert!((0..1000).all(|_| is_reused(&calm)));
        drop(guard);
        assert!(
            n > 7 || is_reused(&pool),
            "its own guards don't keep a thread from freeing alone"
        );
    }
}

/// A thread learns of guards that were made before it first used the pool.
fn guards_are_known_to_newcomers<H: Hooks<Six>>() {
    let pool: Pool<Six, H> = Pool::with_hooks();
    let owner = pool.allocate_with(|object| *object = [7; 6]);
    let handle = owner.handle();
    let guard = pool.guard(handle).expect("alive");
    elsewhere(|| {
        // From now on it has magazines.
        drop(pool.allocate());
        drop(owner);
        is_kept_back(&pool, handle);
    });
    assert_eq!(*guard, [7; 6], "finalized or reused under a guard");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs membarrier")]
fn guards_are_noticed() {
    match case().as_deref() {
        None => ["wiping", "late"]
            .into_iter()
            .for_each(|case| drop(passed(&again(|| (), case)))),
        Some("wiping") => {
            guards_are_known_to_newcomers::<Wiping>();
            guards_are_noticed_by::<Wiping>();
        }
        Some(_) => {
            guards_are_known_to_newcomers::<Late>();
            guards_are_noticed_by::<Late>();
        }
    }
}
