//! [`Mutex`]: the lock of the engine, which does not wait without an end in a forked process.
//!
//! A fork copies the memory of a process, but only the thread that forked. A lock that another thread held at that moment stays
//! locked in the child. So a thread that has to wait there first tries for about a second. If it gets the lock, the lock was
//! not left locked by a thread of the parent, and later waits for this lock are ordinary ones.
//!
//! The lock is that of the standard library, because it is one word. `parking_lot`'s lock keeps its waiting threads in a table
//! of the process, whose own locks may be held at the fork; and its unlock may pass the lock on to a thread that the child
//! does not have.

use std::sync::{PoisonError, TryLockError};
use std::time::Duration;
#[cfg(not(acedia_loom))]
use std::time::Instant;

use super::plain::{AtomicU32, Ordering};
use super::yield_now;

/// The forks between the first process and this one, after the first pool was made.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// The number of forks that led to this process. It is 0 unless the process is a forked one.
pub(crate) fn forks() -> u32 {
    // Relaxed: written while the process has one thread.
    FORKS.load(Ordering::Relaxed)
}

/// Counts a fork. Called in the child, by its only thread.
#[cfg_attr(
    not(all(unix, not(any(miri, acedia_loom)))),
    allow(dead_code, reason = "no handler calls it")
)]
pub(crate) fn count_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// A wait for a step of another thread that takes a few instructions.
#[derive(Default)]
pub(crate) struct Patience(u32);

impl Patience {
    /// The tries without a sleep, which are enough for a thread that exists.
    const SHORT: u32 = 200;
    /// The tries after them, with a sleep of a millisecond each. A process that is stopped meanwhile uses up one of them.
    const LONG: u32 = 1000;

    /// Lets other threads run. In a forked process it panics after about a second.
    #[track_caller]
    pub(crate) fn wait(&mut self) {
        yield_now();
        if forks() > 0 {
            self.0 += 1;
            if self.0 > Self::SHORT + Self::LONG {
                refuse();
            }
            if self.0 > Self::SHORT {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Panics because the thread waits for one that this process does not have.
#[cold]
#[track_caller]
pub(crate) fn refuse() -> ! {
    panic!(
        "another thread was in an operation of a pool or class when this process was forked, and the child cannot finish it: \
         call `exec` in the child, or fork while no other thread uses pools"
    );
}

/// A lock. A panic does not poison it.
#[derive(Debug, Default)]
// The first field has one place for all types, so that the compiler can merge the locks of all types.
#[repr(C)]
pub(crate) struct Mutex<T> {
    /// The number of [`forks`] when a thread last got the lock after it had waited.
    forks: AtomicU32,
    lock: std::sync::Mutex<T>,
}

pub(crate) type MutexGuard<'a, T> = std::sync::MutexGuard<'a, T>;

impl<T> Mutex<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self {
            lock: std::sync::Mutex::new(value),
            forks: AtomicU32::new(0),
        }
    }

    #[inline(never)]
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.try_lock().unwrap_or_else(|| self.wait())
    }

    #[inline]
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.lock.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    #[cold]
    fn wait(&self) -> MutexGuard<'_, T> {
        let forks = forks();
        // Relaxed: a thread that misses the change tries a little longer.
        if self.forks.load(Ordering::Relaxed) == forks {
            return self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        }
        let mut guard = None;
        wait_until(&mut || {
            guard = self.try_lock();
            guard.is_some()
        });
        self.forks.store(forks, Ordering::Relaxed);
        guard.expect("the wait is over")
    }
}

/// Tries with [`Patience`]. One function for the locks of all types.
fn wait_until(is_over: &mut dyn FnMut() -> bool) {
    let mut patience = Patience::default();
    while !is_over() {
        patience.wait();
    }
}

/// A condition variable. Its waits have no end of their own: see [`forks`] for a thread that may have been left behind.
#[cfg(not(acedia_loom))]
#[derive(Debug)]
pub(crate) struct Condvar(std::sync::Condvar);

#[cfg(not(acedia_loom))]
impl Condvar {
    pub(crate) const fn new() -> Self {
        Self(std::sync::Condvar::new())
    }

    pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// Like `wait`, but also returns whether the time is over.
    pub(crate) fn wait_until<'a, T>(&self, guard: MutexGuard<'a, T>, deadline: Instant) -> (MutexGuard<'a, T>, bool) {
        let left = deadline.saturating_duration_since(Instant::now());
        let (guard, result) = self.0.wait_timeout(guard, left).unwrap_or_else(PoisonError::into_inner);
        (guard, result.timed_out())
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}
