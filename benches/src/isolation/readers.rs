//! Pins and guards against other pools and threads.

#![allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]

use crate::case::{Case, nanoseconds};
use acedia::pool::{Global, GuardsOnly, Hooks, Owner, Plain, Pool, Readers, avoid_membarrier, pin};
use std::{
    array,
    cell::Cell,
    hint::black_box,
    marker::PhantomData,
    sync::{
        Barrier,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

/// Counts finalizers, on this thread alone.
struct Ended<D: Readers = Global>(PhantomData<fn() -> D>);

std::thread_local! {
    static ENDS: Cell<u64> = const { Cell::new(0) };
}

impl<D: Readers> Hooks<u64> for Ended<D> {
    type Readers = D;

    fn make() -> u64 {
        0
    }

    const END: Option<fn(&mut u64)> = Some(|_| ENDS.with(|ends| ends.set(ends.get() + 1)));
}

/// Runs `work` while another thread does `other` again and again. It has done it once before `work` begins.
fn beside<R>(other: impl Fn() + Send + Sync, work: impl FnOnce() -> R) -> R {
    let (gate, done) = (Barrier::new(2), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            other();
            gate.wait();
            while !done.load(Ordering::Relaxed) {
                other();
            }
        });
        gate.wait();
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// Runs `work` while another thread stays pinned.
fn beside_a_pin<R>(work: impl FnOnce() -> R) -> R {
    let (pinned, over) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            let pin = pin();
            pinned.wait();
            over.wait();
            drop(pin);
        });
        pinned.wait();
        let result = work();
        over.wait();
        result
    })
}

pub(super) fn late() -> Vec<Case> {
    vec![Case::once(
        "two other threads allocate and free in another pool",
        || {
            const LIVES: u64 = 200_000;
            let (busy, quiet) = (Pool::<u64>::new(), Pool::<u64, Ended>::with_hooks());
            let by_key = || {
                for _ in 0..100 {
                    busy.free(busy.allocate().into_manual()).expect("it is manual");
                }
            };
            beside(by_key, || {
                beside(by_key, || {
                    let mut late = 0;
                    for lives in 1..=LIVES {
                        let owner = quiet.allocate();
                        let _ = black_box(owner.key());
                        drop(owner);
                        late += u64::from(ENDS.get() < lives - late);
                    }
                    late as f64 * 100.0 / LIVES as f64
                })
            })
        },
    )]
}

pub(super) fn pinned() -> Vec<Case> {
    acedia::domain! { Own }
    fn of<D: Readers>() -> f64 {
        const LIVES: u64 = 100_000;
        let pool = Pool::<u64, Ended<D>>::with_hooks();
        beside_a_pin(|| {
            for _ in 0..LIVES {
                let owner = pool.allocate();
                black_box(owner.key());
                drop(owner);
            }
            let late = LIVES - ENDS.get();
            late as f64 * 100.0 / LIVES as f64
        })
    }
    vec![
        Case::once("the class is in the domain of the pin", of::<Global>),
        Case::once("the class is in another domain", of::<Own>),
        Case::once("the class has `guards_only`", of::<GuardsOnly>),
    ]
}

/// Frees an object of another pool under a pin of its own.
struct Outer;

static INNER: Pool<u64, Ended> = Pool::with_hooks();

impl Hooks<Option<Owner<'static, u64, Ended>>> for Outer {
    type Readers = Global;

    fn make() -> Option<Owner<'static, u64, Ended>> {
        None
    }

    const END: Option<fn(&mut Option<Owner<'static, u64, Ended>>)> = Some(|inner| {
        let pin = pin();
        drop(inner.take());
        drop(pin);
    });
}

pub(super) fn nested() -> Vec<Case> {
    vec![Case::once(
        "the owner is dropped by the finalizer of another object",
        || {
            const ROUNDS: u64 = 10_000;
            let outer = Pool::<_, Outer>::with_hooks();
            let mut late = 0;
            for round in 1..=ROUNDS {
                let inner = INNER.allocate();
                black_box(inner.key());
                let owner = outer.allocate_with(|place| *place = Some(inner));
                black_box(owner.key());
                let pin = pin();
                drop(owner);
                drop(pin);
                late += u64::from(ENDS.get() < round);
            }
            late as f64 * 100.0 / ROUNDS as f64
        },
    )]
}

pub(super) fn unpin() -> Vec<Case> {
    let with = |count: usize| {
        move || {
            const PINS: u32 = 200_000;
            let pools: Vec<Pool<u64, Ended>> = (0..count).map(|_| Pool::with_hooks()).collect();
            let owners: Vec<_> = pools.iter().map(Pool::allocate).collect();
            for owner in &owners {
                black_box(owner.key());
            }
            beside_a_pin(|| {
                drop(owners);
                let time = nanoseconds(|| (0..PINS).for_each(|_| drop(black_box(pin()))));
                time / f64::from(PINS)
            })
        }
    };
    vec![
        Case::once("another thread holds a pin", with(0)),
        Case::once(
            "another thread holds a pin, and finalizers of 1,000 pools wait for it",
            with(1000),
        ),
    ]
}

pub(super) fn guarded() -> Vec<Case> {
    let with = |count: usize| {
        move || {
            const NEW: usize = 20_000;
            let pool = Pool::<u64>::new();
            let owners: Vec<_> = (0..count).map(|_| pool.allocate()).collect();
            let guards: Vec<_> = owners.iter().map(|owner| pool.guard(owner.key())).collect();
            // Guards of another thread, too.
            let first = pool.allocate();
            thread::scope(|scope| _ = scope.spawn(|| pool.guard(first.key()).is_some()).join());
            drop(owners);
            let mut new = Vec::with_capacity(NEW);
            let time = nanoseconds(|| new.extend((0..NEW).map(|_| pool.allocate())));
            assert_eq!(guards.iter().flatten().count(), count);
            time / NEW as f64
        }
    };
    vec![
        Case::once("no freed object is guarded", with(0)),
        Case::once("40,000 freed objects are guarded", with(40_000)),
    ]
}

/// The nanoseconds of a pair that takes the oldest of 32 objects away.
fn pair<D: Readers, H: Hooks<u64, Readers = D>>(pool: &Pool<u64, H>) -> f64 {
    const PAIRS: usize = 400_000;
    let make = || {
        let owner: Owner<'_, u64, H> = pool.allocate();
        black_box(owner.key());
        owner
    };
    let mut ring: [_; 32] = array::from_fn(|_| make());
    let time = nanoseconds(|| (0..PAIRS).for_each(|at| ring[at % 32] = make()));
    time / PAIRS as f64
}

pub(super) fn ring() -> Vec<Case> {
    let pinning = || drop(black_box(pin()));
    vec![
        Case::once("class without a finalizer", move || {
            beside(pinning, || pair(&Pool::<u64>::new()))
        }),
        Case::once("class with a finalizer", move || {
            beside(pinning, || pair(&Pool::<u64, Ended>::with_hooks()))
        }),
        Case::once("class without a finalizer, `guards_only`", move || {
            beside(pinning, || pair(&Pool::<u64, Plain<GuardsOnly>>::with_hooks()))
        }),
        Case::once("class with a finalizer, `guards_only`", move || {
            beside(pinning, || pair(&Pool::<u64, Ended<GuardsOnly>>::with_hooks()))
        }),
    ]
}

pub(super) fn exclusive() -> Vec<Case> {
    vec![Case::once("another thread calls `exclusive` without a pause", || {
        const READS: u32 = 1_000_000;
        let pool = Pool::<u64>::new();
        let mut owner = pool.allocate();
        let key = owner.key();
        let guard = pool.guard(key);
        let (done, refused) = (AtomicBool::new(false), AtomicU64::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..READS {
                    let seen = pool.get(key, &pin()).is_some();
                    refused.fetch_add(u64::from(!seen), Ordering::Relaxed);
                }
                done.store(true, Ordering::Relaxed);
            });
            while !done.load(Ordering::Relaxed) {
                assert!(owner.exclusive(|_| ()).is_none(), "it is guarded");
            }
        });
        drop(guard);
        refused.into_inner() as f64 * 100.0 / f64::from(READS)
    })]
}

/// `measure` as it is, and in a process that does without the system call.
fn with_and_without(measure: fn() -> f64) -> Vec<Case> {
    vec![
        Case::once("with `membarrier`", measure),
        Case::once("without `membarrier`", move || {
            assert!(avoid_membarrier(), "the first call of the process");
            measure()
        }),
    ]
}

pub(super) fn membarrier() -> Vec<Case> {
    with_and_without(|| pair(&Pool::<u64>::new()))
}

pub(super) fn membarrier_end() -> Vec<Case> {
    with_and_without(|| pair(&Pool::<u64, Ended>::with_hooks()))
}
