//! The atomics, locks and statics of this crate, which loom replaces under `cfg(acedia_loom)` with the feature `loom`.
//!
//! The models run in two modes. The native one explores stale values. With `ACEDIA_LOOM_RMW` in the environment every load is a
//! read-modify-write that cannot succeed, because loom explores almost nothing of a load that comes before a compare-exchange of
//! the same thread.

use std::sync::PoisonError;

/// Locks also after a panic: no code of a user runs under a lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(not(acedia_loom))]
mod real {
    pub(crate) use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use std::sync::{Mutex, MutexGuard};

    /// Declares one static of per-process state.
    macro_rules! process_static {
        ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
            $(#[$meta])* static $name: $type = $init;
        };
    }
    /// Declares a function that makes a value for a static. With loom's words in the value, it cannot be `const`.
    macro_rules! const_fn {
        ($(#[$meta:meta])* $vis:vis const fn $($rest:tt)*) => { $(#[$meta])* $vis const fn $($rest)* };
    }
    pub(crate) use {const_fn, process_static};
}

#[cfg(acedia_loom)]
mod real {
    pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence};
    pub(crate) use loom::sync::{Mutex, MutexGuard};

    /// Whether the models run in the second mode.
    pub(crate) fn loads_are_rmw() -> bool {
        static MODE: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        *MODE.get_or_init(|| std::env::var_os("ACEDIA_LOOM_RMW").is_some())
    }

    /// loom's word, of which a load is a read-modify-write in the second mode.
    #[derive(Debug)]
    pub(crate) struct AtomicU64(loom::sync::atomic::AtomicU64);

    impl AtomicU64 {
        #[track_caller]
        pub(crate) fn new(value: u64) -> Self {
            Self(loom::sync::atomic::AtomicU64::new(value))
        }

        #[track_caller]
        pub(crate) fn load(&self, order: Ordering) -> u64 {
            if !loads_are_rmw() {
                return self.0.load(order);
            }
            // A bit pattern that no word ever holds.
            let never = 0xDEAD_BEEF_DEAD_BEEE;
            match self.0.compare_exchange(never, never, Ordering::SeqCst, order) {
                Ok(_) => unreachable!("a word held the impossible pattern"),
                Err(value) => value,
            }
        }

        #[track_caller]
        pub(crate) fn store(&self, value: u64, order: Ordering) {
            self.0.store(value, order);
        }

        #[track_caller]
        pub(crate) fn compare_exchange(
            &self,
            old: u64,
            new: u64,
            success: Ordering,
            failure: Ordering,
        ) -> Result<u64, u64> {
            self.0.compare_exchange(old, new, success, failure)
        }
    }

    macro_rules! process_static {
        ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
            loom::lazy_static! { $(#[$meta])* static ref $name: $type = $init; }
        };
    }
    macro_rules! const_fn {
        ($(#[$meta:meta])* $vis:vis const fn $($rest:tt)*) => { $(#[$meta])* $vis fn $($rest)* };
    }
    pub(crate) use {const_fn, process_static};
}

pub(crate) use real::*;
