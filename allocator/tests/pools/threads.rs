//! Threads that come and go: by the thousand, late in their lives, and with pins that were never dropped.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, RwLock};
use std::thread;

use acedia::pool::{Global, Hooks};
use acedia::{Guard, Owned, Pinned, Pool, PoolPolicy, pin};

use super::support::{Barrier, alone, crew, elsewhere, handles, hooks, in_own_process, sized};

/// Counts its objects in the counter that the pool's type names.
struct Counted<const N: usize>(u64);

static MADE: [AtomicUsize; 8] = [const { AtomicUsize::new(0) }; 8];
static DROPPED: [AtomicUsize; 8] = [const { AtomicUsize::new(0) }; 8];
static BEGUN: [AtomicUsize; 8] = [const { AtomicUsize::new(0) }; 8];
static ENDED: [AtomicUsize; 8] = [const { AtomicUsize::new(0) }; 8];

impl<const N: usize> Drop for Counted<N> {
    fn drop(&mut self) {
        DROPPED[N].fetch_add(1, Ordering::Relaxed);
    }
}

struct Counting;

impl<const N: usize> Hooks<Counted<N>> for Counting {
    type Readers = Global;

    fn make() -> Counted<N> {
        MADE[N].fetch_add(1, Ordering::Relaxed);
        Counted(0)
    }

    fn begin(object: &mut Counted<N>) {
        assert_eq!(object.0, 0, "not ended, or in use");
        BEGUN[N].fetch_add(1, Ordering::Relaxed);
        object.0 = 1;
    }

    const END: Option<fn(&mut Counted<N>)> = Some(|object| {
        assert_eq!(object.0, 1, "ended twice, or never begun");
        object.0 = 0;
        ENDED[N].fetch_add(1, Ordering::Relaxed);
    });
}

type Counts<const N: usize> = Pool<Counted<N>, Counting>;

fn of(counters: &[AtomicUsize; 8], n: usize) -> u64 {
    counters[n].load(Ordering::Relaxed) as u64
}

/// No object of the pool is alive, and the pool accounts for every object that exists.
#[track_caller]
fn nothing_leaked<const N: usize>(pool: &Counts<N>) {
    // Finishes objects that waited for pins of other threads.
    drop(pin());
    let stats = pool.stats();
    assert_eq!(stats.live, 0, "{stats:?}");
    assert_eq!(stats.kept, of(&MADE, N) - of(&DROPPED, N), "{stats:?}");
    assert_eq!(of(&BEGUN, N), of(&ENDED, N), "a life did not end, or ended twice");
}

/// The steps of a short thread.
fn use_it<const N: usize>(pool: &Counts<N>) {
    let unseen = pool.allocate();
    let seen = pool.allocate();
    let handle = seen.handle();
    let pinned = pin();
    assert_eq!(pool.get(handle, &pinned).unwrap().0, 1);
    let guard = pool.guard(handle).unwrap();
    drop(seen);
    assert_eq!(guard.0, 1);
    drop(pinned);
    drop(guard);
    drop(unseen.clone());
    drop(unseen);
    assert!(pool.get(handle, &pin()).is_none());
}

#[test]
fn thousands_one_after_another() {
    let _alone = alone();
    let pool: Counts<0> = Pool::with_hooks();
    let threads = sized(3_000, 10_000, 20);
    (0..threads).for_each(|_| elsewhere(|| use_it(&pool)));
    nothing_leaked(&pool);
    let stats = pool.stats();
    assert_eq!(of(&BEGUN, 0), 2 * threads as u64);
    // Two alive at a time, and the slots of the last few threads on their way.
    assert!(
        of(&MADE, 0) <= 200,
        "what ended threads left was not used again: {stats:?}"
    );
    assert!(stats.bytes <= 200 * 16, "{stats:?}");
    assert_eq!(pool.collect().objects, stats.kept, "nothing is left on an ended thread");
    drop(pool);
    assert_eq!(of(&MADE, 0), of(&DROPPED, 0));
}

#[test]
fn five_hundred_at_once() {
    const ROUNDS: u64 = 10;
    let _alone = alone();
    let threads = sized(500, 500, 4);
    let pool: Counts<1> = Pool::with_hooks();
    // The most objects that the threads of a round may make, whatever the scheduler does.
    let mut most = 0;
    for round in 0..ROUNDS {
        // In every fifth round the threads run and end at the same time, and pins may delay the reuse of each object. In the others
        // they run and end one after another without pins: only the first object of each may be new, and two more.
        let is_race = round % 5 == 0;
        most += if is_race { 3 * threads } else { threads + 2 } as u64;
        let (all_here, all_used, none_pinned) =
            (Barrier::new(threads), Barrier::new(threads), Barrier::new(threads + 1));
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads)
                .map(|_| {
                    let (begin, turn) = sync_channel::<()>(1);
                    let (pool, all_here, all_used, none_pinned) = (&pool, &all_here, &all_used, &none_pinned);
                    let thread = scope.spawn(move || {
                        all_here.wait();
                        let owner = pool.allocate();
                        let handle = owner.handle();
                        let pinned = pin();
                        assert!(pool.get(handle, &pinned).is_some());
                        all_used.wait();
                        drop(owner);
                        assert!(pool.get(handle, &pinned).is_none());
                        drop(pinned);
                        if !is_race {
                            none_pinned.wait();
                            turn.recv().unwrap();
                        }
                        use_it(pool);
                    });
                    (begin, thread)
                })
                .collect();
            if !is_race {
                none_pinned.wait();
            }
            for (begin, thread) in threads {
                begin.send(()).unwrap_or_default();
                thread.join().unwrap();
            }
        });
        nothing_leaked(&pool);
    }
    let kept = pool.stats().kept;
    // Three objects on every thread.
    assert!(most <= ROUNDS * 3 * threads as u64 / 2 || threads < 500);
    assert!(kept <= most, "half of what was used must have been used again: {kept}");
    let again: Vec<_> = (0..kept).map(|_| pool.allocate()).collect();
    assert_eq!(pool.stats().kept, 0, "each of them is used again");
    assert_eq!(pool.stats().live, kept);
    drop(again);
    nothing_leaked(&pool);
    assert_eq!(pool.collect().objects, kept);
}

#[test]
fn objects_of_ended_threads_are_used_again() {
    let _alone = alone();
    let pool: Counts<2> = Pool::with_hooks();
    let made: Vec<_> = elsewhere(|| pool.allocate_many(1000).collect());
    // Freed elsewhere, on a thread that ends too.
    elsewhere(move || drop(made));
    assert_eq!(pool.stats().kept, 1000);
    let again: Vec<_> = pool.allocate_many(1000).collect();
    assert_eq!((of(&MADE, 2), pool.stats().kept), (1000, 0));
    drop(again);
    nothing_leaked(&pool);
}

static LATE: Counts<4> = Pool::with_hooks();

/// Uses the pool when its thread ends, in one way or another.
struct Late(u32);

impl Drop for Late {
    fn drop(&mut self) {
        match self.0 {
            0 => {}
            1 => use_it(&LATE),
            2 => drop(pin()),
            3 => drop(LATE.collect()),
            4 => {
                // Many, so that magazines would fill.
                let owners: Vec<_> = LATE.allocate_many(300).collect();
                handles(&owners);
            }
            5 => {
                let handle = LATE.allocate().into_manual();
                LATE.free(handle).unwrap();
                drop(LATE.reserve().fill(|_| {}));
            }
            _ => elsewhere(|| use_it(&LATE)),
        }
    }
}

thread_local! {
    static FIRST: RefCell<Option<Late>> = const { RefCell::new(None) };
    static HELD: RefCell<Vec<Pinned>> = const { RefCell::new(Vec::new()) };
    static OWNED: RefCell<Vec<Owned<Counted<4>, &'static Counts<4>>>> = const { RefCell::new(Vec::new()) };
    static GUARDED: RefCell<Vec<Guard<Counted<4>, &'static Counts<4>>>> = const { RefCell::new(Vec::new()) };
    static LAST: RefCell<Option<Late>> = const { RefCell::new(None) };
}

/// Destructors of thread-locals that are registered before ours, and after.
#[test]
fn destructors_of_thread_locals_use_the_pool() {
    let _alone = alone();
    for what in 0..7 {
        // Bit by bit: what is registered before the thread first uses the pool, between and after.
        for case in 0..64 {
            let body = move || {
                let set = |bit: u32| case >> bit & 1 == 1;
                if set(0) {
                    FIRST.set(Some(Late(what)));
                }
                if set(1) {
                    HELD.with_borrow_mut(|held| held.push(pin()));
                }
                if set(2) {
                    use_it(&LATE);
                }
                if set(3) {
                    let owner = LATE.allocate();
                    GUARDED.with_borrow_mut(|guards| guards.push(LATE.guard(owner.handle()).unwrap()));
                    OWNED.with_borrow_mut(|owned| owned.push(owner));
                }
                if set(4) {
                    HELD.with_borrow_mut(|held| held.extend([pin(), pin()]));
                }
                if set(5) {
                    LAST.set(Some(Late(what)));
                }
            };
            thread::spawn(body).join().unwrap();
            nothing_leaked(&LATE);
        }
    }
    let kept = LATE.stats().kept;
    assert!(kept <= 1000, "{kept}");
    assert_eq!(LATE.collect().objects, kept);
}

/// An object that is freed after the exit hook of its thread, in the pool of the thread's last allocation, is used again.
#[test]
fn objects_freed_after_the_exit_hook_are_reused() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    struct Made;
    impl Default for Made {
        fn default() -> Self {
            MADE.fetch_add(1, Ordering::Relaxed);
            Self
        }
    }
    static POOL: Pool<Made> = Pool::new();
    thread_local! {
        static BEFORE: RefCell<Option<Owned<Made, &'static Pool<Made>>>> = const { RefCell::new(None) };
        static AFTER: RefCell<Option<Owned<Made, &'static Pool<Made>>>> = const { RefCell::new(None) };
    }
    for _ in 0..10 {
        // One of the two destructors runs after the hook, which the first use of the pool registers.
        let body = || {
            BEFORE.set(None);
            AFTER.set(Some(POOL.allocate()));
            (0..3).for_each(|_| drop(POOL.allocate()));
            BEFORE.set(Some(POOL.allocate()));
        };
        thread::spawn(body).join().unwrap();
    }
    assert_eq!(MADE.load(Ordering::Relaxed), 2);
}

/// A leaked pin may be read under forever, so objects freed since wait forever. Nothing breaks, and no ended life is seen.
#[test]
fn leaked_pins() {
    in_own_process(|| {
        let pool: Counts<5> = Pool::with_hooks();
        let owner = pool.allocate();
        let handle = owner.handle();
        let leak = || -> &'static Pinned { Box::leak(Box::new(pin())) };
        for _ in 0..10 {
            // A reference that may leave the thread, because the pin never ends.
            let seen = elsewhere(|| pool.get(handle, leak()).unwrap());
            assert_eq!(seen.0, 1);
        }
        let pinned = leak();
        let seen = pool.get(handle, pinned).unwrap();
        drop(owner);
        drop(pin());
        pool.collect();
        assert_eq!((seen.0, of(&ENDED, 5)), (1, 0), "still being read");
        assert!(pool.get(handle, pinned).is_none());
        (0..300).for_each(|_| use_it(&pool));
        // A pool without a finalizer makes new objects, as long as there is memory.
        let plain: Pool<u64> = Pool::new();
        for n in 0..1000 {
            let owner = plain.allocate_with(|object| *object = n);
            assert_eq!(plain.get(owner.handle(), pinned), Some(&n));
        }
        drop(pool);
        assert_eq!(of(&MADE, 5), of(&DROPPED, 5), "the end of the pool ends the wait");
    });
}

/// Objects whose drop panics.
struct Fragile;
impl Drop for Fragile {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new("on purpose"));
    }
}

hooks!(Making: Fragile = Fragile);
type FragilePool = Pool<Fragile, Making>;

/// A thread frees ten objects, then their pool gets a limit, then the thread does `last` with one more.
fn limited_behind_its_back(pool: &FragilePool, last: fn(Owned<Fragile, &FragilePool>)) {
    let barrier = Barrier::new(2);
    let work = |_| {
        let owner = pool.allocate();
        drop((0..10).map(|_| pool.allocate()).collect::<Vec<_>>());
        barrier.wait();
        barrier.wait();
        last(owner);
    };
    crew([1], work, || {
        barrier.wait();
        pool.set_policy(PoolPolicy::KeepAtMost(1)).unwrap();
        barrier.wait();
    });
}

/// A thread that ends drops objects for a limit that came after its last operation.
#[test]
fn a_drop_that_panics_at_the_end_of_a_thread() {
    in_own_process(|| {
        let pool = Pool::with_hooks();
        limited_behind_its_back(&pool, |last| std::mem::forget(last));
        let stats = pool.stats();
        assert_eq!((stats.live, stats.kept), (1, 1), "{stats:?}");
        // Its drop passes on the panics of the objects that are left.
        std::mem::forget(pool);
    });
}

/// An object that is dropped at the end of a thread has the last hold on its pool, and the drop of another one panics.
#[test]
fn a_pool_that_ends_with_a_thread() {
    struct Holder(Option<Arc<Pool<Holder, Emptied>>>);
    impl Drop for Holder {
        fn drop(&mut self) {
            if self.0.take().is_none() {
                std::panic::resume_unwind(Box::new("on purpose"));
            }
        }
    }
    hooks!(Emptied: Holder = Holder(None));
    in_own_process(|| {
        let pool: Arc<Pool<Holder, Emptied>> = Arc::new(Pool::with_hooks());
        let weak = Arc::downgrade(&pool);
        let barrier = Barrier::new(2);
        let own = Mutex::new(Some(Arc::clone(&pool)));
        let work = |_| {
            let own = own.lock().unwrap().take().unwrap();
            std::mem::forget(own.allocate());
            drop(own.allocate_with(|holder| holder.0 = Some(Arc::clone(&own))));
            drop(own);
            barrier.wait();
            barrier.wait();
        };
        crew([1], work, || {
            barrier.wait();
            pool.set_policy(PoolPolicy::KeepNone).unwrap();
            drop(pool);
            assert!(weak.upgrade().is_some());
            barrier.wait();
        });
        assert!(weak.upgrade().is_none());
    });
}

/// A thread that frees another object drops them for a limit that came before: their panics do not reach it.
#[test]
fn drops_that_panic_when_another_is_freed() {
    let _alone = alone();
    let pool = Pool::with_hooks();
    limited_behind_its_back(&pool, |last| drop(last));
    let stats = pool.stats();
    assert_eq!((stats.live, stats.kept), (0, 1), "{stats:?}");
    // As above.
    std::mem::forget(pool);
}

/// Pools that come and go while threads that used them live on: places in their tables are used again.
#[test]
fn pools_come_and_go_under_living_threads() {
    let _alone = alone();
    let shared: RwLock<Option<Counts<6>>> = RwLock::new(None);
    // A worker that ends returns its lists meanwhile, and the pool may then end on its thread. So it waits for the last check, too.
    let (start, end, checked) = (Barrier::new(3), Barrier::new(3), Barrier::new(3));
    let rounds = sized(300, 2000, 5);
    let work = |_| {
        for _ in 0..rounds {
            start.wait();
            (0..2).for_each(|_| use_it(shared.read().unwrap().as_ref().unwrap()));
            end.wait();
            checked.wait();
        }
    };
    crew(0..2, work, || {
        for round in 1..=rounds as u64 {
            *shared.write().unwrap() = Some(Pool::with_hooks());
            start.wait();
            end.wait();
            // Objects of one worker that waited for the other's pin.
            drop(pin());
            let stats = shared.read().unwrap().as_ref().unwrap().stats();
            assert_eq!((stats.live, of(&BEGUN, 6)), (0, 8 * round), "{stats:?}");
            *shared.write().unwrap() = None;
            assert_eq!(of(&MADE, 6), of(&DROPPED, 6));
            checked.wait();
        }
    });
}

/// Another thread's magazines come under a new limit when it next frees, and when it next allocates.
#[test]
fn a_limit_set_by_another_thread() {
    type Step = fn(&Pool<u64>, Owned<u64, &Pool<u64>>);
    let _alone = alone();
    let steps: [Step; 3] = [
        |_, last| drop(last),
        |_, last| {
            let _ = last.handle();
            drop(last);
        },
        |pool, last| std::mem::forget((pool.allocate(), last)),
    ];
    for step in steps {
        let pool: Pool<u64> = Pool::new();
        let (ready, limited) = (Barrier::new(2), Barrier::new(2));
        let work = |_| {
            let last = pool.allocate();
            drop((0..100).map(|_| pool.allocate()).collect::<Vec<_>>());
            ready.wait();
            limited.wait();
            step(&pool, last);
            pool.stats().kept
        };
        let (after, before) = crew([1], work, || {
            ready.wait();
            pool.set_policy(PoolPolicy::KeepAtMost(10)).unwrap();
            let before = pool.stats().kept;
            limited.wait();
            before
        });
        assert!(
            before == 100 && (9..=10).contains(&after[0]),
            "{before} free objects, then {after:?}"
        );
    }
}

/// A thread that ends returns the slots that it has taken for new objects. A thread takes at least eight at a time, and a chunk has
/// 4,096.
#[test]
fn slots_without_an_object_come_back_from_threads() {
    let _alone = alone();
    let pool: Pool<u64> = Pool::new();
    let owners: Vec<_> = (0..600).map(|_| elsewhere(|| pool.allocate())).collect();
    let chunks: HashSet<_> = owners.iter().map(|owner| owner.index() >> 12).collect();
    assert_eq!(chunks.len(), 1);
}
