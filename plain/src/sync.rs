//! The atomics, locks and statics of this crate, which loom replaces under `cfg(acedia_loom)` with the feature `loom`.
//!
//! The models run in two modes. The native one explores stale values. With `ACEDIA_LOOM_RMW` in the environment every load is a
//! read-modify-write that cannot succeed, because loom explores hardly any values of a load before a compare-exchange of the same
//! thread.

use std::sync::PoisonError;

/// Ignores poisoning, because no user code runs under a lock.
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
mod models;

#[cfg(acedia_loom)]
pub(crate) use models::*;
#[cfg(not(acedia_loom))]
pub(crate) use real::*;
