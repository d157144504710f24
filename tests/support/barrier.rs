//! [`Barrier`], for tests of several crates.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How long a thread waits for the others.
const PATIENCE: Duration = Duration::from_secs(60);

/// A barrier at which a thread fails if the others do not come, because one of them has failed.
pub(crate) struct Barrier {
    count: usize,
    arrivals: Mutex<usize>,
    all: Condvar,
}

impl Barrier {
    pub(crate) const fn new(count: usize) -> Self {
        Self {
            count,
            arrivals: Mutex::new(0),
            all: Condvar::new(),
        }
    }

    #[track_caller]
    pub(crate) fn wait(&self) {
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        *arrivals += 1;
        let enough = arrivals.next_multiple_of(self.count);
        self.all.notify_all();
        let waited = self
            .all
            .wait_timeout_while(arrivals, PATIENCE, |arrivals| *arrivals < enough);
        let (arrivals, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(arrivals);
        assert!(!waited.timed_out(), "another thread does not come");
    }
}
