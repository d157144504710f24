//! [`Tally`]: what was counted.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The counts since the service began.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sessions: Count,
    pub(crate) requests: Count,
    /// Late replies whose session had ended.
    pub(crate) stale: Count,
    /// Clients that hung up in the middle of a request.
    pub(crate) cut: Count,
    /// Connections that ended by an error, such as a client's crash.
    pub(crate) broken: Count,
    /// Connections that ended by a panic. Must be 0.
    pub(crate) panicked: Count,
}

/// A counter that any task increments.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self) {
        // Relaxed: it is read after all tasks have ended.
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
