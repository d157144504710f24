//! loom's stand-ins.

pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU32, Ordering, fence};
pub(crate) use loom::sync::{Mutex, MutexGuard};

/// Whether the models run in the second mode.
pub(crate) fn loads_are_rmw() -> bool {
    static MODE: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *MODE.get_or_init(|| std::env::var_os("ACEDIA_LOOM_RMW").is_some())
}

/// loom's word, whose loads are read-modify-writes in the second mode.
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
