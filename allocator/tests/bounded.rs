//! Bounded pools: waiting for room, and the largest bounds.

mod support;

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use acedia::pool::{Hooks, Owner, Pool, Values, pin};
use acedia::{AllocateError, PoolPolicy};
use support::{Rng, alone, sized};

/// Longer than any wait that does not hang.
const LONG: Duration = Duration::from_secs(60);

struct Ending;
impl Hooks<u64> for Ending {
    type Readers = acedia::pool::Global;

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

/// A future that is polled by hand, and the number of times that it was woken.
struct Task<F: Future> {
    future: Pin<Box<F>>,
    woken: Arc<Woken>,
}

#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl<F: Future> Task<F> {
    fn new(future: F) -> Self {
        Self {
            future: Box::pin(future),
            woken: Arc::default(),
        }
    }

    /// `None` if it is pending.
    fn poll(&mut self) -> Option<F::Output> {
        let waker = Waker::from(Arc::clone(&self.woken));
        match self.future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }

    fn times_woken(&self) -> usize {
        self.woken.0.load(Ordering::SeqCst)
    }
}

/// Room goes to tasks in the order of their first polls, one room wakes one task, and nobody overtakes.
#[test]
fn tasks_are_served_in_order() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new().bounded(2);
    let (one, two) = (pool.allocate(), pool.allocate());
    let mut tasks: Vec<_> = (0..4).map(|_| Task::new(pool.allocate_async())).collect();
    // Not in the order in which they were made.
    for at in [2, 0, 3, 1] {
        assert!(tasks[at].poll().is_none());
    }
    let woken = |tasks: &[Task<_>]| tasks.iter().map(Task::times_woken).collect::<Vec<_>>();
    drop(one);
    assert_eq!(woken(&tasks), [0, 0, 1, 0]);
    drop(two);
    assert_eq!(woken(&tasks), [1, 0, 1, 0]);
    assert!(pool.try_allocate().is_err(), "the room has its owners");
    // A poll too many changes nothing, and a task that was not woken has no room.
    assert!(tasks[3].poll().is_none() && tasks[3].poll().is_none());
    let first = tasks[2].poll().unwrap().unwrap();
    drop(tasks.remove(0)); // with its room
    assert_eq!(woken(&tasks), [0, 1, 1]);
    drop(first);
    assert_eq!(woken(&tasks), [1, 1, 1]);
    for task in [0, 2] {
        drop(tasks[task].poll().unwrap().unwrap());
    }
    assert_eq!(pool.stats().live, 0);
}

/// At every step of its way, a task that is dropped leaves the room of the pool whole.
#[test]
fn a_task_may_be_dropped_at_any_step() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new().bounded(1);
    for step in 0..5 {
        let only = pool.allocate();
        let mut task = Task::new(pool.allocate_async_with(|n| *n = 7));
        let mut next = Task::new(pool.allocate_async());
        let mut only = Some(only);
        for done in 0..step {
            match done {
                0 => assert!(task.poll().is_none()),
                1 => assert!(next.poll().is_none()),
                2 => drop(only.take()),
                _ => assert_eq!(*task.poll().unwrap().unwrap(), 7), // and freed
            }
        }
        drop(task);
        drop(only);
        assert_eq!(next.times_woken(), usize::from(step >= 2), "step {step}");
        drop(next.poll().unwrap().unwrap());
        drop(pool.try_allocate().expect("room was lost"));
    }
}

/// Tasks and threads wait in one queue.
#[test]
fn tasks_and_threads_wait_together() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new().bounded(1);
    let only = pool.allocate();
    let mut first = Task::new(pool.allocate_async());
    assert!(first.poll().is_none());
    thread::scope(|scope| {
        let thread = scope.spawn(|| drop(pool.allocate_waiting(None).unwrap()));
        drop(only);
        let owner = first.poll().unwrap().unwrap();
        assert!(!thread.is_finished(), "overtaken");
        drop(owner);
        thread.join().unwrap();
    });
}

/// The end of a pin, of a guard, and of a reservation wakes a task.
#[test]
fn whatever_makes_room_wakes_a_task() {
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(1);
    let wakes = |make_room: &mut dyn FnMut()| {
        let mut task = Task::new(pool.allocate_async());
        assert!(task.poll().is_none());
        make_room();
        assert_eq!(task.times_woken(), 1);
        drop(task.poll().unwrap().unwrap());
    };
    let mut reserved = Some(pool.reserve());
    wakes(&mut || drop(reserved.take()));
    let owner = pool.allocate();
    let mut guard = pool.guard(owner.key());
    drop(owner);
    wakes(&mut || drop(guard.take()));
    let owner = pool.allocate();
    let _ = owner.key();
    let mut pinned = Some(pin());
    drop(owner);
    wakes(&mut || drop(pinned.take()));
    let (mut owner, mut pinned) = (Some(pool.allocate()), Some(pin()));
    let _ = owner.as_ref().map(Owner::key);
    wakes(&mut || {
        drop(owner.take());
        drop(pinned.take());
    });
}

/// A waker that panics, and one that allocates at once, harm nobody.
#[test]
fn wakers_are_user_code() {
    struct Panicking;
    impl Wake for Panicking {
        fn wake(self: Arc<Self>) {
            panic!("a waker");
        }
    }
    struct Greedy(&'static Pool<u64>, Mutex<Option<Owner<'static, u64>>>);
    impl Wake for Greedy {
        fn wake(self: Arc<Self>) {
            *self.1.lock().unwrap() = self.0.try_allocate().ok();
            let mut other = Task::new(self.0.allocate_async());
            assert!(other.poll().is_none(), "the room is another's");
        }
    }
    static POOL: Pool<u64> = Pool::new().bounded(1);
    let _alone = alone();
    let greedy = Arc::new(Greedy(&POOL, Mutex::default()));
    for waker in [Waker::from(Arc::new(Panicking)), Waker::from(Arc::clone(&greedy))] {
        let only = POOL.allocate();
        let mut task = std::pin::pin!(POOL.allocate_async());
        assert!(task.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
        drop(only);
        assert!(matches!(
            task.poll(&mut Context::from_waker(&waker)),
            Poll::Ready(Ok(_))
        ));
    }
    assert!(greedy.1.lock().unwrap().is_none());
    assert_eq!((POOL.stats().panics, POOL.stats().live), (1, 0));
}

/// Tasks on several threads, some of them dropped while they wait: never more than the bound in use, and no room is lost.
#[test]
fn tasks_come_and_go() {
    const ROOM: usize = 2;
    let _alone = alone();
    let pool: Pool<u64, Ending> = Pool::with_hooks().bounded(ROOM);
    let in_use = AtomicUsize::new(0);
    thread::scope(|scope| {
        for seed in [1, 2, 3, 4] {
            let (pool, in_use) = (&pool, &in_use);
            scope.spawn(move || {
                let mut rng = Rng(seed);
                for _ in 0..sized(500, 5000, 5) {
                    let mut task = Task::new(pool.allocate_async());
                    let patience = rng.below(4);
                    let mut polls = 0;
                    let owner = loop {
                        if let Some(owner) = task.poll() {
                            break Some(owner.unwrap());
                        }
                        polls += 1;
                        if polls > patience * 100 {
                            break None;
                        }
                        thread::yield_now();
                    };
                    let Some(owner) = owner else { continue };
                    assert!(in_use.fetch_add(1, Ordering::SeqCst) < ROOM, "more than the bound");
                    if patience == 1 {
                        assert_eq!(pool.get(owner.key(), &pin()), Some(&0));
                    }
                    in_use.fetch_sub(1, Ordering::SeqCst);
                }
            });
        }
    });
    pool.settle();
    let all = [(); ROOM].map(|()| pool.try_allocate().unwrap());
    assert!(pool.try_allocate().is_err());
    drop(all);
}

/// The value of a task that is dropped is dropped, and so is that of an object that is freed.
#[test]
fn values_wait_for_room() {
    let _alone = alone();
    let pool: Values<Arc<()>> = Pool::values().bounded(1);
    let value = Arc::new(());
    let only = pool.insert(Arc::clone(&value));
    let mut task = Task::new(pool.insert_async(Arc::clone(&value)));
    assert!(task.poll().is_none());
    drop(task);
    assert_eq!(Arc::strong_count(&value), 2);
    let mut task = Task::new(pool.insert_async(Arc::clone(&value)));
    assert!(task.poll().is_none());
    drop(only);
    let owner = task.poll().unwrap().unwrap();
    assert!(Arc::ptr_eq(&owner, &value));
    thread::scope(|scope| {
        let next = scope.spawn(|| pool.insert_waiting(Arc::clone(&value), Some(LONG)).is_ok());
        thread::sleep(Duration::from_millis(10));
        drop(owner);
        assert!(next.join().unwrap(), "there was room");
    });
    let _only = pool.insert(Arc::clone(&value));
    let (error, returned) = pool
        .insert_waiting(Arc::clone(&value), Some(Duration::ZERO))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the pool of alloc::sync::Arc<()> is full: it is bounded to 1 objects, and all are in use"
    );
    drop(returned);
    assert_eq!(Arc::strong_count(&value), 2);
}

/// The place of allocation is that of the call, and a future of a pool may go to another thread.
#[test]
fn a_future_knows_its_place_and_is_send() {
    fn is_send<F: Send>(future: F) -> F {
        future
    }
    let pool: Pool<u64> = Pool::new().bounded(1);
    let (line, task) = (line!(), is_send(pool.allocate_async()));
    let owner = Task::new(task).poll().unwrap().unwrap();
    let key = owner.key();
    drop(owner);
    let error = pool.try_with(key, |_| ()).unwrap_err().to_string();
    let place = format!("bounded.rs:{line}:");
    assert_eq!(error.contains(&place), cfg!(debug_assertions), "{error}");
}
