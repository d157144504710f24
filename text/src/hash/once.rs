//! [`Once`]: a hash that is computed when somebody asks first.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};

/// A hash of what does not change, kept from the first time it was asked for. 0 says that nobody has; a hash that is 0 is
/// computed each time.
#[derive(Debug, Default)]
pub(crate) struct Once(AtomicU64);

impl Once {
    /// The hash, which `compute` gives if it must.
    #[inline]
    pub(crate) fn get_or(&self, compute: impl FnOnce() -> u64) -> u64 {
        match self.known() {
            0 => self.keep(compute),
            hash => hash,
        }
    }

    /// The hash, or 0 if nobody has asked for it.
    #[inline]
    pub(crate) fn known(&self) -> u64 {
        // Relaxed: whoever computes it gets the same number, and nothing else depends on it.
        self.0.load(Ordering::Relaxed)
    }

    /// Apart, because it happens once.
    #[cold]
    fn keep(&self, compute: impl FnOnce() -> u64) -> u64 {
        let hash = compute();
        self.0.store(hash, Ordering::Relaxed);
        hash
    }

    /// Forgets the hash.
    #[inline]
    pub(crate) fn reset(&mut self) {
        *self.0.get_mut() = 0;
    }
}
