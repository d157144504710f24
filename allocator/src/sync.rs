//! The protocols' atomics, thread-locals and locks, which a model checker replaces. (A few locks and cells that belong
//! to no protocol are defined where they are used.)
//!
//! Under `cfg(acedia_loom)` the protocols' atomics are loom's, in one of two modes. Native mode explores stale values.
//! With `ACEDIA_LOOM_RMW` in the environment every load is a compare-exchange that always fails, because stock loom
//! explores almost nothing of a load that comes before a compare-exchange of the same thread. With the feature
//! `shuttle` the atomics are shuttle's, which have the same names. All orderings are then sequentially consistent.
//!
//! [`plain`] holds the standard atomics for data outside the protocols under test: statistics, and words that are
//! written once before another thread can read them.

/// Standard atomics, also under loom: counters and registries that no model explores.
pub(crate) mod plain {
    pub(crate) use super::lock::Mutex;
    #[cfg(not(acedia_loom))]
    pub(crate) use std::sync::atomic::compiler_fence;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
}

#[cfg(test)]
std::thread_local! {
    /// How often this thread took a lock of the engine.
    pub(crate) static LOCKS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Declares the locks of the engine, on top of those of a crate. A panic does not poison them. With loom's types in them, they cannot be made
/// by a `const fn`.
macro_rules! locks {
    ($of:ident $($const:ident)?) => {
        #[derive(Debug, Default)]
        pub(crate) struct Mutex<T>($of::sync::Mutex<T>);

        impl<T> Mutex<T> {
            pub(crate) $($const)? fn new(value: T) -> Self {
                Self($of::sync::Mutex::new(value))
            }

            #[track_caller]
            pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
                #[cfg(test)]
                crate::sync::LOCKS.set(crate::sync::LOCKS.get() + 1);
                self.0.lock().unwrap_or_else(PoisonError::into_inner)
            }
        }

        pub(crate) use $of::sync::MutexGuard;

        /// A condition variable of such locks.
        #[derive(Debug)]
        pub(crate) struct Condvar($of::sync::Condvar);

        #[allow(dead_code, reason = "models use the checker's")]
        impl Condvar {
            pub(crate) $($const)? fn new() -> Self {
                Self($of::sync::Condvar::new())
            }

            #[track_caller]
            pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
                self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
            }

            #[track_caller]
            pub(crate) fn notify_all(&self) {
                self.0.notify_all();
            }
        }
    };
}

/// The locks of the standard library.
pub(crate) mod lock {
    use std::sync::PoisonError;

    locks!(std const);
}

#[cfg(not(acedia_loom))]
mod real {
    pub(crate) use super::lock::{Condvar, Mutex};
    pub(crate) use crossbeam_queue::SegQueue as Queue;
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };

    /// Declares one static of per-process state.
    macro_rules! process_static {
        ($(#[$meta:meta])* $vis:vis static $name:ident: $type:ty = $init:expr;) => {
            $(#[$meta])*
            $vis static $name: $type = $init;
        };
    }
    /// Declares one constant-initialised thread-local without a destructor.
    macro_rules! thread_static {
        ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
            std::thread_local! { $(#[$meta])* static $name: $type = const { $init }; }
        };
    }
    /// Declares a function that makes a value for a static. With loom's types in the value, it cannot be `const`.
    macro_rules! const_fn {
        ($(#[$meta:meta])* $vis:vis const fn $($rest:tt)*) => { $(#[$meta])* $vis const fn $($rest)* };
    }
    pub(crate) use {const_fn, process_static, thread_static};
}

/// The model checker of this build.
#[cfg(all(acedia_loom, not(feature = "shuttle")))]
pub(crate) use ::loom as checker;
#[cfg(all(acedia_loom, feature = "shuttle"))]
pub(crate) use ::shuttle as checker;

#[cfg(acedia_loom)]
mod models;

#[cfg(acedia_loom)]
pub use models::loads_are_rmw;
#[cfg(acedia_loom)]
pub(crate) use models::*;
#[cfg(not(acedia_loom))]
pub(crate) use real::*;

/// A number that no other living thread has. Valid for a thread's whole life, its last thread-local destructor
/// included.
pub(crate) fn thread_token() -> usize {
    // The address of a thread-local byte. The byte has no destructor, so the number is available at any time.
    thread_static! { static HERE: u8 = 0; }
    HERE.with(|here| std::ptr::from_ref(here).addr())
}
