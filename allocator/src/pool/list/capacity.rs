//! The number of objects in use of a bounded pool, and the threads that wait for room.
//!
//! ```text
//! waits:  waiters += 1; in use < most? → in use += 1    leaves:  in use -= 1; waiters? → wake one
//!                       else sleep
//! ```
//!
//! Each side changes its own word and then loads the other's. So either the waiter sees the room, or it is woken.

use std::time::Instant;

use crate::sync::plain::Ordering;
use crate::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, bug};

/// How long to wait for room in a bounded pool.
#[derive(Clone, Copy, Debug)]
pub(in crate::pool) enum Wait {
    Not,
    Until(Instant),
    ForEver,
}

/// A pool's limit of objects in use, if it has one.
pub(in crate::pool) struct Capacity {
    most: Option<usize>,
    /// Counted only under a limit.
    in_use: AtomicUsize,
    waiters: AtomicUsize,
    lock: Mutex<()>,
    room: Condvar,
}

impl Capacity {
    pub(in crate::pool) fn new(most: Option<usize>) -> Self {
        Self {
            most,
            in_use: AtomicUsize::new(0),
            waiters: AtomicUsize::new(0),
            lock: Mutex::new(()),
            room: Condvar::new(),
        }
    }

    /// Counts an object in. Waits for room as long as `wait` says. Returns the limit if there was no room in that time.
    ///
    /// `finish` makes room by finishing the objects that have waited for readers until now.
    pub(in crate::pool) fn enter(&self, wait: Wait, finish: impl Fn()) -> Result<(), usize> {
        let Some(most) = self.most else { return Ok(()) };
        if self.try_enter(most) {
            return Ok(());
        }
        finish();
        let entered = match wait {
            Wait::Not => self.try_enter(most),
            Wait::Until(deadline) => self.wait(most, Some(deadline), finish),
            Wait::ForEver => self.wait(most, None, finish),
        };
        entered.then_some(()).ok_or(most)
    }

    fn try_enter(&self, most: usize) -> bool {
        self.in_use
            .fetch_update(change_of_room(), look_for_room(), |n| (n < most).then_some(n + 1))
            .is_ok()
    }

    fn wait(&self, most: usize, deadline: Option<Instant>, finish: impl Fn()) -> bool {
        let mut lock = self.lock.lock();
        self.waiters.fetch_add(1, change_of_room());
        fence_of_models();
        let entered = loop {
            if self.try_enter(most) {
                break true;
            }
            if !self.nap(&mut lock, deadline, &finish) {
                break false;
            }
        };
        self.waiters.fetch_sub(1, change_of_room());
        entered
    }

    /// Sleeps until there may be room. `false` if the time is over.
    #[cfg(not(acedia_loom))]
    fn nap(&self, lock: &mut MutexGuard<'_, ()>, deadline: Option<Instant>, finish: impl Fn()) -> bool {
        /// Short naps, because the end of a pin on another thread sends no signal.
        const NAP: std::time::Duration = std::time::Duration::from_millis(10);
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            return false;
        }
        let nap = deadline.map_or(NAP, |deadline| NAP.min(deadline - now));
        if self.room.wait_for(lock, nap).timed_out() {
            MutexGuard::unlocked(lock, finish);
        }
        true
    }

    /// As above, without a clock: in a model, a waiter that is not woken sleeps for ever.
    #[cfg(acedia_loom)]
    fn nap(&self, lock: &mut MutexGuard<'_, ()>, _deadline: Option<Instant>, _finish: impl Fn()) -> bool {
        self.room.wait(lock);
        true
    }

    /// Counts an object out.
    pub(in crate::pool) fn leave(&self) {
        if self.most.is_some() {
            self.in_use.fetch_sub(1, change_of_room());
            fence_of_models();
            if self.waiters.load(look_for_room()) != 0 && !bug("waiter_not_woken") {
                // Once this lock is taken, every waiter that saw no room is asleep.
                if !bug("woken_without_lock") {
                    drop(self.lock.lock());
                }
                self.room.notify_one();
            }
        }
    }
}

/// For the objects in use and the waiters. `SeqCst`: each side changes its own word and then loads the other's
/// (Dekker's pattern). So a thread that makes room sees every waiter that saw no room.
fn change_of_room() -> Ordering {
    Ordering::SeqCst
}

/// The other half; see [`change_of_room`].
fn look_for_room() -> Ordering {
    Ordering::SeqCst
}

/// loom does not order `SeqCst` accesses, only fences; the language and all hardware need no fence here.
fn fence_of_models() {
    #[cfg(acedia_loom)]
    if !bug("waiter_unseen") {
        crate::sync::fence(Ordering::SeqCst);
    }
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod litmus;
