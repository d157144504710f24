//! Counts forks, for the locks: see [`Mutex`](crate::sync::fork::Mutex).

/// From now on, a forked process knows that it is one.
#[cfg(all(unix, not(any(miri, acedia_loom))))]
pub(crate) fn watch_forks() {
    use crate::sync::fork::count_fork;
    use crate::sync::plain::{AtomicBool, Ordering};

    static WATCHED: AtomicBool = AtomicBool::new(false);
    extern "C" fn in_the_child() {
        count_fork();
    }
    // Relaxed: the first caller registers it.
    if !WATCHED.load(Ordering::Relaxed) && !WATCHED.swap(true, Ordering::Relaxed) {
        // Without memory for it, locks in the child wait as in any process.
        // SAFETY: the handler is a function of the program, and changes one word.
        unsafe { libc::pthread_atfork(None, None, Some(in_the_child)) };
    }
}

#[cfg(not(all(unix, not(any(miri, acedia_loom)))))]
pub(crate) fn watch_forks() {}

#[cfg(all(test, target_os = "linux", not(any(miri, acedia_loom))))]
mod tests;
