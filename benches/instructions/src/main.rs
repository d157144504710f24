//! How many instructions the engine's hot paths take; `ci/instructions.sh` holds them to `baseline.txt`.
//!
//! Each benchmark is a process of its own under callgrind, which counts [`TIMES`] operations of one thread on a warm pool.
//! The counts are exact and repeat, even on a busy machine. They do not include the cost of caches, fences or contention.

// The macros make public items without docs.
#![allow(missing_docs)]
#![allow(clippy::needless_pass_by_value, reason = "a teardown takes what the benchmark gave")]
#![allow(clippy::struct_field_names, reason = "the handles among the handles and their count")]

use acedia::pool::Hooks;
use acedia::{Handle, Owned, Pool, pin};
use gungraun::{Callgrind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use std::{hint::black_box, thread};

const TIMES: usize = 10_000;
/// Objects that the benchmarks of access iterate over.
const OBJECTS: usize = 1_000;

static PLAIN: Pool<u64> = Pool::new();
static FINALIZED: Pool<u64, Finalized> = Pool::with_hooks();

/// A finalizer that does next to nothing.
struct Finalized;

impl Hooks<u64> for Finalized {
    type Readers = acedia::pool::Global;

    fn make() -> u64 {
        0
    }

    const END: Option<fn(&mut u64)> = Some(|object| *object += 1);
}

/// The threads that have read through handles in this process. The engine's way of freeing depends on them.
enum Readers {
    Nobody,
    /// This thread, under a pin.
    One,
    /// Another thread, through a guard: from then on the engine looks for guards when it reuses slots of this pool.
    Guards,
}

/// A pool with free objects, more than a thread keeps.
fn warm<H: Hooks<u64>>(pool: &'static Pool<u64, H>, readers: Readers) -> &'static Pool<u64, H> {
    let owners: Vec<_> = (0..OBJECTS).map(|_| pool.allocate()).collect();
    match readers {
        Readers::Nobody => {}
        Readers::One => drop(pin()),
        Readers::Guards => thread::scope(|scope| {
            let reader = scope.spawn(|| assert!(pool.guard(owners[0].handle()).is_some()));
            reader.join().expect("a guard panics");
        }),
    }
    drop(owners);
    for _ in 0..OBJECTS {
        black_box(pool.allocate().handle());
    }
    pool
}

fn plain(readers: Readers) -> &'static Pool<u64> {
    warm(&PLAIN, readers)
}

fn finalized(readers: Readers) -> &'static Pool<u64, Finalized> {
    warm(&FINALIZED, readers)
}

/// The operations left nothing behind.
fn all_freed<H: Hooks<u64>>(pool: &'static Pool<u64, H>) {
    assert_eq!(pool.stats().live, 0);
}

/// Capacity for owners. The pool knows this thread, and nothing in it is free.
fn room() -> Vec<Owned<u64, &'static Pool<u64>>> {
    let mut owners = Vec::with_capacity(TIMES + 1);
    owners.push(PLAIN.allocate());
    owners
}

fn all_new(owners: Vec<Owned<u64, &'static Pool<u64>>>) {
    assert_eq!((PLAIN.stats().live, owners.len()), (TIMES as u64 + 1, TIMES + 1));
}

// The cost of a pool as it grows, without the system's part.
#[library_benchmark(setup = room, teardown = all_new)]
#[bench::one_thread()]
fn allocate_new(mut owners: Vec<Owned<u64, &'static Pool<u64>>>) -> Vec<Owned<u64, &'static Pool<u64>>> {
    for _ in 0..TIMES {
        owners.push(black_box(PLAIN.allocate()));
    }
    owners
}

#[library_benchmark(setup = plain, teardown = all_freed)]
#[bench::no_reader(Readers::Nobody)]
fn allocate_free(pool: &'static Pool<u64>) -> &'static Pool<u64> {
    for _ in 0..TIMES {
        drop(black_box(pool.allocate()));
    }
    pool
}

#[library_benchmark(setup = plain, teardown = all_freed)]
#[bench::no_reader(Readers::Nobody)]
#[bench::one_reader(Readers::One)]
#[bench::among_guards(Readers::Guards)]
fn allocate_handle_free(pool: &'static Pool<u64>) -> &'static Pool<u64> {
    for _ in 0..TIMES {
        let owner = black_box(pool.allocate());
        black_box(owner.handle());
    }
    pool
}

#[library_benchmark(setup = finalized, teardown = all_freed)]
#[bench::no_reader(Readers::Nobody)]
#[bench::among_guards(Readers::Guards)]
fn allocate_handle_finalize(pool: &'static Pool<u64, Finalized>) -> &'static Pool<u64, Finalized> {
    for _ in 0..TIMES {
        let owner = black_box(pool.allocate());
        black_box(owner.handle());
    }
    pool
}

/// Handles, the owners of their objects, and how many handles resolved to an object.
struct Handles {
    handles: Vec<Handle<u64>>,
    owners: Vec<Owned<u64, &'static Pool<u64>>>,
    found: usize,
}

/// Handles of living objects.
fn live() -> Handles {
    let owners: Vec<_> = (0..OBJECTS).map(|_| PLAIN.allocate()).collect();
    Handles {
        handles: owners.iter().map(Owned::handle).collect(),
        owners,
        found: 0,
    }
}

/// Handles of dead objects. Half of the slots are in a later life.
fn stale() -> Handles {
    let mut stale = live();
    stale.owners.clear();
    stale.owners = live().owners;
    stale.owners.truncate(OBJECTS / 2);
    stale
}

fn all_found(handles: Handles) {
    assert_eq!(handles.found, TIMES);
    drop(handles.owners);
}

fn none_found(handles: Handles) {
    assert_eq!(handles.found, 0);
    drop(handles.owners);
}

#[library_benchmark]
#[bench::live(setup = live, teardown = all_found)]
fn get(mut handles: Handles) -> Handles {
    let pinned = pin();
    for _ in 0..TIMES / OBJECTS {
        for handle in &handles.handles {
            handles.found += usize::from(black_box(PLAIN.get(*handle, &pinned)).is_some());
        }
    }
    handles
}

#[library_benchmark]
#[bench::live(setup = live, teardown = all_found)]
#[bench::stale(setup = stale, teardown = none_found)]
fn get_by_reader(mut handles: Handles) -> Handles {
    let pinned = pin();
    let reader = PLAIN.reader(&pinned);
    for _ in 0..TIMES / OBJECTS {
        for handle in &handles.handles {
            handles.found += usize::from(black_box(reader.get(*handle)).is_some());
        }
    }
    handles
}

#[library_benchmark]
#[bench::live(setup = live, teardown = all_found)]
fn guard(mut handles: Handles) -> Handles {
    for _ in 0..TIMES / OBJECTS {
        for handle in &handles.handles {
            handles.found += usize::from(black_box(PLAIN.guard(*handle)).is_some());
        }
    }
    handles
}

/// An owner that was cloned before.
fn owner() -> Owned<u64, &'static Pool<u64>> {
    let owner = plain(Readers::Nobody).allocate();
    drop(owner.clone());
    owner
}

fn sole(owner: Owned<u64, &'static Pool<u64>>) {
    assert_eq!(owner.owners(), 1);
}

#[library_benchmark]
#[bench::sole(setup = owner, teardown = sole)]
fn clone_owner(owner: Owned<u64, &'static Pool<u64>>) -> Owned<u64, &'static Pool<u64>> {
    for _ in 0..TIMES {
        drop(black_box(owner.clone()));
    }
    owner
}

library_benchmark_group!(
    name = pool,
    benchmarks = [
        allocate_new,
        allocate_free,
        allocate_handle_free,
        allocate_handle_finalize,
        get,
        get_by_reader,
        guard,
        clone_owner
    ]
);

main!(
    config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])),
    library_benchmark_groups = pool
);
