//! The locks and thread-locals of this crate, which loom replaces under `cfg(acedia_loom)` with the feature `loom`.

/// A counter that no model explores.
pub(crate) use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(not(all(acedia_loom, feature = "loom")))]
mod real {
    pub(crate) use parking_lot::{Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};

    /// Declares one static of per-process state.
    macro_rules! process_static {
        ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
            $(#[$meta])*
            static $name: $type = $init;
        };
    }
    /// Declares one constant-initialised thread-local.
    macro_rules! thread_static {
        ($(#[$meta:meta])* static $name:ident: $type:ty = $init:expr;) => {
            std::thread_local! { $(#[$meta])* static $name: $type = const { $init }; }
        };
    }
    pub(crate) use {process_static, thread_static};
}

#[cfg(all(acedia_loom, feature = "loom"))]
mod models;

#[cfg(all(acedia_loom, feature = "loom"))]
pub(crate) use models::*;
#[cfg(not(all(acedia_loom, feature = "loom")))]
pub(crate) use real::*;

/// A number that no other living thread has. Valid for a thread's whole life, its last thread-local destructor included.
pub(crate) fn thread_token() -> usize {
    // The address of a thread-local byte. The byte has no destructor, so the number is available at any time.
    thread_static! { static HERE: u8 = 0; }
    HERE.with(|here| std::ptr::from_ref(here).addr())
}
