//! How many instructions the engine's hot paths take: what `ci/instructions.sh` compares with `benches/instructions.txt`.
//!
//! Each benchmark is a process of its own under callgrind, which counts [`TIMES`] operations of one thread on a warm pool.
//! What prepares the pool and what checks that the operations did something is not counted.

// The macros make public items without a line of docs.
#![allow(missing_docs)]

use acedia_allocator::pool::{Hooks, Key, Owner, Pool, pin};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main as gungraun_main};
use std::hint::black_box;

/// Operations of each benchmark.
const TIMES: u64 = 10_000;
/// Objects that the benchmarks of access choose from.
const OBJECTS: usize = 1_000;

static PLAIN: Pool<u64> = Pool::new();
static FINALIZED: Pool<u64, Finalized> = Pool::with_hooks();

/// A finalizer that does next to nothing.
struct Finalized;

impl Hooks<u64> for Finalized {
    fn make() -> u64 {
        0
    }

    const END: Option<fn(&mut u64)> = Some(|object| *object += 1);
}

type Owners = Vec<Owner<'static, u64>>;

// Preparations.

/// Living objects and their keys. Nobody reads yet.
fn live() -> (Owners, Vec<Key>) {
    let owners: Owners = (1..)
        .take(OBJECTS)
        .map(|n| PLAIN.allocate_with(|object| *object = n))
        .collect();
    let keys = owners.iter().map(Owner::key).collect();
    (owners, keys)
}

/// Keys of which half the slots are free again and half in a later life.
fn stale() -> (Owners, Vec<Key>) {
    let (owners, keys) = live();
    drop(owners);
    let (mut owners, _) = live();
    owners.truncate(OBJECTS / 2);
    (owners, keys)
}

/// A pool that has free objects, some of them in the thread's magazines.
fn warm<H: Hooks<u64>>(pool: &'static Pool<u64, H>) {
    let owners: Vec<_> = (0..OBJECTS).map(|_| pool.allocate()).collect();
    black_box(owners.iter().map(Owner::key).collect::<Vec<_>>());
    drop(owners);
    for _ in 0..OBJECTS {
        black_box(pool.allocate().key());
    }
}

fn warm_plain() {
    warm(&PLAIN);
}

fn warm_finalized() {
    warm(&FINALIZED);
}

/// Two threads of the process have read by key, this one and another, as in most programs that use keys.
fn several_readers() {
    drop(pin());
    std::thread::spawn(|| drop(pin()))
        .join()
        .expect("pinning doesn't panic");
}

fn warm_several_readers() {
    several_readers();
    warm_plain();
}

fn warm_finalized_several_readers() {
    several_readers();
    warm_finalized();
}

fn live_several_readers() -> (Owners, Vec<Key>) {
    several_readers();
    live()
}

fn stale_several_readers() -> (Owners, Vec<Key>) {
    several_readers();
    stale()
}

fn cloned() -> Owner<'static, u64> {
    warm_plain();
    let owner = PLAIN.allocate();
    drop(owner.clone());
    owner
}

// Checks.

fn began(before: u64) {
    assert!(PLAIN.stats().live == 0 && FINALIZED.stats().live == 0, "{before}");
}
