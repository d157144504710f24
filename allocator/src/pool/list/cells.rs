//! [`Cells`]: a few places for magazines, which pass from thread to thread by one exchange of a pointer.
//!
//! ```text
//!             lowest empty cell                  highest full cell
//!   push ───────────┐                           ┌───────────────► pop
//!                   ▼                           │
//!   ┌────────┬─────────────┬─────────┬──────────┴──┬─────────┬─────────┐
//!   │ ● full │ · → ●       │ ● full  │ ● → ·       │ · empty │ · empty │
//!   └────────┴─────────────┴─────────┴─────────────┴─────────┴─────────┘
//! ```
//!
//! Each exchange is whole in itself: no thread waits for another one that stopped in the middle of a push or a pop.

use std::ptr;

use crate::pool::list::magazine::Magazine;
use crate::sync::{AtomicPtr, Ordering};

/// At most `N` magazines, roughly last in, first out.
pub(in crate::pool) struct Cells<const N: usize>([AtomicPtr<Magazine>; N]);

// SAFETY: a magazine may go to another thread, and an exchange gives it to one thread only.
unsafe impl<const N: usize> Send for Cells<N> {}
// SAFETY: as above. No thread reads a magazine that is in a cell.
unsafe impl<const N: usize> Sync for Cells<N> {}

impl<const N: usize> Cells<N> {
    pub(in crate::pool) fn new() -> Self {
        Self(std::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())))
    }

    /// Puts a magazine into the lowest empty cell. Gives it back if there is none.
    pub(in crate::pool) fn push(&self, magazine: Box<Magazine>) -> Result<(), Box<Magazine>> {
        let magazine = Box::into_raw(magazine);
        for cell in &self.0 {
            // Release pairs with `pop` (Acquire): the thread that gets the magazine sees its slots and their objects.
            // A cheap look first, Relaxed: a cell that changes meanwhile is passed over.
            if cell.load(Ordering::Relaxed).is_null()
                && cell
                    .compare_exchange(ptr::null_mut(), magazine, Ordering::Release, Ordering::Relaxed)
                    .is_ok()
            {
                return Ok(());
            }
        }
        // SAFETY: from the box above; no cell has it.
        Err(unsafe { Box::from_raw(magazine) })
    }

    /// Takes the magazine of the highest full cell. A magazine that comes or moves meanwhile may be missed.
    pub(in crate::pool) fn pop(&self) -> Option<Box<Magazine>> {
        self.0.iter().rev().find_map(|cell| {
            let found = cell.load(Ordering::Relaxed);
            // Acquire pairs with `push` (Release). If the same magazine left and came back since the look, it is as good.
            let taken = !found.is_null()
                && cell
                    .compare_exchange(found, ptr::null_mut(), Ordering::Acquire, Ordering::Relaxed)
                    .is_ok();
            // SAFETY: `push` put a box there, and the exchange removed it, so this thread alone has it.
            taken.then(|| unsafe { Box::from_raw(found) })
        })
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(in crate::pool) fn len(&self) -> usize {
        let is_full = |cell: &&AtomicPtr<Magazine>| !cell.load(Ordering::Relaxed).is_null();
        self.0.iter().filter(is_full).count()
    }
}

impl<const N: usize> Drop for Cells<N> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
