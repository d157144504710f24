//! A system without memory: the `try_` forms return errors, and no slot is lost.
//!
//! The allocator of this test refuses, on one thread at a time, the nth allocation of a certain size or more. Where chunks
//! come straight from the operating system, a process of its own runs out of address space instead.
#![allow(
    clippy::items_after_statements,
    clippy::large_stack_arrays,
    reason = "a test's own types and numbers stand where they are used"
)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use acedia::AllocateError;
use acedia::pool::{Handle, Owned, Pool, pin};
use support::{CASE, alone, case};

struct Refusing;

thread_local! {
    /// Allocations until one is refused.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// Smaller ones are granted and not counted.
    static AT_LEAST: Cell<usize> = const { Cell::new(0) };
}

fn refuse(layout: Layout) -> bool {
    // A failed assertion needs memory for its message.
    if std::thread::panicking() {
        return false;
    }
    // Both are constant and have no destructor, so this works at any time and allocates nothing.
    if layout.size() < AT_LEAST.get() || LEFT.get() == usize::MAX {
        return false;
    }
    let refused = LEFT.get() == 0;
    if !refused {
        LEFT.set(LEFT.get() - 1);
        return false;
    }
    true
}

// SAFETY: everything is passed on to the system's allocator, or refused by a null pointer.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if refuse(layout) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if refuse(layout) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if refuse(Layout::from_size_align(size, layout.align()).unwrap_or(layout)) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Refuses every allocation of `at_least` bytes or more in `work`, from the nth on.
fn refusing<R>(nth: usize, at_least: usize, work: impl FnOnce() -> R) -> R {
    AT_LEAST.set(at_least);
    LEFT.set(nth);
    let result = work();
    LEFT.set(usize::MAX);
    result
}

/// The size from which on an allocation is one of a chunk's, and not one of the small ones that a thread or a pool makes.
const CHUNK: usize = 16 * 1024;

#[track_caller]
fn says_memory<T>(result: Result<T, AllocateError>) {
    match result {
        Err(AllocateError::Memory { type_name, bytes }) => {
            assert!(type_name.contains("u64") && bytes >= CHUNK);
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("there is memory"),
    }
}

/// A small object.
type Small = [u64; 2];

/// Whether a chunk, or what goes with it, comes from the global allocator.
const REFUSABLE: bool = cfg!(any(debug_assertions, not(target_os = "linux")));

#[test]
fn a_first_chunk_is_refused() {
    let _alone = alone();
    for nth in 0..3 {
        let pool: Pool<[u64; 2]> = Pool::new();
        let mut refused = 0;
        refusing(nth, CHUNK, || {
            if pool.try_allocate().is_err() {
                refused += 1;
                // Every form refuses, as often as it is asked.
                for _ in 0..3 {
                    says_memory(pool.try_allocate());
                    says_memory(pool.try_allocate_with(|_| unreachable!()));
                    says_memory(pool.try_allocate_fresh());
                    says_memory(pool.try_reserve());
                }
            }
        });
        assert!(refused == u32::from(nth == 0) || !REFUSABLE || nth == 1, "{nth}");
        let stats = pool.stats();
        assert_eq!(
            (stats.live, stats.kept),
            (0, u64::from(refused == 0)),
            "nothing has changed"
        );
        let owner = pool.try_allocate().unwrap();
        assert!(pool.contains(owner.handle()), "and it works when there is memory again");
    }
}

#[test]
fn a_later_chunk_is_refused() {
    if !REFUSABLE {
        return;
    }
    let _alone = alone();
    let pool: Pool<Small> = Pool::new().bounded(10_000);
    let mut owners = Vec::with_capacity(10_000);
    let mut keys: Vec<Handle<[u64; 2]>> = Vec::with_capacity(10_000);
    owners.push(pool.allocate());
    refusing(0, CHUNK, || {
        while let Ok(owner) = pool.try_allocate() {
            keys.push(owner.handle());
            owners.push(owner);
        }
        says_memory(pool.try_allocate());
        let live = pool.stats().live;
        assert_eq!(live, owners.len() as u64);
        // Freed objects are used again without allocating memory.
        for _ in 0..100 {
            drop(owners.pop());
            owners.push(pool.try_allocate().unwrap());
            says_memory(pool.try_allocate());
        }
        assert_eq!(pool.stats().live, live);
    });
    let full = owners.len();
    while let Ok(owner) = pool.try_allocate() {
        owners.push(owner);
    }
    assert_eq!(owners.len(), 10_000, "a refusal takes no room of a bounded pool");
    assert!(full < 10_000);
    // The first has no key, and the last is another by now.
    assert_eq!(keys.iter().filter(|&&key| pool.contains(key)).count() + 2, full);
    owners.clear();
    drop(pin());
    assert_eq!(pool.stats().live, 0);
}

/// Chunk numbers that were taken for a chunk that could not be had are used again.
#[test]
fn refusals_use_up_no_numbers() {
    if !REFUSABLE {
        return;
    }
    let _alone = alone();
    let pool: Pool<Small> = Pool::new();
    refusing(0, CHUNK, || {
        for _ in 0..10_000 {
            says_memory(pool.try_allocate());
        }
    });
    let owner = pool.allocate();
    assert!(owner.index() >> 12 < 100, "{}", owner.index());
}

/// Freeing needs no memory of a chunk's size.
#[test]
fn freeing_needs_no_memory_for_a_chunk() {
    let _alone = alone();
    let pool: Pool<Small> = Pool::new();
    let owners: Vec<_> = (0..1000).map(|_| pool.allocate()).collect();
    let keys: Vec<_> = owners.iter().map(Owned::handle).collect();
    refusing(0, CHUNK, || drop(owners));
    assert_eq!(pool.stats().live, 0);
    assert!(keys.iter().all(|&key| !pool.contains(key)));
    assert_eq!(pool.stats().kept, 1000);
}

/// A process that may have half a gigabyte of addresses fills it with objects.
#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn no_addresses_are_left() {
    let _alone = support::alone();
    const NAME: &str = "no_addresses_are_left";
    const STARTED: &str = "started with few addresses";
    if case().is_none() {
        let output = std::process::Command::new("sh")
            .args(["-c", r#"ulimit -v 524288 && exec "$0" --exact "$1" --nocapture"#])
            .arg(std::env::current_exe().unwrap())
            .args([NAME])
            .env(CASE, "limited")
            .output()
            .unwrap();
        let (text, errors) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        // A sanitizer needs more addresses than that for itself, and does not start.
        assert!(output.status.success() || !text.contains(STARTED), "{text}\n{errors}");
        return;
    }
    println!("{STARTED}");
    struct Large;
    impl acedia::pool::Hooks<[u64; 8192]> for Large {
        type Readers = acedia::pool::Global;

        fn make() -> [u64; 8192] {
            [1; 8192]
        }
    }
    let pool: Pool<[u64; 8192], Large> = Pool::with_hooks();
    // Not optimised away.
    let ballast: Vec<u8> = std::hint::black_box(Vec::with_capacity(64 << 20));
    let mut owners = Vec::with_capacity(10_000);
    let mut keys = Vec::with_capacity(10_000);
    let refused = loop {
        match pool.try_allocate() {
            Ok(owner) => {
                keys.push(owner.handle());
                owners.push(owner);
            }
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, AllocateError::Memory { .. }), "{refused}");
    let full = owners.len();
    assert!(full > 1000, "{full}");
    for _ in 0..100 {
        says_memory(pool.try_allocate());
        says_memory(pool.try_reserve());
    }
    assert_eq!(pool.stats().live, full as u64);
    assert!(keys.iter().all(|&key| pool.contains(key)));
    drop(owners.pop());
    owners.push(pool.try_allocate().unwrap());
    drop(ballast);
    owners.push(pool.try_allocate().unwrap());
    assert!(owners.iter().all(|owner| owner[8191] == 1));
    owners.clear();
    drop(pin());
    assert_eq!((pool.stats().live, pool.stats().kept), (0, full as u64 + 1));
}
