//! Enforcement of a pool's limit of kept objects.

use std::mem::take;

use crate::panics::FirstPanic;
use crate::policy::PoolPolicy;
use crate::pool::depot::depot::{Depot, Locked};
use crate::pool::depot::tables;
use crate::pool::list::kept::Kept;
use crate::pool::list::local::Local;
use crate::pool::list::magazine::{Magazine, SMALL};
use crate::pool::memory::slot::Slot;
use crate::pool::reading::pins;
use crate::sync::MutexGuard;
use crate::sync::plain::Ordering;

impl Depot {
    /// Changes how many free objects are kept: at once in the depot and on this thread, and on another thread when that
    /// thread next allocates from the pool or frees. `mark` receives the tag for the hot path of allocation.
    pub(in crate::pool) fn set_policy(&self, policy: PoolPolicy, mark: impl FnOnce(u64)) {
        let mut locked = self.locked.lock();
        locked.policy = policy;
        locked.apply = Some(Self::apply_limit);
        self.judge_limit(&locked);
        // Under the lock, so that of two calls the later one marks last. From here on allocations come to the depot.
        mark(self.marked_tag());
        self.apply_limit(locked);
    }

    /// Compares the limit, if it was far, with what the pool keeps. To be called after each addition to the stock.
    pub(in crate::pool) fn watch_limit(&self) {
        if self.watched.load(Ordering::Relaxed) {
            self.judge_again();
        }
    }

    #[cold]
    pub(in crate::pool) fn judge_again(&self) {
        let locked = self.locked.lock();
        let before = self.is_managed();
        self.judge_limit(&locked);
        if let Some(apply) = locked.apply.filter(|_| self.is_managed() != before) {
            self.contained(|| apply(self, locked));
        }
    }

    /// Marks the chunks according to the judgement, and applies the limit.
    pub(in crate::pool) fn apply_limit(&self, mut locked: MutexGuard<'_, Locked>) {
        // First the marks, which send the frees of all threads to the depot, too.
        let managed = self.is_managed();
        locked.chunks().for_each(|chunk| chunk.set_managed(managed));
        // A pool that is no longer managed keeps its objects in the stock, as before the limit.
        let mut unlimited = if managed {
            Kept::default()
        } else {
            take(&mut locked.kept)
        };
        drop(locked);
        // Outside the lock, because there may be many.
        for index in unlimited.take_all() {
            self.stock.put(&[Slot::of_own(index)]);
        }
        // Another thread may have set a limit meanwhile, and found none of these.
        if self.is_managed() {
            // Each step runs, also if user code panics in the one before.
            let mut panics = FirstPanic::new();
            panics.catch(|| {
                tables::with(|tables| {
                    if let Some(local) = tables.local(self.tag) {
                        // So that the next allocation looks for free objects.
                        self.locked.lock().take_back_fresh(local);
                        self.empty_local(local);
                    }
                });
            });
            // Then the stock, the pool's limbo, and what was kept before.
            panics.catch(|| self.absorb());
            panics.catch(|| self.drain_listed());
            panics.catch(|| self.cut());
            panics.resume();
        }
    }

    /// Applies the limit to the slots in the depot.
    pub(in crate::pool) fn absorb(&self) {
        let mut panics = FirstPanic::new();
        while let Some(magazine) = self.is_managed().then(|| self.stock.pop_ready()).flatten() {
            for &slot in magazine.slots() {
                panics.catch(|| self.keep_or_drop(slot, None));
            }
        }
        panics.resume();
    }

    /// Drops the objects freed longest ago, down to the limit. Under a limit of bytes, weighs all objects.
    fn cut(&self) {
        // Taken from the list under the lock, so that no other thread can have them.
        let (surplus, unweighed) = {
            let mut locked = self.locked.lock();
            // Weights may be unknown if another limit was in force, so a limit of bytes begins with an empty list.
            let kept = locked.kept.len();
            match self.counted(&locked) {
                PoolPolicy::KeepBytes(_) => (Vec::new(), locked.kept.take_all()),
                policy => {
                    let surplus = kept.saturating_sub(policy.limit().unwrap_or(usize::MAX));
                    (locked.kept.take_first(surplus), Vec::new())
                }
            }
        };
        // Drops and weights are user code, so they run without the lock.
        let mut panics = FirstPanic::new();
        panics.catch(|| self.drop_all(&surplus));
        // The others return to the list one by one, as far as there is room.
        for index in unweighed {
            panics.catch(|| self.keep_or_drop(Slot::of_own(index), None));
        }
        panics.resume();
    }

    /// Moves this thread's lists to the depot: ready slots at once, those in limbo when their readers have left.
    pub(in crate::pool) fn empty_local(&self, local: &Local) {
        if let Some(top) = local.take_top() {
            self.stock.put(&[top]);
        }
        local.take_ready().for_each(|magazine| self.take_over(magazine));
        if local.limbo_len() > 0 {
            // Pins that begin after this fence see that these lives have ended. So the stamps need to cover older pins only.
            pins::fence_before_look();
            local
                .take_limbo(None)
                .into_iter()
                .for_each(|limbo| self.defer_together(limbo));
        }
        if self.is_managed() {
            self.absorb();
        }
        self.watch_limit();
    }

    /// Takes a thread's ready slots. Few slots are taken without their magazine, which may be larger than their objects.
    fn take_over(&self, magazine: Box<Magazine>) {
        if magazine.len() < SMALL {
            self.stock.put(magazine.slots());
        } else {
            self.stock.push_ready(magazine);
        }
    }

    /// Applies the limit to slots that this thread has kept since before there was a limit.
    pub(in crate::pool) fn limit_local(&self, local: Option<&Local>) {
        local
            .filter(|local| local.kept() > 0)
            .inspect(|local| self.empty_local(local));
    }
}
