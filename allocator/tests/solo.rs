//! From one reading thread to two: the moment at which the engine starts to fence.
//!
//! The first comes once in a process, so the test starts itself again many times. In each, one thread allocates and frees, at
//! first without any fence, and another starts to read at a random moment.
#![allow(
    clippy::similar_names,
    reason = "a test's own types and numbers stand where they are used"
)]

mod support;

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use acedia::pool::{Handle, Hooks, Pool, pin};
use support::{CASE, Rng, case, sized};

/// Ends every life by wiping it, so that a late read shows.
struct Wiping;

impl Hooks<[u64; 6]> for Wiping {
    type Readers = acedia::pool::Global;

    fn make() -> [u64; 6] {
        [0; 6]
    }

    fn begin(object: &mut [u64; 6]) {
        assert_eq!(*object, [0; 6], "handed out while alive");
    }

    const END: Option<fn(&mut [u64; 6])> = Some(|object| *object = [0; 6]);
}

/// Begins every life by wiping the last one.
struct Late;

impl Hooks<[u64; 6]> for Late {
    type Readers = acedia::pool::Global;

    fn make() -> [u64; 6] {
        [0; 6]
    }

    fn begin(object: &mut [u64; 6]) {
        *object = [0; 6];
    }
}

/// The steps of both threads, by the bits of a seed.
struct Case {
    first_reads: bool,
    first_guards: bool,
    second_guards: bool,
}

fn churn_while_another_starts<H: Hooks<[u64; 6], Readers = acedia::pool::Global>>(rng: &mut Rng, case: &Case) {
    let pool: Pool<[u64; 6], H> = Pool::with_hooks();
    // The last key that was published, and the number its object was filled with: the key's own bits.
    let newest = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let churned = AtomicU64::new(0);
    let start = rng.below(20_000) as u64;
    let seed = rng.next();
    let read = |key: Handle<[u64; 6]>, object: &[u64; 6]| {
        assert_eq!(
            *object,
            [key.to_bits(); 6],
            "{key:?} leads to a foreign or half-made object"
        );
    };
    thread::scope(|scope| {
        let churner = scope.spawn(|| {
            let mut rng = Rng(seed);
            while !stop.load(Ordering::Relaxed) {
                let reserved = pool.reserve();
                let key = reserved.handle();
                let owner = reserved.fill(|object| *object = [key.to_bits(); 6]);
                newest.store(key.to_bits(), Ordering::Relaxed);
                if case.first_reads && rng.below(4) == 0 {
                    let pinned = pin();
                    read(key, pool.get(key, &pinned).unwrap());
                }
                if case.first_guards && rng.below(4) == 0 {
                    read(key, &pool.guard(key).unwrap());
                }
                drop(owner);
                churned.fetch_add(1, Ordering::Relaxed);
            }
        });
        let reader = scope.spawn(|| {
            while churned.load(Ordering::Relaxed) < start {
                std::hint::spin_loop();
            }
            let mut seen = 0_u64;
            for _ in 0..sized(20_000, 40_000, 20) {
                let Some(key) = Handle::from_bits(newest.load(Ordering::Relaxed)) else {
                    continue;
                };
                if case.second_guards {
                    if let Some(guard) = pool.guard(key) {
                        read(key, &guard);
                        read(key, &guard);
                        seen += 1;
                    }
                } else {
                    let pinned = pin();
                    if let Some(object) = pool.get(key, &pinned) {
                        read(key, object);
                        read(key, object);
                        seen += 1;
                    }
                }
            }
            seen
        });
        let reader = reader.join();
        stop.store(true, Ordering::Relaxed);
        churner.join().unwrap();
        // How often it was in time depends on the machine.
        let _ = reader.unwrap();
    });
    let stats = pool.stats();
    assert_eq!(stats.live, 0);
}

#[test]
fn a_second_thread_starts_to_read() {
    if let Some(case) = case() {
        let seed: u64 = case.parse().expect("a number");
        let mut rng = Rng(seed);
        let bit = |bit: u32| seed >> bit & 1 == 1;
        let case = Case {
            first_reads: bit(0),
            second_guards: bit(1),
            first_guards: bit(3),
        };
        if bit(2) {
            churn_while_another_starts::<Late>(&mut rng, &case);
        } else {
            churn_while_another_starts::<Wiping>(&mut rng, &case);
        }
        return;
    }
    if cfg!(miri) {
        return;
    }
    for seed in 0..sized(160, 400, 0) {
        let output = support::this_binary()
            .args(["--exact", "a_second_thread_starts_to_read", "--nocapture"])
            .env(CASE, seed.to_string())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "seed {seed}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// With one reading thread, "free, then allocate" gives the same slot, and its next life.
#[test]
fn one_thread_gets_the_slot_it_freed() {
    const NAME: &str = "one_thread_gets_the_slot_it_freed";
    if case().is_none() {
        return support::passes_in_own_process(NAME, "alone");
    }
    let pool: Pool<[u64; 6], Wiping> = Pool::with_hooks();
    let others: Vec<_> = (0..10).map(|_| pool.allocate()).collect();
    let mut last = None;
    for _ in 0..1000 {
        let owner = pool.allocate();
        let key = owner.handle();
        assert!(pool.get(key, &pin()).is_some());
        if let Some(last) = last.replace(key) {
            assert_eq!(last.index(), key.index());
            assert_eq!(last.life() + 1, key.life());
        }
        drop(owner);
    }
    drop(others);
    assert_eq!(pool.stats().kept, 11);
}

/// Frees an object that has a key and allocates; whether that gave the same slot.
fn same_slot(pool: &Pool<[u64; 6], Late>) -> bool {
    let owner = pool.allocate();
    let index = owner.handle().index();
    drop(owner);
    pool.allocate().index() == index
}

/// No object that one of several reading threads sees is handed out, also when the threads leave and others come.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs membarrier")]
fn readers_that_leave_and_return() {
    const NAME: &str = "readers_that_leave_and_return";
    if case().is_none() {
        return support::passes_in_own_process(NAME, "alone");
    }
    let pool: Pool<[u64; 6], Wiping> = Pool::with_hooks();
    drop(pin());
    for round in 0..5 {
        let owner = pool.allocate_with(|object| *object = [round; 6]);
        let key = owner.handle();
        let (reading, freed) = (Barrier::new(2), Barrier::new(2));
        thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let pinned = pin();
                let seen = pool.get(key, &pinned).expect("alive");
                reading.wait();
                freed.wait();
                assert_eq!(*seen, [round; 6], "finalized or handed out under a pin");
            });
            reading.wait();
            drop(owner);
            let others: Vec<_> = (0..1000).map(|_| pool.allocate()).collect();
            let reused = others.iter().any(|other| other.index() == key.index());
            drop(others);
            freed.wait();
            reader.join().unwrap();
            assert!(!reused, "handed out under a pin");
        });
    }
}

/// Allocates many objects while `key`'s is guarded, which is not among them.
#[track_caller]
fn is_kept_back(pool: &Pool<[u64; 6], impl Hooks<[u64; 6]>>, key: Handle<[u64; 6]>) {
    let others: Vec<_> = (0..1000).map(|_| pool.allocate()).collect();
    assert!(
        others.iter().all(|other| other.index() != key.index()),
        "handed out under a guard"
    );
}

/// Freeing in a pool that has guards looks for them, on every thread. Other pools pay nothing for them.
fn guards_are_noticed_by<H: Hooks<[u64; 6]>>() {
    let pool: Pool<[u64; 6], H> = Pool::with_hooks();
    let calm = Pool::with_hooks();
    let allocate = |n| pool.allocate_with(|object| *object = [n; 6]);

    // A guard of the thread that frees.
    let owner = allocate(7);
    let key = owner.handle();
    let guard = pool.guard(key).expect("alive");
    drop(owner);
    is_kept_back(&pool, key);
    assert!(pool.guard(key).is_none());
    assert_eq!(*guard, [7; 6], "finalized under a guard");
    drop(guard);
    let owner = allocate(8);
    let index = owner.handle().index();
    drop(owner);
    assert_eq!(
        pool.allocate().index(),
        index,
        "its own guards don't keep a thread from freeing alone"
    );

    // Of another thread, and of one more.
    for n in 9..11 {
        let owner = allocate(n);
        let key = owner.handle();
        let guard = thread::scope(|scope| scope.spawn(|| pool.guard(key).expect("alive")).join().unwrap());
        drop(owner);
        is_kept_back(&pool, key);
        assert_eq!(*guard, [n; 6], "finalized under a guard");
        // Another pool has no guards, and the engine knows it.
        assert!((0..1000).all(|_| same_slot(&calm)));
        drop(guard);
    }
}

/// A thread learns of the guards that were made in a pool before it came there.
fn guards_are_known_to_newcomers<H: Hooks<[u64; 6]>>() {
    let pool: Pool<[u64; 6], H> = Pool::with_hooks();
    let owner = pool.allocate_with(|object| *object = [7; 6]);
    let key = owner.handle();
    let guard = pool.guard(key).expect("alive");
    thread::scope(|scope| {
        scope.spawn(|| {
            // From now on it has magazines.
            drop(pool.allocate());
            drop(owner);
            is_kept_back(&pool, key);
        });
    });
    assert_eq!(*guard, [7; 6], "finalized or reused under a guard");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "needs membarrier")]
fn guards_are_noticed() {
    const NAME: &str = "guards_are_noticed";
    match case().as_deref() {
        None => {
            support::passes_in_own_process(NAME, "wiping");
            support::passes_in_own_process(NAME, "late");
        }
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
