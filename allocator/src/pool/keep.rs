//! Which free objects a pool keeps: the steps of its [limits](super::limit).

use std::ptr::NonNull;

use crate::panics::FirstPanic;
use crate::policy::PoolPolicy;
use crate::pool::depot::Depot;
use crate::pool::life::Life;
use crate::pool::limit::EXACT;
use crate::pool::local::Local;
use crate::pool::slot::Slot;
use crate::pool::stock::{Cells, SMALL};
use crate::pool::{pins, tables, tag};

impl Depot {
    /// Whether every allocation and every free comes to the depot.
    pub(super) fn is_counted(&self) -> bool {
        self.room.bound.is_some() || self.limit.is_exact()
    }

    /// The tag, marked if the pool is counted.
    pub(super) fn marked_tag(&self) -> u64 {
        self.tag | if self.is_counted() { tag::COUNTED } else { 0 }
    }

    /// Makes the cells of an exact limit.
    pub(super) fn prepare_limit(&self) {
        if self.limit.is_exact() {
            self.kept.get_or_init(|| Cells::new(EXACT));
        }
    }

    /// Changes how many free objects are kept: at once in the depot and on this thread, and on another thread when that
    /// thread next allocates from the pool or frees. `mark` receives the tag for the hot path of allocation.
    pub(super) fn set_policy(&self, policy: PoolPolicy, mark: impl FnOnce(u64)) {
        let mut locked = self.locked.lock();
        locked.policy = policy;
        self.limit.set(policy);
        self.prepare_limit();
        // Under the lock, so that of two calls the later one marks last. From here on allocations and frees come to the depot.
        mark(self.marked_tag());
        locked.chunks().for_each(|chunk| chunk.set_counted(self.is_counted()));
        drop(locked);
        // Each step runs, also if user code panics in the one before.
        let mut panics = FirstPanic::new();
        if self.limit.is_exact() {
            panics.catch(|| {
                tables::with(|tables| {
                    if let Some(local) = tables.local(self.tag) {
                        // So that the next allocation looks for free objects.
                        self.locked.lock().take_back_fresh(local);
                        self.empty_local(local);
                    }
                });
            });
            panics.catch(|| self.drain_listed());
        }
        panics.catch(|| self.cut());
        panics.catch(|| self.cut_cells());
        panics.resume();
    }

    /// Applies the limit after an addition to the stock.
    pub(super) fn watch_limit(&self) {
        if self.stock.slots() > self.limit.of_stock() as u64 {
            self.cut();
        }
    }

    /// Drops the free objects of the stock above the limit.
    #[cold]
    fn cut(&self) {
        let mut panics = FirstPanic::new();
        while self.stock.slots() > self.limit.of_stock() as u64 {
            let Some(magazine) = self.stock.pop() else { break };
            for &slot in magazine.slots() {
                panics.catch(|| self.keep_or_drop(slot));
            }
        }
        panics.resume();
    }

    /// Applies a new limit to the objects in cells: those that were freed last stay, in their order.
    fn cut_cells(&self) {
        let Some(kept) = self.kept.get() else { return };
        // All cells, once: one that the limit does not have any more may be full, although the others are not.
        let taken = (0..EXACT).rev().filter_map(|at| kept.take(at));
        let mut slots: Vec<_> = taken.map(Slot::from_raw).collect();
        let mut panics = FirstPanic::new();
        for old in slots.drain(self.limit.get().min(slots.len())..) {
            panics.catch(|| self.drop_object(old));
        }
        for slot in slots.into_iter().rev() {
            panics.catch(|| self.keep_or_drop(slot));
        }
        panics.resume();
    }

    /// Keeps the object of a slot for any thread, or drops it if the limit is reached.
    pub(super) fn keep_or_drop(&self, slot: Slot) {
        if !self.limit.is_exact() {
            if self.stock.slots() < self.limit.get() as u64 {
                self.stock.put(slot);
                return;
            }
        } else if self.keep(slot) {
            return;
        }
        self.drop_object(slot);
    }

    /// Puts a slot into a cell. `false` if all cells of the limit are full.
    fn keep(&self, slot: Slot) -> bool {
        let kept = self.kept.get_or_init(|| Cells::new(EXACT));
        while let Some(at) = kept.push(slot.into_raw(), self.limit.get()) {
            // The limit may have fallen since, and `cut_cells` may have visited the cell before.
            if at < self.limit.get() || !self.take_back(kept, at, slot) {
                return true;
            }
        }
        false
    }

    /// Takes `slot` back from a cell. `false` if another thread has taken it. If it took another slot, that one is dropped.
    fn take_back(&self, kept: &Cells<Life>, at: usize, slot: Slot) -> bool {
        match kept.take(at) {
            Some(found) if found == slot.into_raw() => true,
            Some(other) => {
                self.drop_object(Slot::from_raw(other));
                false
            }
            None => false,
        }
    }

    /// A slot from a cell.
    pub(super) fn take_kept(&self) -> Option<Slot> {
        let taken: NonNull<Life> = self.kept.get()?.pop()?;
        Some(Slot::from_raw(taken))
    }

    /// Moves this thread's lists to the depot: ready slots at once, those in limbo when their readers have left.
    pub(super) fn empty_local(&self, local: &Local) {
        // Each slot gets its place, also if user code panics for the one before.
        let mut panics = FirstPanic::new();
        // The slots in limbo first, because those without readers may become ready here.
        let limbo = local.take_limbo(None).filter(|limbo| limbo.len() > 0);
        if let Some(limbo) = limbo {
            // Pins that begin after this fence see that these lives have ended. So the stamps need to cover older pins only.
            pins::fence_before_look();
            if limbo.len() < SMALL {
                // One by one: a magazine would take more memory than the few slots in it.
                limbo.slots().iter().for_each(|&slot| {
                    panics.catch(|| self.finalize_or_wait(slot));
                });
            } else {
                self.defer_together(limbo);
            }
        }
        if let Some(top) = local.take_top() {
            self.stock.put(top);
        }
        local.take_ready().for_each(|magazine| self.stock.push(magazine));
        panics.catch(|| self.watch_limit());
        panics.resume();
    }

    /// Applies the limit to slots that this thread has kept since before there was a limit.
    pub(super) fn limit_local(&self, local: Option<&Local>) {
        local
            .filter(|local| local.kept() > 0)
            .inspect(|local| self.empty_local(local));
    }
}
