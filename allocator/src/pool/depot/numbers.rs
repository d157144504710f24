//! [`Numbers`]: a pool's counts beyond those of its threads.

use crate::sync::plain::AtomicU64;

/// A pool's counts beyond those of its threads.
#[derive(Default)]
pub(in crate::pool) struct Numbers {
    /// Lives begun by threads that have ended or keep no lists.
    pub(in crate::pool) begun: AtomicU64,
    /// Objects whose life has ended, and that wait for pins or for their last guard.
    pub(in crate::pool) leaving: AtomicU64,
    pub(in crate::pool) fresh: AtomicU64,
    pub(in crate::pool) peak: AtomicU64,
    pub(in crate::pool) retired: AtomicU64,
    pub(in crate::pool) dropped: AtomicU64,
    pub(in crate::pool) panics: AtomicU64,
    #[cfg(feature = "count-refused")]
    pub(in crate::pool) refused: AtomicU64,
}
