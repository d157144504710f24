//! How many threads read through handles, which decides how the engine reuses what is freed.

use acedia_allocator::pool::pin;
use std::thread;

/// Makes this a process in which this thread reads through handles, and perhaps another one too.
///
/// As long as only one thread ever reads, the engine reuses objects without looking around. Programs in which that holds
/// exist, but nobody should choose an engine by them, so figures are quoted for `several`.
///
/// # Panics
///
/// If no thread can be started.
pub fn readers(several: bool) {
    drop(pin());
    if several {
        thread::spawn(|| drop(pin())).join().expect("pinning does not panic");
    }
}
