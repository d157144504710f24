//! Bringing a pool under its limit of kept objects.

use crate::panics::FirstPanic;
use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables;
use crate::pool::list::local::Local;
use crate::pool::list::magazine::{FEW, Magazine};
use crate::pool::list::policy::PoolPolicy;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::flags;
use crate::sync::bug;
use crate::sync::plain::Ordering;

impl Depot {
    /// Changes how many free objects are kept. Takes effect at once for what the depot and this thread hold, and on each
    /// other thread when it next allocates from the pool or frees. `mark` gets the tag for the hot path of allocation.
    pub(in crate::pool) fn set_policy(&self, policy: PoolPolicy, bounded: bool, mark: impl FnOnce(u64)) {
        let managed = bounded || policy != PoolPolicy::KeepAll;
        {
            let mut cold = self.cold.lock();
            cold.policy = policy;
            self.managed.store(managed, Ordering::Relaxed);
            mark(self.marked_tag());
            cold.chunks().for_each(|chunk| chunk.set_managed(managed));
        }
        if managed {
            let mut panics = FirstPanic::new();
            panics.catch(|| {
                tables::with(|tables| {
                    if let Some(local) = tables.local(self.tag) {
                        self.empty_local(local);
                    }
                });
            });
            panics.catch(|| self.absorb());
            panics.catch(|| self.trim());
            panics.resume();
        }
    }

    /// Brings what lies in the depot under the limit.
    pub(in crate::pool) fn absorb(&self) {
        let mut panics = FirstPanic::new();
        while let Some(magazine) = self.is_managed().then(|| self.stock.pop_ready()).flatten() {
            magazine
                .slots()
                .for_each(|slot| _ = panics.catch(|| self.keep_or_drop(slot)));
        }
        while let Some((magazine, _)) = self.stock.pop_limbo() {
            magazine
                .slots()
                .for_each(|slot| _ = panics.catch(|| self.finish_or_defer(slot)));
        }
        panics.resume();
    }

    /// Drops the objects freed longest ago until the limit is kept.
    fn trim(&self) {
        let surplus: Vec<u32> = {
            let mut cold = self.cold.lock();
            let limit = cold.policy.limit().unwrap_or(usize::MAX);
            let surplus = cold.kept.len().saturating_sub(limit);
            cold.kept.drain(..surplus).collect()
        };
        self.drop_all(&surplus);
    }

    /// Moves this thread's lists to the depot: ready slots at once, freed ones when their readers have left.
    pub(in crate::pool) fn empty_local(&self, local: &Local) {
        local.take_ready().for_each(|magazine| self.take_over(magazine));
        let freed = local.take_freed(self.stock.empty());
        if bug("exit_loses_freed") {
            return;
        }
        if bug("exit_without_wait") {
            self.stock.push_ready(freed);
        } else if freed.len() > 0 {
            flags::fence_before_look();
            self.stock.push_limbo(freed, flags::stamp());
        }
        if self.is_managed() {
            self.absorb();
        }
    }

    /// Takes what a thread had ready: a few slots without their magazine, which is larger than many an object.
    fn take_over(&self, mut magazine: Box<Magazine>) {
        if magazine.len() < FEW && !bug("exit_leaves_magazines") {
            let mut cold = self.cold.lock();
            // Under the lock, as it changes. What a limit has no room for goes where `absorb` looks.
            if !self.is_managed() {
                cold.kept.extend(magazine.slots().map(Slot::index));
                self.any_kept.store(true, Ordering::Relaxed);
                drop(cold);
                magazine.skip(magazine.len());
                return self.stock.keep_empty(magazine);
            }
        }
        self.stock.push_ready(magazine);
    }

    /// Brings what this thread keeps from before there was a limit under it.
    pub(in crate::pool) fn obey_limit(&self, local: Option<&Local>) {
        local
            .filter(|local| local.kept() > 0)
            .inspect(|local| self.empty_local(local));
    }
}
