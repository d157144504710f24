//! Placement of an object whose life is over and that has no readers: it is kept for reuse, or dropped.

use crate::panics::{FirstPanic, contain};
use crate::policy::PoolPolicy;
use crate::pool::depot::depot::Depot;
use crate::pool::depot::tables;
use crate::pool::list::local::Local;
use crate::pool::memory::slot::Slot;
use crate::room::{HasRoom, Room};
use crate::sync::plain::Ordering;

/// Handles a slot if user code unwinds while the slot is on no list and its life is over.
///
/// The object's state is unknown, so the object is dropped. The next life of the slot gets a new one.
pub(in crate::pool) struct Abandon(pub(in crate::pool) Slot);

impl Drop for Abandon {
    /// Inlined, so that the slot stays in registers unless there is an unwind.
    #[inline]
    fn drop(&mut self) {
        abandon(self.0);
    }
}

#[cold]
#[inline(never)]
fn abandon(slot: Slot) {
    let depot = slot.depot();
    // A second panic would abort the process, so it is contained. Memory that the object owns is leaked then.
    contain(|| depot.drop_object(slot));
    drop(Admitted(depot));
}

/// Room for one object. Dropped, also during an unwind, it passes to the first that waits for it.
pub(crate) struct Admitted<'a>(pub(in crate::pool) &'a Depot);

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        if self.0.bound.is_some() {
            if let Some(waker) = self.0.with_room(Room::leave) {
                self.0.wake(waker);
            }
        }
    }
}

impl Depot {
    /// Does work on behalf of other callers: a panic is counted and contained.
    pub(in crate::pool) fn contained(&self, work: impl FnOnce()) {
        if !contain(work) {
            self.counts.panics.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Runs the finalizer of an object without readers, and places the slot.
    pub(in crate::pool) fn finalize(&self, slot: Slot) {
        if let Some(end) = self.shape.end {
            let abandon = Abandon(slot);
            // SAFETY: the slot holds an object of this pool's type; its life is over, and it has no readers.
            unsafe { end(slot.object_erased()) };
            std::mem::forget(abandon);
        }
        // Looked up after the finalizer, which may have changed the thread's table.
        tables::with(|tables| self.place(slot, tables.local(self.tag)));
    }

    /// Puts away a slot whose object is finished: kept for reuse, or dropped.
    #[cold]
    pub(in crate::pool) fn place(&self, slot: Slot, local: Option<&Local>) {
        // A worn slot begins no other life.
        if !slot.life().snapshot().has_lives() {
            let admitted = Admitted(self);
            self.drop_object(slot);
            drop(admitted);
            return;
        }
        // The object is finished, so its room is free once it is kept or dropped.
        if self.is_managed() {
            return self.keep_or_drop(slot, Some(Admitted(self)));
        }
        // For this thread, if it has lists.
        if let Some(local) = local {
            if local.push_ready(slot) {
                return;
            }
            // Both magazines are full: the older one goes to the stock, for any thread.
            let full = local.step_back();
            let is_placed = local.push_ready(slot);
            if let Some(full) = full {
                self.stock.push_ready(full);
                self.watch_limit();
            }
            if is_placed {
                return;
            }
        }
        self.keep_or_drop(slot, None);
    }

    /// Keeps the object of a slot or drops it, as the policy says, and then frees its room.
    pub(in crate::pool) fn keep_or_drop(&self, slot: Slot, admitted: Option<Admitted<'_>>) {
        let mut locked = self.locked.lock();
        // Checked under the lock, under which it changes.
        if !self.is_managed() {
            self.stock.put(&[slot]);
            drop(locked);
            return self.watch_limit();
        }
        // Weights come from user code, so without the lock. The limit may be gone when it is taken again.
        let mut bytes = Some(0);
        if let PoolPolicy::KeepBytes(most) = self.counted(&locked) {
            let room = most.saturating_sub(locked.kept.bytes());
            drop(locked);
            bytes = self.weigh(slot, room);
            locked = self.locked.lock();
            if !self.is_managed() {
                return self.stock.put(&[slot]);
            }
        }
        // The room may have been used meanwhile, so the decision is made under the lock.
        let fitting = bytes.filter(|&bytes| match self.counted(&locked) {
            PoolPolicy::KeepBytes(most) => bytes <= most.saturating_sub(locked.kept.bytes()),
            policy => policy.limit().is_none_or(|limit| locked.keeps_fewer_than(limit)),
        });
        if let Some(bytes) = fitting {
            locked.kept.push(slot.index(), bytes);
            // Under the same lock, so that a free takes it once.
            if let (Some(admitted), Some(_)) = (admitted, self.bound) {
                std::mem::forget(admitted);
                let next = locked.room.leave();
                drop(locked);
                if let Some(waker) = next {
                    self.wake(waker);
                }
            }
        } else {
            drop(locked);
            self.drop_object(slot);
        }
    }

    /// The bytes that a free object counts for, with its slot, after it was shrunk to fit into `room` bytes. `None` if its hooks
    /// panic.
    fn weigh(&self, slot: Slot, room: usize) -> Option<usize> {
        let (own, weigh) = (self.shape.stride, self.shape.weigh?);
        let mut weight = None;
        self.contained(|| {
            let room = room.saturating_sub(own);
            // SAFETY: the slot holds an object of this pool's type that has no readers, and no list leads to it.
            weight = Some(unsafe { weigh(slot.object_erased(), room) });
        });
        weight?.checked_add(own)
    }

    /// Drops the object of a slot. The slot's next life needs a new one.
    pub(in crate::pool) fn drop_object(&self, slot: Slot) {
        // The slot is put back also if the drop panics.
        struct Blank<'a>(&'a Depot, Slot);
        impl Drop for Blank<'_> {
            fn drop(&mut self) {
                // A worn slot is on no list; its life word marks it as empty.
                if self.1.life().snapshot().has_lives() {
                    self.0.put_empty(self.1.index());
                } else {
                    self.0.counts.worn.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        self.count_dropped();
        let blank = Blank(self, slot);
        // SAFETY: the slot holds an object that has no readers, and no list leads to it.
        unsafe { (self.shape.drop)(slot.object_erased()) };
        drop(blank);
    }

    /// Drops many objects. After a panic the rest are dropped, too; then the first panic continues.
    pub(in crate::pool) fn drop_all(&self, slots: &[u32]) {
        let mut panics = FirstPanic::new();
        for &index in slots {
            panics.catch(|| self.drop_object(Slot::of_own(index)));
        }
        panics.resume();
    }
}
