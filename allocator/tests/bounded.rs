//! Bounded pools: waiting for room, and the largest bounds.

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use acedia_allocator::pool::{Hooks, Pool, pin};
use acedia_allocator::{AllocateError, PoolPolicy};
use support::{Rng, alone, sized};

/// Longer than any wait that does not hang.
const LONG: Duration = Duration::from_secs(60);

struct Ending;
impl Hooks<u64> for Ending {
    type Readers = acedia_allocator::pool::Global;

    fn make() -> u64 {
        0
    }
    const END: Option<fn(&mut u64)> = Some(|n| *n = 0);
}

/// Several threads share few objects: never more than the bound are in use, and all get their turn.
#[test]
fn all_get_their_turn() {
    const ROOM: usize = 2;
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(ROOM);
    let in_use = AtomicUsize::new(0);
    let rounds = sized(500, 5000, 5);
    thread::scope(|scope| {
        let workers = [1, 2, 3, 4, 5].map(|seed| {
            let (pool, in_use) = (&pool, &in_use);
            scope.spawn(move || {
                let mut rng = Rng(seed);
                for _ in 0..rounds {
                    let owner = pool.allocate_waiting(None).unwrap();
                    assert!(in_use.fetch_add(1, Ordering::SeqCst) < ROOM, "more than the bound");
                    match rng.below(4) {
                        0 => thread::yield_now(),
                        1 => assert_eq!(pool.get(owner.key(), &pin()), Some(&0)),
                        2 => drop(pool.guard(owner.key())),
                        _ => (),
                    }
                    in_use.fetch_sub(1, Ordering::SeqCst);
                }
            })
        });
        for worker in workers {
            worker.join().unwrap();
        }
    });
    pool.settle();
    let stats = pool.stats();
    assert_eq!((stats.live, stats.lives), (0, 5 * rounds as u64), "{stats:?}");
    assert!(stats.fresh <= ROOM as u64, "{stats:?}");
    let all = [(); ROOM].map(|()| pool.try_allocate().unwrap());
    assert!(pool.try_allocate().is_err(), "room was lost");
    drop(all);
}

/// Starts to wait, then has `make_room` called, and checks that the wait ends then and not before.
#[track_caller]
fn wakes(pool: &Pool<u64, Ending>, make_room: impl FnOnce()) {
    thread::scope(|scope| {
        let (done, is_done) = channel();
        scope.spawn(move || done.send(pool.allocate_waiting(Some(LONG)).map(drop)));
        assert_eq!(
            is_done.recv_timeout(Duration::from_millis(30)),
            Err(RecvTimeoutError::Timeout),
            "there was no room"
        );
        make_room();
        assert_eq!(is_done.recv_timeout(LONG), Ok(Ok(())));
    });
}

/// Every event that makes room wakes a waiting thread.
#[test]
fn whatever_makes_room() {
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(1);

    let owner = pool.allocate();
    wakes(&pool, || drop(owner));

    let reserved = pool.reserve();
    wakes(&pool, || drop(reserved));

    let key = pool.allocate().into_manual();
    wakes(&pool, || pool.free(key).unwrap());

    let owner = pool.allocate();
    let guard = pool.guard(owner.key());
    drop(owner);
    wakes(&pool, || drop(guard));

    let owner = pool.allocate();
    let _ = owner.key();
    let pinned = pin();
    drop(owner);
    wakes(&pool, || drop(pinned));

    assert_eq!(pool.stats().fresh, 1);
}

#[test]
fn a_wait_ends_with_its_time() {
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(1);
    let only = pool.allocate();
    for millis in [0, 1, 25] {
        let (start, time) = (Instant::now(), Duration::from_millis(millis));
        let error = pool.allocate_waiting(Some(time)).unwrap_err();
        assert!(matches!(error, AllocateError::Full { capacity: 1, .. }), "{error}");
        assert!(start.elapsed() >= time, "too early");
    }
    // Beyond the clock's range, which is for ever.
    thread::scope(|scope| {
        let waiting = scope.spawn(|| pool.allocate_waiting(Some(Duration::MAX)).map(drop));
        thread::sleep(Duration::from_millis(5));
        drop(only);
        assert_eq!(waiting.join().unwrap(), Ok(()));
    });
    let none: Pool<u64> = Pool::new().bounded(0);
    assert!(none.allocate_waiting(Some(Duration::from_millis(1))).is_err());
}

#[test]
fn a_pool_without_a_bound_never_waits() {
    let pool: Pool<u64> = Pool::new();
    let owners: Vec<_> = (0..100).map(|_| pool.allocate_waiting(None).unwrap()).collect();
    assert_eq!(pool.stats().live, owners.len() as u64);
}

/// The largest numbers are like any others.
#[test]
fn the_largest_bound_and_the_largest_limit() {
    let _alone = alone();
    let bounded: Pool<u64> = Pool::new().bounded(usize::MAX);
    let limited: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(usize::MAX));
    let both: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(usize::MAX)).bounded(usize::MAX);
    for pool in [&bounded, &limited, &both] {
        for _ in 0..3 {
            let owners: Vec<_> = (0..1000).map(|_| pool.try_allocate().unwrap()).collect();
            assert_eq!(pool.stats().live, 1000);
            drop(owners);
            let stats = pool.stats();
            assert_eq!((stats.live, stats.kept, stats.fresh), (0, 1000, 1000), "{stats:?}");
        }
        pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap();
        assert_eq!(pool.stats().kept, 1);
        pool.set_policy(PoolPolicy::KeepAtMost(usize::MAX)).unwrap();
        drop((pool.allocate(), pool.allocate()));
        assert_eq!(
            (pool.policy(), pool.stats().kept),
            (PoolPolicy::KeepAtMost(usize::MAX), 2)
        );
    }
}
