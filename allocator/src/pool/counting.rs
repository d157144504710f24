//! Owners beyond the first: how they are counted.
//!
//! A count that several threads change takes a locked instruction each time, which is most of what cloning and dropping
//! an owner costs. As long as only one thread does either in a pool (the [census](super::census) says so), it counts with
//! plain loads and stores, and says when it is about it:
//!
//! ```text
//! the only one: busy = true; still the only one? count += 1; busy = false
//! another one:  census = CHANGING; FENCE everywhere; until nobody is busy: wait; census = MANY; count += 1, locked
//! ```
//!
//! After the fence, either the other one sees `busy`, or the one that was alone sees the census. The wait is for a few
//! instructions of a thread that may have been preempted among them; it happens once in the life of a pool.
//!
//! Owners that are only moved, and those that were never cloned, are not counted: any thread may drop them.

use super::chunk::Chunk;
use super::depot::Cold;
use super::pin::{self, Flag};
use super::slot::Slot;
use super::thread::{self, ThreadState};
use crate::sync::bug;
use crate::sync::plain::{Ordering, compiler_fence};
use std::thread::{sleep, yield_now};
use std::time::Duration;

impl Slot {
    /// One owner more. `chunk` is the slot's.
    #[inline]
    pub(super) fn add_owner(self, chunk: &Chunk) {
        let alone = self
            .more_owners(chunk)
            .and_then(|count| chunk.count_alone(|| count.add_alone()));
        if alone.is_none() {
            self.add_owner_slow();
        }
    }

    #[cold]
    fn add_owner_slow(self) {
        let count = self.more_owners(self.chunk()).unwrap_or_else(|| self.share());
        self.chunk().count(|| count.add_alone(), || count.add());
    }

    /// One owner less, as the only thread that counts. Whether the caller was the last, which then owns the object alone;
    /// `None`, and nothing done, if that cannot be told so fast. `chunk` is the slot's.
    #[inline]
    pub(super) fn remove_owner_alone(self, chunk: &Chunk) -> Option<bool> {
        let count = self.more_owners(chunk)?;
        if count.is_none() {
            return Some(true);
        }
        chunk.count_alone(|| count.leave_alone())
    }

    /// As [`remove_owner_alone`](Self::remove_owner_alone), whoever counts.
    #[cold]
    pub(super) fn remove_owner(self) -> bool {
        let Some(count) = self.more_owners(self.chunk()).filter(|count| !count.is_none()) else {
            return true;
        };
        self.chunk().count(|| count.leave_alone(), || count.leave())
    }
}

impl Chunk {
    /// Changes a count, `alone` if no other thread can meanwhile.
    fn count<R>(&self, alone: impl Fn() -> R, among_many: impl Fn() -> R) -> R {
        if self.counting.is_many() {
            return among_many();
        }
        thread::with(|thread| {
            let depot = self.depot();
            let copies = |cold: &Cold, value| cold.chunks().for_each(|chunk| chunk.counting.set(value));
            depot.enter(thread, &depot.counting, copies, wait_for_counts);
            // Among many also while another thread is still changing the census: this one was alone and counts by locked
            // instructions from here on. The flag is what it takes to be the only one.
            pin::with_flag(thread, |flag| self.count_under(thread, flag, alone)).unwrap_or_else(among_many)
        })
    }

    /// Changes a count if this thread is the only one that counts.
    #[inline]
    fn count_alone<R>(&self, alone: impl FnOnce() -> R) -> Option<R> {
        thread::with(|thread| {
            let flag = thread.flag.get()?;
            // SAFETY: flags are never freed.
            self.count_under(thread, unsafe { flag.as_ref() }, alone)
        })
    }

    #[inline]
    fn is_only_counter(&self, thread: &ThreadState) -> bool {
        self.counting.is_only(thread) || (bug("second_counter_unnoticed") && !self.counting.is_nobody())
    }

    #[inline]
    fn count_under<R>(&self, thread: &ThreadState, flag: &Flag, alone: impl FnOnce() -> R) -> Option<R> {
        flag.counts.store(true, Ordering::Relaxed);
        // The processor may look first, but whoever changes the census drains its store buffer; the compiler must not.
        compiler_fence(Ordering::SeqCst);
        let result = self.is_only_counter(thread).then(alone);
        // Release pairs with `wait_for_counts` (Acquire).
        flag.counts.store(false, Ordering::Release);
        result
    }
}

/// Returns when no thread counts by what it found in a census before.
fn wait_for_counts() {
    for flag in pin::flags() {
        let mut looks = 0;
        // Acquire pairs with `count_under` (Release): the counts are in sight.
        while flag.counts.load(Ordering::Acquire) && !bug("second_counter_not_awaited") {
            looks += 1;
            if looks < 100 {
                yield_now();
            } else {
                // A thread of lower priority would never run on this core.
                sleep(Duration::from_micros(50));
            }
        }
    }
}

#[cfg(all(test, not(acedia_loom)))]
mod tests {
    use super::pin;
    use crate::pool::{Pool, thread};
    use crate::sync::plain::Ordering;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// A second thread does not count before the first, which may be in the middle of it, has said that it is not.
    #[test]
    fn a_second_counter_waits_for_the_first() {
        let pool: Pool<u64> = Pool::new();
        let owner = pool.allocate();
        drop(owner.clone());
        if pool.depot.get().is_some_and(|depot| depot.counting.is_many()) {
            return; // There is no fence for everybody.
        }
        let set_busy = |busy| {
            thread::with(|thread| pin::with_flag(thread, |flag| flag.counts.store(busy, Ordering::Relaxed)));
        };
        set_busy(true);
        std::thread::scope(|scope| {
            let (done, is_done) = channel();
            let owner = &owner;
            scope.spawn(move || {
                let _clone = owner.clone();
                done.send(()).unwrap();
            });
            let early = is_done.recv_timeout(Duration::from_millis(50)).is_ok();
            set_busy(false);
            assert!(!early, "two threads counted at the same time");
            is_done.recv_timeout(Duration::from_secs(60)).expect("waits for ever");
        });
    }
}
