//! The names of objects in a table: numbers that the program gives out itself.

use foldhash::fast::RandomState;
use std::sync::atomic::{AtomicU64, Ordering};

/// The hasher of the tables: a fast one, because the numbers are nobody's input.
pub(crate) type Fold = RandomState;

/// Numbers that no other value of this type gives out.
#[derive(Debug)]
pub(crate) struct Numbers(u64);

impl Numbers {
    /// A range of its own, so that threads share no counter.
    pub(crate) fn new() -> Self {
        static RANGES: AtomicU64 = AtomicU64::new(0);
        Self(RANGES.fetch_add(1, Ordering::Relaxed) << 40)
    }

    /// The next number.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}
