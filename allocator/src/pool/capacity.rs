//! How many objects of a bounded pool are in use, and who waits for room.
//!
//! ```text
//! waits:  waiters += 1; in use < most? → in use += 1    leaves:  in use -= 1; waiters? → wake one
//!                       else sleep
//! ```
//!
//! Each side changes its own word and then looks at the other's, so either the waiter sees the room or it is woken.

use std::time::Instant;

use crate::sync::plain::Ordering;
use crate::sync::{AtomicUsize, Condvar, Mutex, MutexGuard, bug};

/// How long to wait for room in a bounded pool.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wait {
    Not,
    Until(Instant),
    ForEver,
}

/// A pool's limit of objects in use, if it has one.
pub(super) struct Capacity {
    most: Option<usize>,
    /// Counted only under a limit.
    in_use: AtomicUsize,
    waiters: AtomicUsize,
    lock: Mutex<()>,
    room: Condvar,
}

impl Capacity {
    pub(super) fn new(most: Option<usize>) -> Self {
        Self {
            most,
            in_use: AtomicUsize::new(0),
            waiters: AtomicUsize::new(0),
            lock: Mutex::new(()),
            room: Condvar::new(),
        }
    }

    /// Counts an object in, waiting for room as long as `wait` says. The limit if there was none in that time.
    ///
    /// `finish` makes room of what has waited for readers until now.
    pub(super) fn enter(&self, wait: Wait, finish: impl Fn()) -> Result<(), usize> {
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
        /// Short naps, because a pin that ends elsewhere does not signal.
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

    /// As above, without a clock: in a model, a waiter that nobody wakes sleeps for ever.
    #[cfg(acedia_loom)]
    fn nap(&self, lock: &mut MutexGuard<'_, ()>, _deadline: Option<Instant>, _finish: impl Fn()) -> bool {
        self.room.wait(lock);
        true
    }

    /// Counts an object out.
    pub(super) fn leave(&self) {
        if self.most.is_some() {
            self.in_use.fetch_sub(1, change_of_room());
            fence_of_models();
            if self.waiters.load(look_for_room()) != 0 && !bug("waiter_not_woken") {
                // A waiter that has seen no room sleeps before this is through.
                if !bug("woken_without_lock") {
                    drop(self.lock.lock());
                }
                self.room.notify_one();
            }
        }
    }
}

/// For the objects in use and the waiters. `SeqCst`: each side changes its own word and then looks at the other's, so a
/// waiter that sees no room is seen by whoever makes some (Dekker's pattern).
fn change_of_room() -> Ordering {
    if bug("acq_rel_change_of_room") {
        Ordering::AcqRel
    } else {
        Ordering::SeqCst
    }
}

/// The other half; see [`change_of_room`].
fn look_for_room() -> Ordering {
    if bug("acquire_look_for_room") {
        Ordering::Acquire
    } else {
        Ordering::SeqCst
    }
}

/// loom does not order `SeqCst` accesses, only fences; the language and all hardware need no fence here.
fn fence_of_models() {
    #[cfg(acedia_loom)]
    if !bug("waiter_unseen") {
        crate::sync::fence(Ordering::SeqCst);
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod litmus_tests {
    //! What the language guarantees for the two orderings, where loom cannot tell.

    use super::{Ordering, change_of_room, look_for_room};
    use crate::litmus::Access::{Add, Load};
    use crate::litmus::{Word, outcomes};

    /// Whether a waiter may see no room (0) although whoever made some saw no waiter.
    fn misses_room(change: Ordering, look: Ordering) -> bool {
        const WAITERS: Word = 0;
        const ROOM: Word = 1;
        let waiter = [Add(WAITERS, 1, change), Load(ROOM, look)];
        let leaver = [Add(ROOM, 1, change), Load(WAITERS, look)];
        let outcomes = outcomes(&[&waiter, &leaver]);
        assert!(outcomes.contains(&vec![0, 1, 0, 1]), "{outcomes:?}");
        outcomes.contains(&vec![0, 0, 0, 0])
    }

    #[test]
    fn waiter_and_leaver_see_each_other() {
        assert!(!misses_room(change_of_room(), look_for_room()));
        // And nothing less will do.
        assert!(misses_room(Ordering::AcqRel, Ordering::SeqCst));
        assert!(misses_room(Ordering::SeqCst, Ordering::Acquire));
    }
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! Waiting for room in a bounded pool.

    use crate::pool::Pool;
    use crate::pool::models::{BEGUN, Beginning, Payload, both, model, saw};

    fn allocate(pool: &Pool<Payload, Beginning>) {
        let (owner, how) = match pool.try_allocate() {
            Ok(owner) => (owner, "at once"),
            Err(_) => (pool.allocate_waiting(None).unwrap(), "waited"),
        };
        assert_eq!(owner.read(), BEGUN);
        saw(how);
    }

    /// Who waits is woken by whoever makes room.
    #[test]
    fn room_for_a_waiter() {
        model(&["at once", "waited"], || {
            let pool = Pool::with_hooks().bounded(1);
            let owner = pool.allocate();
            both(|| drop(owner), || allocate(&pool));
            assert_eq!(pool.stats().live, 0);
        });
    }

    /// Of two that wait, one wakes the other.
    #[test]
    fn room_for_two_waiters() {
        model(&["at once", "waited"], || {
            let pool = Pool::with_hooks().bounded(1);
            let owner = pool.allocate();
            both(|| both(|| drop(owner), || allocate(&pool)), || allocate(&pool));
            assert_eq!(pool.stats().live, 0);
        });
    }
}
