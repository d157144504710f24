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

use acedia::{AllocateError, Pool, pin};
use support::{alone, command, handles, hooks, passed};

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
    LEFT.set(LEFT.get().saturating_sub(1));
    LEFT.get() == 0
}

// SAFETY: everything is passed on to the system's allocator, or refused by a null pointer. The other methods call `alloc`.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if refuse(layout) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
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
    LEFT.set(nth + 1);
    let result = work();
    LEFT.set(usize::MAX);
    result
}

/// Allocations of at least this size are for chunks. Smaller ones are for threads and pools.
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

/// Whether a chunk or its tables come from the global allocator.
const REFUSABLE: bool = cfg!(any(debug_assertions, not(target_os = "linux")));

#[test]
fn a_first_chunk_is_refused() {
    let _alone = alone();
    for nth in 0..3 {
        let pool: Pool<Small> = Pool::new();
        let refused = refusing(nth, CHUNK, || {
            let refused = pool.try_allocate().is_err();
            // Every form refuses, as often as it is asked.
            for _ in 0..if refused { 3 } else { 0 } {
                says_memory(pool.try_allocate());
                says_memory(pool.try_allocate_with(|_| unreachable!()));
                says_memory(pool.try_allocate_fresh());
                says_memory(pool.try_reserve());
            }
            refused
        });
        assert!(refused == (nth == 0) || !REFUSABLE || nth == 1, "{nth}");
        let stats = pool.stats();
        assert_eq!(
            (stats.live, stats.kept),
            (0, u64::from(!refused)),
            "nothing has changed"
        );
        let owner = pool.try_allocate().unwrap();
        assert!(pool.contains(owner.handle()), "and it works when there is memory again");
    }
}

/// A later chunk is refused, and each refusal returns its chunk number. Freeing and reuse need no memory.
#[test]
fn a_later_chunk_is_refused() {
    let _alone = alone();
    let pool: Pool<Small> = Pool::new().bounded(10_000);
    let mut owners = Vec::with_capacity(10_000);
    owners.push(pool.allocate());
    let full = refusing(0, CHUNK, || {
        while let Some(owner) = pool.try_allocate().ok().filter(|_| REFUSABLE || owners.len() < 1000) {
            owners.push(owner);
        }
        (0..if REFUSABLE { 10_000 } else { 0 }).for_each(|_| says_memory(pool.try_allocate()));
        assert_eq!(pool.stats().live, owners.len() as u64);
        // Freed objects are used again without allocating memory.
        for _ in 0..100 {
            drop(owners.pop());
            owners.push(pool.try_allocate().unwrap());
        }
        owners.len()
    });
    while let Ok(owner) = pool.try_allocate() {
        owners.push(owner);
    }
    assert!(
        full < 10_000 && owners.len() == 10_000,
        "a refusal takes no room of a bounded pool"
    );
    let all = handles(&owners);
    assert!(
        all.iter()
            .all(|handle| pool.contains(*handle) && handle.index() >> 12 < 100),
        "numbers are used up"
    );
    refusing(0, CHUNK, || owners.clear());
    drop(pin());
    assert_eq!((pool.stats().live, pool.stats().kept), (0, 10_000));
    assert!(all.iter().all(|&handle| !pool.contains(handle)));
}

/// A process with half a gigabyte of address space fills it with objects.
#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn no_addresses_are_left() {
    const STARTED: &str = "started with few addresses";
    if support::case().is_none() {
        let inner = command(|| (), "limited");
        let mut limited = std::process::Command::new("sh");
        limited
            .args(["-c", r#"ulimit -v 524288 && exec "$0" "$@""#])
            .arg(inner.get_program())
            .args(inner.get_args());
        let output = limited
            .envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .output()
            .unwrap();
        // A process with a sanitizer needs more addresses, and does not start.
        if String::from_utf8_lossy(&output.stdout).contains(STARTED) {
            passed(&output);
        }
        return;
    }
    println!("{STARTED}");
    hooks!(Large: [u64; 8192] = [1; 8192]);
    let pool: Pool<[u64; 8192], Large> = Pool::with_hooks();
    // Not optimised away.
    let ballast: Vec<u8> = std::hint::black_box(Vec::with_capacity(64 << 20));
    let mut owners = Vec::with_capacity(10_000);
    let refused = loop {
        match pool.try_allocate() {
            Ok(owner) => owners.push(owner),
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
    assert!(owners.iter().all(|owner| owner[8191] == 1));
    drop(owners.pop());
    owners.push(pool.try_allocate().unwrap());
    drop(ballast);
    owners.push(pool.try_allocate().unwrap());
    assert!(handles(&owners).into_iter().all(|handle| pool.contains(handle)));
    owners.clear();
    drop(pin());
    assert_eq!((pool.stats().live, pool.stats().kept), (0, full as u64 + 1));
}
