//! Two threads.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Mutex, PoisonError, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use acedia::{Handle, Pool, pin};

use super::allocate::{company, pair, pairs_of};
use crate::contenders::{Acedia, Counted, Payload, Shared, Slab, Words, contenders};
use crate::measure::{ACEDIA, BARE, Case, nanoseconds, random, share};

/// Runs `work` on core number `core` alone. Otherwise the system may run both threads on one core, and figures vary fourfold.
fn on_core<R>(core: usize, work: impl FnOnce() -> R) -> R {
    #[cfg(target_os = "linux")]
    let before = {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let before = sched_getaffinity(None).expect("the cores of a thread can be read");
        let mut one = CpuSet::new();
        one.set(
            (0..CpuSet::MAX_CPU)
                .filter(|&cpu| before.is_set(cpu))
                .nth(core)
                .expect("there are two cores"),
        );
        sched_setaffinity(None, &one).expect("a thread may stay on one of its cores");
        before
    };
    let result = work();
    #[cfg(target_os = "linux")]
    rustix::thread::sched_setaffinity(None, &before).expect("a thread may return to its cores");
    result
}

/// Runs `work` on two threads at once, each with its own state. Returns the mean of their times, in nanoseconds.
fn both<S>(state: impl Fn() -> S + Sync, work: impl Fn(&mut S, u64) + Sync, end: impl Fn(S) + Sync, n: u64) -> f64 {
    let gate = Barrier::new(2);
    let turn = || {
        let mut state = state();
        work(&mut state, 2000);
        gate.wait();
        let total = nanoseconds(|| work(&mut state, n));
        end(state);
        total
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| on_core(1, turn));
        f64::midpoint(on_core(0, turn), other.join().expect("the other thread finishes"))
    })
}

pub(super) fn churn<P: Payload>() -> Vec<Case> {
    contenders!(shared churning, P)
}

fn churning<C: Shared>() -> Case {
    let contender = C::new();
    Case::timed(C::NAME, move |n| {
        let state = || {
            let mut mine = contender.clone();
            let company = company(&mut mine);
            (mine, company)
        };
        let end = |(mut mine, company): (C, Vec<_>)| company.into_iter().for_each(|owner| mine.free(owner));
        both(state, |(mine, _), n| (0..n).for_each(|seed| pair(mine, seed)), end, n)
    })
}

pub(super) fn handoff<P: Payload>() -> Vec<Case> {
    let mut cases = contenders!(shared handing, P);
    // The bare loop would hand over nothing: a thread that only frees keeps all objects.
    cases.retain(|case| case.name() != BARE);
    cases
}

/// One thread allocates, another frees. Owners travel in chunks, whose empty vectors come back, so that sending an owner costs next
/// to nothing.
fn handing<C: Shared>() -> Case {
    const CHUNK: usize = 64;
    let contender = C::new();
    Case::timed(C::NAME, move |n| {
        let chunks = n.div_ceil(CHUNK as u64);
        let (full, filled) = mpsc::sync_channel::<Vec<C::Owner>>(16);
        let (empty, emptied) = mpsc::sync_channel::<Vec<C::Owner>>(16);
        (0..16).for_each(|_| empty.send(Vec::with_capacity(CHUNK)).expect("there is room"));
        let (mut mine, mut theirs) = (contender.clone(), contender.clone());
        let total = thread::scope(|scope| {
            let other = scope.spawn(move || {
                on_core(1, || {
                    for mut chunk in filled {
                        chunk.drain(..).for_each(|owner| theirs.free(owner));
                        let _ = empty.try_send(chunk);
                    }
                    Instant::now()
                })
            });
            let start = on_core(0, || {
                let start = Instant::now();
                for seed in 0..chunks {
                    let mut chunk = emptied.recv().expect("chunks come back");
                    chunk.resize_with(CHUNK, || mine.allocate(black_box(seed)));
                    full.send(chunk).expect("the other thread receives");
                }
                start
            });
            drop(full);
            (other.join().expect("the other thread finishes") - start).as_secs_f64() * 1e9
        });
        share(total, n, chunks * CHUNK as u64)
    })
}

/// A case in which two threads read one object. `read(n)` reads it `n` times and returns the sum.
fn reading(name: &'static str, read: impl Fn(u64) -> u64 + Sync + 'static) -> Case {
    let work = move |(): &mut (), n| assert_eq!(read(n), 7 * n, "{name} read something else");
    Case::timed(name, move |n| both(|| (), &work, drop, n))
}

/// Each thread reads the object under one pin, if the contender has pins.
pub(super) fn hot() -> Vec<Case> {
    let (pool, slab, arc) = (Pool::new(), sharded_slab::Slab::new(), Arc::new(7));
    let ours = pool.allocate_with(|it| *it = 7).into_manual();
    let guarded = Pool::new();
    let other = guarded.allocate_with(|it| *it = 7).into_manual();
    let theirs = slab.insert(7).expect("room");
    let weak = Arc::downgrade(&arc);
    vec![
        reading(ACEDIA, move |n| {
            let pinned = pin();
            let reader = pool.reader(&pinned);
            (0..n).map(|_| *reader.get(black_box(ours)).expect("alive")).sum()
        }),
        reading("acedia, a guard each", move |n| {
            (0..n).map(|_| *guarded.guard(black_box(other)).expect("alive")).sum()
        }),
        reading("sharded-slab", move |n| {
            (0..n).map(|_| *slab.get(black_box(theirs)).expect("alive")).sum()
        }),
        reading("Arc", move |n| {
            black_box(&arc);
            (0..n).map(|_| *black_box(&weak).upgrade().expect("alive")).sum()
        }),
    ]
}

/// Each thread clones one of two owners. One thread allocated both objects, one after the other.
pub(super) fn clones() -> Vec<Case> {
    fn cloning<C: Shared<Owner: Clone>>() -> Case {
        let mut contender = C::new();
        let owners = Mutex::new(vec![contender.allocate(1), contender.allocate(2)]);
        Case::timed(C::NAME, move |n| {
            let lock = || owners.lock().unwrap_or_else(PoisonError::into_inner);
            let work = |owner: &mut C::Owner, n| (0..n).for_each(|_| drop(black_box(black_box(&*owner).clone())));
            both(|| lock().pop().expect("one each"), work, |owner| lock().push(owner), n)
        })
    }
    // Not smaller: two `Arc`s of 16 bytes may lie in one cache line.
    vec![cloning::<Acedia<Words<8>>>(), cloning::<Counted<Words<8>>>()]
}

const SESSIONS: usize = 10_000;

/// A table of sessions, used by two threads: each looks up a random one by its number, and replaces one in 16.
pub(super) fn sessions() -> Vec<Case> {
    type Session = Words<8>;
    let pool: &'static Pool<Session> = Box::leak(Box::new(Pool::new()));
    let slab: &'static sharded_slab::Slab<Session> = Box::leak(Box::default());
    let map: &'static RwLock<hashbrown::HashMap<u64, Session>> = Box::leak(Box::default());
    let next = AtomicU64::new(0);
    let handle = |bits| Handle::from_bits(bits).expect("a handle");
    vec![
        table(
            ACEDIA,
            move |seed| pool.allocate_with(|it| it.fill(seed)).into_manual().to_bits(),
            move |bits| pool.get(handle(bits), &pin()).map(|it| it.0[0]),
            move |bits| pool.free(handle(bits)).expect("each is ended once"),
        ),
        table(
            "sharded-slab",
            move |seed| slab.insert(Session::make(seed)).expect("room") as u64,
            move |number| slab.get(usize::try_from(number).ok()?).map(|it| it.0[0]),
            move |number| assert!(usize::try_from(number).is_ok_and(|number| slab.remove(number))),
        ),
        table(
            "RwLock, hashbrown",
            move |seed| {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let mut map = map.write().unwrap_or_else(PoisonError::into_inner);
                map.insert(number, Session::make(seed));
                number
            },
            move |number| {
                map.read()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get(&number)
                    .map(|it| it.0[0])
            },
            move |number| _ = map.write().unwrap_or_else(PoisonError::into_inner).remove(&number),
        ),
    ]
}

fn table(
    name: &'static str,
    make: impl Fn(u64) -> u64 + Sync + 'static,
    read: impl Fn(u64) -> Option<u64> + Sync + 'static,
    end: impl Fn(u64) + Sync + 'static,
) -> Case {
    let places: Vec<_> = (0..SESSIONS as u64).map(|seed| AtomicU64::new(make(seed))).collect();
    Case::timed(name, move |n| {
        let work = |place: &mut dyn FnMut(usize) -> usize, n| {
            for step in 0..n {
                let place = &places[place(SESSIONS)];
                // Acquire: pairs with the exchange of the other thread, so that the session of a number is complete.
                black_box(read(place.load(Ordering::Acquire)));
                if step % 16 == 0 {
                    end(place.swap(make(step), Ordering::AcqRel));
                }
            }
        };
        both(random, |place, n| work(place, n), drop, n)
    })
}

/// Pairs while two other threads each pin up to 1,000 times per second.
pub(super) fn beside_short_pins<const END: bool>() -> Vec<Case> {
    let beside = |case| beside(case, 2, || thread::sleep(Duration::from_millis(1)));
    vec![
        beside(pairs_of::<Acedia<Words<2>, true, END>>()),
        beside(pairs_of::<Slab<Words<2>>>()),
    ]
}

/// Pairs while another thread pins without a pause.
pub(super) fn beside_many_pins() -> Vec<Case> {
    let named = |name, mut case: Case| Case::timed(name, move |n| case.run(n).as_secs_f64() * 1e9);
    let beside = |case| beside(case, 1, || ());
    vec![
        beside(pairs_of::<Acedia<Words<2>, true, true>>()),
        beside(named("acedia without a finalizer", pairs_of::<Acedia<Words<2>>>())),
        beside(pairs_of::<Slab<Words<2>>>()),
    ]
}

/// The case, while each of `threads` other threads alternates between `pause` and a pin.
fn beside(mut case: Case, threads: usize, pause: fn()) -> Case {
    Case::timed(case.name(), move |n| {
        let (gate, done) = (Barrier::new(1 + threads), AtomicBool::new(false));
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    drop(pin());
                    gate.wait();
                    while !done.load(Ordering::Relaxed) {
                        pause();
                        drop(pin());
                    }
                });
            }
            gate.wait();
            let total = case.run(n).as_secs_f64() * 1e9;
            done.store(true, Ordering::Relaxed);
            total
        })
    })
}
