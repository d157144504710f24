//! [`Numbers`]: a pool's counts beyond those of its threads.

use crate::sync::plain::{AtomicBool, AtomicU64};

/// A pool's counts beyond those of its threads.
#[derive(Default)]
pub(in crate::pool) struct Numbers {
    /// Lives begun by threads that have ended or keep no lists.
    pub(in crate::pool) begun: AtomicU64,
    pub(in crate::pool) fresh: AtomicU64,
    /// The most objects that existed before one was dropped.
    pub(in crate::pool) peak: AtomicU64,
    /// Whether an object was made since the last note of `peak`.
    pub(in crate::pool) has_grown: AtomicBool,
    pub(in crate::pool) worn: AtomicU64,
    pub(in crate::pool) dropped: AtomicU64,
    pub(in crate::pool) panics: AtomicU64,
    #[cfg(feature = "count-refused")]
    pub(in crate::pool) refused: AtomicU64,
}
