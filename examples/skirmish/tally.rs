//! Counts events that are too frequent for a shared counter: memory allocations, and finalizers.
//!
//! Each thread that joins counts in memory of its own, with a plain load and a plain store, so that counting changes
//! the times that are measured as little as possible.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Numbers about every class of the match: one row each.
pub(crate) type PerClass<N> = [N; 2];

/// The counts of one thread.
#[derive(Debug, Default)]
#[repr(align(128))] // No two threads write to one cache line.
struct Tally {
    allocations: AtomicU64,
    finalizers: PerClass<AtomicU64>,
    refused: PerClass<AtomicU64>,
}

thread_local! {
    // Without a destructor, so that it can be used until the very end of the thread, and by the allocator.
    static MINE: Cell<Option<&'static Tally>> = const { Cell::new(None) };
}

/// The tallies of all threads that have joined; they stay when the threads are gone.
static ALL: Mutex<Vec<&'static Tally>> = Mutex::new(Vec::new());

/// Finalizers run by threads that have not joined.
static OTHERS: PerClass<AtomicU64> = [const { AtomicU64::new(0) }; 2];

fn all() -> MutexGuard<'static, Vec<&'static Tally>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts this thread's allocations from now on.
pub(crate) fn join() {
    let tally: &'static Tally = Box::leak(Box::default());
    all().push(tally);
    MINE.set(Some(tally));
}

/// One more finalizer of this class.
pub(crate) fn count_finalizer(row: usize) {
    match MINE.get() {
        Some(tally) => add_one(&tally.finalizers[row]),
        None => {
            OTHERS[row].fetch_add(1, Relaxed);
        }
    }
}

/// Allocations of memory by all threads that have joined.
pub(crate) fn allocations() -> u64 {
    all().iter().map(|tally| tally.allocations.load(Relaxed)).sum()
}

/// Finalizers run by all threads.
pub(crate) fn finalizers(row: usize) -> u64 {
    let joined: u64 = all().iter().map(|tally| tally.finalizers[row].load(Relaxed)).sum();
    joined + OTHERS[row].load(Relaxed)
}

/// Publishes how many looks of this thread met a dead object so far.
pub(crate) fn show_refused(row: usize, refused: u64) {
    if let Some(tally) = MINE.get() {
        tally.refused[row].store(refused, Relaxed);
    }
}

/// Looks of all threads that met a dead object, in all rounds.
pub(crate) fn refused(row: usize) -> u64 {
    all().iter().map(|tally| tally.refused[row].load(Relaxed)).sum()
}

/// For a counter that only this thread writes.
fn add_one(counter: &AtomicU64) {
    counter.store(counter.load(Relaxed) + 1, Relaxed);
}

fn count_allocation() {
    // An allocator must not panic at the end of a thread.
    if let Ok(Some(tally)) = MINE.try_with(Cell::get) {
        add_one(&tally.allocations);
    }
}

/// The system's allocator, with a count of the calls that ask for memory.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is handed on to `System` unchanged, and `System` keeps the contract. Counting beside it does not
// allocate (so it cannot recurse), does not unwind (the addition cannot overflow in the life of a program) and does not
// touch the memory that is handed out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_allocation();
        // SAFETY: the caller's promises about `layout` are the ones that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_allocation();
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_allocation();
        // SAFETY: the caller got `memory` from this allocator, so from `System`, for this very `layout`.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}
