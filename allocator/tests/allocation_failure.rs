//! A system without memory: the `try_` forms say so, and nothing is lost.
//!
//! The allocator of this test refuses, on one thread at a time, the nth allocation of a certain size or more.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use acedia_allocator::AllocateError;
use acedia_allocator::pool::{Key, Pool, pin};
use support::alone;

struct Refusing;

thread_local! {
    /// Allocations until one is refused.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// Smaller ones are granted and not counted.
    static AT_LEAST: Cell<usize> = const { Cell::new(0) };
}

fn refuse(layout: Layout) -> bool {
    // A failed assertion needs memory to say so.
    if std::thread::panicking() {
        return false;
    }
    // Both are constant and have no destructor, so this works at any time and allocates nothing.
    if layout.size() < AT_LEAST.get() || LEFT.get() == usize::MAX {
        return false;
    }
    if LEFT.get() == 0 {
        return true;
    }
    LEFT.set(LEFT.get() - 1);
    false
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

/// The size from which on an allocation is one of a chunk's, and not one of the few small ones that a thread or a pool
/// makes once, where there is no error to give.
const CHUNK: usize = 16 * 1024;

#[track_caller]
fn says_memory<T>(result: Result<T, AllocateError>) {
    match result {
        Err(AllocateError::Memory { type_name, bytes }) => {
            assert!(!type_name.is_empty() && bytes >= CHUNK);
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("there was no memory"),
    }
}

/// Fills a chunk soon.
#[derive(Default)]
struct Large {
    _u64s: [[u64; 32]; 2],
}

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
                    says_memory(pool.allocate_waiting(None));
                }
            }
        });
        assert_eq!(refused, u32::from(nth == 0 || (nth == 1 && cfg!(debug_assertions))));
        let stats = pool.stats();
        assert_eq!(
            (stats.live, stats.lives),
            (0, u64::from(refused == 0)),
            "nothing has changed"
        );
        let owner = pool.try_allocate().unwrap();
        assert!(pool.contains(owner.key()), "and it works when there is memory again");
    }
}

#[test]
fn a_later_chunk_is_refused() {
    let _alone = alone();
    let pool: Pool<Large> = Pool::new().bounded(10_000);
    let mut owners = Vec::with_capacity(10_000);
    let mut keys: Vec<Key> = Vec::with_capacity(10_000);
    owners.push(pool.allocate());
    refusing(0, CHUNK, || {
        while let Ok(owner) = pool.try_allocate() {
            keys.push(owner.key());
            owners.push(owner);
        }
        says_memory(pool.try_allocate());
        let live = pool.stats().live;
        assert_eq!(live, owners.len() as u64);
        // What is freed is there to be used, without any memory.
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
    assert_eq!(keys.iter().filter(|&&key| pool.contains(key)).count() + 1, full);
    owners.clear();
    drop(pin());
    assert_eq!(pool.stats().live, 0);
}

/// Chunk numbers that were taken for a chunk that could not be had are used again.
#[test]
fn refusals_use_up_no_numbers() {
    let _alone = alone();
    let pool: Pool<Large> = Pool::new();
    let first = refusing(0, CHUNK, || {
        for _ in 0..10_000 {
            says_memory(pool.try_allocate());
        }
    });
    let () = first;
    let owner = pool.allocate();
    assert!(owner.index() >> 12 < 100, "{}", owner.index());
}

/// What a thread and a pool allocate once beside their chunks: small, and made before the chunk is asked for.
#[test]
fn freeing_needs_no_memory_for_a_chunk() {
    let _alone = alone();
    let pool: Pool<Large> = Pool::new();
    let owners: Vec<_> = (0..1000).map(|_| pool.allocate()).collect();
    let keys: Vec<_> = owners.iter().map(|owner| owner.key()).collect();
    refusing(0, CHUNK, || drop(owners));
    assert_eq!(pool.stats().live, 0);
    assert!(keys.iter().all(|&key| !pool.contains(key)));
    assert_eq!(pool.stats().kept, 1000);
}
