//! [`LifeWord`]: the word in a [`NativeActorRef`](crate::NativeActorRef).
//!
//! Any thread can look up through a reference whether its actor is alive: the word holds a handle, and the look-up resolves
//! that handle in a pool. Models of the allocator run such a look-up against a thread that frees the object and reuses its
//! slot: `free_against_pin`, `free_against_guard`, `publish_and_read_under_a_pin`. The model in `models.rs` adds the word.

#[cfg(acedia_loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(acedia_loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of a handle, or 0.
pub(crate) struct LifeWord(AtomicU64);

impl Default for LifeWord {
    fn default() -> Self {
        Self(AtomicU64::new(0))
    }
}

impl LifeWord {
    pub(crate) fn set(&self, bits: u64) {
        // Release: a thread that reads the bits can resolve the handle. Pairs with `bits`.
        self.0.store(bits, Ordering::Release);
    }

    pub(crate) fn bits(&self) -> u64 {
        // In the models' second mode, a compare-exchange that can't succeed: see the allocator's `sync.rs`.
        #[cfg(acedia_loom)]
        if acedia::__private::loads_are_rmw() {
            let never = u64::MAX;
            let found = self
                .0
                .compare_exchange(never, never, Ordering::SeqCst, Ordering::Acquire);
            return found.unwrap_or_else(|bits| bits);
        }
        // Acquire: pairs with `set`.
        self.0.load(Ordering::Acquire)
    }
}

// `ci/loom.sh` finds models by this name.
#[cfg(all(test, acedia_loom))]
#[path = "life_word/models.rs"]
mod loom_models;
