//! [`Once`]: a hash that is computed at the first request.

use std::sync::atomic::{AtomicU64, Ordering};

/// The hash of a constant value, kept from the first request on. 0 marks a hash that is not computed yet. A hash that is 0 is
/// computed at each request.
#[derive(Debug, Default)]
pub(crate) struct Once(AtomicU64);

impl Once {
    /// The hash. Calls `compute` if it is not known yet.
    #[inline]
    pub(crate) fn get_or(&self, compute: impl FnOnce() -> u64) -> u64 {
        match self.known() {
            0 => self.keep(compute),
            hash => hash,
        }
    }

    /// The hash, or 0 if it is not known yet.
    #[inline]
    pub(crate) fn known(&self) -> u64 {
        // Relaxed: every thread computes the same number, and nothing else depends on it.
        self.0.load(Ordering::Relaxed)
    }

    /// Not inlined, because it runs once.
    #[cold]
    fn keep(&self, compute: impl FnOnce() -> u64) -> u64 {
        let hash = compute();
        self.note(hash);
        hash
    }

    /// Notes the hash.
    #[inline]
    pub(crate) fn note(&self, hash: u64) {
        self.0.store(hash, Ordering::Relaxed);
    }

    /// Forgets the hash.
    #[inline]
    pub(crate) fn reset(&mut self) {
        *self.0.get_mut() = 0;
    }
}
