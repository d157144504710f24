//! [`LifeWord`]: what a [`NativeActorRef`](crate::NativeActorRef) is made of, and the model of it.
//!
//! Whether an actor lives is asked by one operation of the engine, from any thread: its life's key is looked up. That this
//! agrees with a thread that frees the life, and makes the slot's next one, is what the allocator's models explore:
//! `free_against_pin`, `free_against_guard`, `publish_and_read_under_a_pin`. What is left for this one is the word that the
//! key travels in.

#[cfg(acedia_loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(acedia_loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of a key or handle, or 0, for one thread to change and others to read.
pub(crate) struct LifeWord(AtomicU64);

impl Default for LifeWord {
    fn default() -> Self {
        Self(AtomicU64::new(0))
    }
}

impl LifeWord {
    pub(crate) fn set(&self, bits: u64) {
        // Release, so that whoever reads the bits finds the life that they name: pairs with `bits`.
        self.0.store(bits, Ordering::Release);
    }

    pub(crate) fn bits(&self) -> u64 {
        // In the second mode of the models, an exchange that can't succeed: see the allocator's `sync.rs`.
        #[cfg(acedia_loom)]
        if acedia_allocator::__private::loads_are_rmw() {
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
