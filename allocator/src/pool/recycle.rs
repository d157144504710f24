//! From the end of a life to the slot's next life.
//!
//! ```text
//! life ended ─► may it still be read? ──────────── no ──────────► END ─► put_away: kept for reuse, or dropped for a limit
//!                │ no finalizer    │ a finalizer, or counted       ▲
//!                ▼                 ▼                               │
//!       thread's limbo ──full, a pin remains──► pool's limbo, with a stamp ──► every pin is newer ─► guards? ─► CLOSED bit: the last one does it
//!                └── no pin, no guard, at an allocation ──► ready again  └── slots that wait together ──► stock (a single one by END: ready)
//!
//! an allocation without a ready slot:
//!
//! pool's limbo, no pin protects them any more (singly: ready; together: stock)
//!   ─► previous magazine ─► limbo of this thread ─► the stock ─► without an object: own, of the pool, of a new chunk
//! ```
//!
//! If all these lists are empty, the thread skips the search and takes one of its own slots without an object (`Pool::make_new`).
//!
//! # A free under a pin
//!
//! A thread drops the last owner of an object that has a handle, while another thread holds a pin. Functions that are named without a file
//! are in this file.
//!
//! 1. *The life ends.* [`free`] finds this thread's lists for the pool, and calls `Life::end` (`life.rs`), which stores the number of the next
//!    life in the slot. A look at the pins follows, after a fence (step 4, or at once in `finalize_or_wait`). Under a pin whose fence comes after
//!    that fence, every handle of the object is stale. The look sees each pin whose fence came before.
//! 2. *May another thread read it?* [`finish_in`] calls `is_unpinned` (`pins.rs`), which loads the domain's mode. It returns `false`,
//!    because another thread has pinned. The slot would be ready now, if no other thread had ever pinned in the domain or made a guard in this
//!    pool (`is_unguarded`), and if this thread held no pin, and no guard of this object.
//! 3. *The slot waits in this thread's limbo* (`Local::push_limbo`), without a fence and without a stamp.
//! 4. *This thread looks at the pins*, for all slots of its limbo with one fence and one scan of the flags (`Pins::may_read` in `pins.rs`): when
//!    an allocation has no ready slot (`refill`; while it has fresh slots, only from `look_at` slots in limbo on), or when a free finds the limbo
//!    full, with 255 slots (`empty_limbo`). If no thread is pinned, the slots without a guard become ready. Otherwise `refill` leaves them, and
//!    `empty_limbo` moves their magazine to the pool's limbo, with a stamp (`wait_together`; `Limbo::push` in `stock.rs`). A collection by this
//!    thread, `prewarm`, a change of the limit and the thread's end move them, too (`empty_local`).
//! 5. *The pins have ended.* An allocation without a ready slot, a collection, or the end of a pin that comes for a single slot takes the
//!    entries whose stamps are older than every pin (`drain_within`; `Limbo::take` in `stock.rs`). `release_together` puts their slots without
//!    a guard into the stock, for any thread. The end of a pin stores 0 in its flag (`Flag::end` in `pins.rs`, Release), and the scan loads it
//!    (Acquire): every read under the pin happens before this thread's push into the stock, and so before the pop by the thread that reuses
//!    the slot (`stock.rs`).
//! 6. *The next life* begins in `prepare` (`allocate.rs`), in a slot that was ready, or that `find_recycled` took out of a list. The first handle
//!    makes it visible (`Owned::handle` in `owned.rs`), or `prepare` does, if `H::VISIBLE`.
//!
//! # Other paths
//!
//! * An object with a finalizer, an object of a counted pool (one with an exact limit or a bound), and a slot in its last life skip steps 3
//!   and 4. `finalize_or_wait` looks at the pins at once, and under a pin `wait_singly` puts the slot into the pool's limbo, and the pool into
//!   the list of its domain. The thread that ends the last older pin (`Participant::withdraw` in `pins.rs`) finds the pool there, and calls
//!   `drain_passed`. `finalize_after_pins` runs the finalizer, and `put_away` keeps the slot for that thread, puts it into the stock, or drops
//!   its object for a limit. If the pin ends while the pool is being added, its thread may miss the pool (`Pins::is_wait_over`): the next end
//!   of a pin, a collection, or an allocation without a ready slot finds it.
//! * If an owner was cloned in the chunk, `drop_share` checks the count of owners first, and only the last owner ends the life. A free in
//!   a pool other than that of the thread's last allocation also goes through `drop_share`; `finish` then finds the lists in the thread's
//!   table.
//! * If the thread has no lists for the pool, `end_slowly` makes them. If a thread ends before its limbo is full, `detach` moves the slots
//!   to the pool's limbo, with a stamp: as one magazine, or, if they are fewer than `SMALL` (an eighth of a magazine), singly and only if a
//!   thread is pinned.
//!
//! # A guard in addition to the pin
//!
//! A guard joins the pool's census, counts itself in the guard word, and then compares the life (`Guard::of_found` in `guard.rs`). A free
//! looks at the pins first. Once they have ended, `finalize_after_pins` (a slot that waited singly) or `leave_to_guards` (a slot of a
//! magazine, or during the free itself if there was no pin) looks at the guard word. If a guard is counted, the function sets the bit CLOSED
//! (`Guards::close` in `life.rs`): the slot is on no list, and the drop of the last guard finds the bit (`Guards::leave`), runs the finalizer,
//! and puts the slot away. If the guard ended before the pins, it finishes nothing. Of `close` and the last `leave`, the one that comes second
//! finds the other's change. If a guard that came too late to find the life has counted itself meanwhile, its `leave` may be the last one. The
//! thread that changes the word from CLOSED alone to 0 (`Guards::claim`) finishes the object, and leaves the word as the next life needs it.
//! No thread waits for another.
//!
//! # Locks and user code
//!
//! Only these steps take a lock: taking a slot without an object or putting one back (`take_empty`, `put_empty`), a thread's first and last
//! use of the pool (`attach`, `detach`), a change of the limit (`set_policy`), and the first pins and guards of a thread
//! (`Threads::include` in `pins.rs`). User code (finalizers, drops) runs here with no lock held and no list half changed.
//!
//! The last functions of the file decide which free objects a pool keeps under its
//! [limits](super::depot::Limit).

use std::cell::Cell;
use std::ptr::NonNull;

use crate::AllocateError;
use crate::hint::likely;
use crate::panics::{FirstPanic, contain};
use crate::policy::PoolPolicy;
use crate::pool::chunk::{self, Chunk, Shape, Slot};
use crate::pool::depot::{Depot, EXACT, Refused};
use crate::pool::handle::SLOT_BITS;
use crate::pool::hooks::{Erased, Hooks};
use crate::pool::life::{Ended, Life};
use crate::pool::local::Local;
use crate::pool::pins::{Stamp, Waiter};
use crate::pool::stock::{Cells, Magazine, SMALL, Taken, Waiting};
use crate::pool::tables::Tables;
use crate::pool::{pins, tables, threads};
use crate::sync::{Ordering, thread_static};

/// Ends a life if the caller was its last owner.
///
/// A separate function in which every exit is a tail call, so that it needs no stack frame.
#[inline(never)]
pub(super) fn free<T: 'static, H: Hooks<T>>(slot: Slot) {
    let chunk = slot.chunk_of::<T>();
    // Read before the tag: otherwise the compiler computes the address of the chunk twice.
    let depot = Depot::of_chunk(chunk);
    // The tag names the pool. If an owner was cloned in the chunk, the tag is marked and equals no pool's tag: the life may have other owners, so
    // it is not ended here. The tag is also marked if the pool is counted (it has an exact limit or a bound): all its frees go to the depot.
    let tag = chunk.tag();
    // The lists of the thread's last allocation, if it was in this pool. `end` leaves the slot without a visible life and on no list, so that
    // this thread alone can begin the next one. Threads that have found the life before may still be reading.
    tables::with(|tables| match tables.last(tag) {
        Some(local) => finish_in::<T, H>(slot, depot, slot.life().end(), local),
        None => drop_share::<T, H>(slot, tag),
    });
}

/// Drops the share of an owner if owners were cloned in the chunk, if the pool is counted, or if it is not the pool of this thread's last
/// allocation.
#[inline(never)]
fn drop_share<T: 'static, H: Hooks<T>>(slot: Slot, tag: u64) {
    // Without the mark, no owner in the chunk was ever cloned, and this one is the only one. With it, the count decides: of several owners
    // that are dropped at the same time, the last one to subtract ends the life.
    if tag & chunk::SHARED == 0 || slot.chunk_of::<T>().more_owners(slot.index()).remove() {
        finish::<T, H>(slot, slot.life().end());
    }
}

/// # Safety
/// The caller gives up a share in the ownership of the object in slot `index`, which is of a pool of `T` and `H`.
pub(super) unsafe fn drop_owner<T: 'static, H: Hooks<T>>(index: u32) {
    free::<T, H>(Slot::of_own_in::<T>(index));
}

/// Finishes an ended life, whose slot is on no list: puts it among this thread's ready ones, if no thread can be reading the object, and
/// otherwise where it waits.
#[expect(
    clippy::inline_always,
    reason = "else the compiler makes it one more function, and a life takes four instructions more"
)]
#[inline(always)]
pub(super) fn finish_in<T, H: Hooks<T>>(slot: Slot, depot: &Depot, ended: Ended, local: &Local) {
    match ended {
        // No handle was made, so no other thread can have looked the object up; or the caller borrows the pool mutably (`Life::end_alone`).
        Ended::Unseen => {}
        // Another thread may have looked it up before the life ended. `is_unpinned`: no other thread has ever pinned in the domain, and this one
        // holds no pin. `is_unguarded`: no other thread has ever made a guard in the pool, and this one has none of the object. Both only load.
        // If another thread pins or guards for the first time after these loads, it executes a fence on this thread before it reads, and so finds
        // the life ended. If it did so earlier, the loads find that out, and the slot waits.
        Ended::Seen => {
            // `is_unpinned` comes first, because it keeps the compiler from moving either check before the end of the life.
            if !(pins::is_unpinned::<H::Readers>() && depot.is_unguarded(slot)) {
                // An object with a finalizer waits singly, so that the end of a pin finds it. Others wait in the thread's limbo, where one
                // fence serves all of them. No other thread looks for them there, so the drop of the owner ends here. If this limbo is full,
                // or has no magazine yet, `end_slowly` makes room.
                if Erased::<T, H>::END.is_some() || !local.push_limbo(slot) {
                    end_slowly(slot, Ended::Seen);
                }
                return;
            }
        }
        // A worn slot goes on no list of free slots.
        Ended::Worn => return end_slowly(slot, Ended::Worn),
    }
    if let Some(end) = Erased::<T, H>::END {
        let abandon = Abandon(slot);
        // SAFETY: the slot holds a `T`; its life is over, and it has no readers.
        unsafe { end(slot.object::<T>().as_ptr().cast()) };
        std::mem::forget(abandon);
    }
    // The next allocation of this thread takes it.
    if !local.push_ready(slot) {
        put_away(slot);
    }
}

/// Finishes the life that the object's only owner has ended.
pub(super) fn finish<T: 'static, H: Hooks<T>>(slot: Slot, ended: Ended) {
    // The look-up ignores SHARED, because the life has ended and the owner count no longer matters. COUNTED stays, so that in a counted
    // pool the look-up finds no lists, and the slot goes to the depot.
    let chunk = slot.chunk_of::<T>();
    tables::with(|tables| match tables.local(chunk.tag() & !chunk::SHARED) {
        Some(local) => finish_in::<T, H>(slot, Depot::of_chunk(chunk), ended, local),
        None => end_slowly(slot, ended),
    });
}

#[cold]
#[inline(never)]
pub(super) fn end_slowly(slot: Slot, ended: Ended) {
    tables::with(|tables| Depot::of_slot(&slot).end_slowly(slot, ended, tables));
}

/// Puts away a slot whose object is finished and for which the hot path has no room.
#[cold]
#[inline(never)]
pub(super) fn put_away(slot: Slot) {
    let depot = Depot::of_slot(&slot);
    tables::with(|tables| depot.put_away(slot, tables.local(depot.tag)));
}

/// Puts away the slot of a value of the pool of `tag`. The value was or will be taken out, after the end of its life.
#[inline]
pub(super) fn put_away_value(tag: u64, slot: Slot, ended: Ended) {
    // After `Worn` the slot begins no other life.
    if ended == Ended::Unseen {
        // The caller has made sure that no thread reads.
        let is_ready = tables::with(|tables| {
            let local = tables.last(tag).or_else(|| tables.cached(tag));
            local.is_some_and(|local| local.push_ready(slot))
        });
        if is_ready {
            return;
        }
    }
    put_away(slot);
}

/// Handles a slot if user code unwinds while the slot is on no list and its life is over.
///
/// The object's state is unknown, so the object is dropped. The next life of the slot gets a new one.
pub(super) struct Abandon(pub(super) Slot);

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
    let depot = Depot::of_slot(&slot);
    // A second panic would abort the process, so it is contained. Memory that the object owns is leaked then.
    contain(|| depot.drop_object(slot));
    depot.room.leave();
}

/// Releases the capacity of one object when dropped, even by an unwind.
pub(super) struct Leave<'a>(pub(super) &'a Depot);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.room.leave();
    }
}

// The end of a life.
impl Depot {
    /// Finishes a life that the hot path could not finish: see the diagram of the [module](self).
    fn end_slowly(&self, slot: Slot, ended: Ended, tables: &Tables) {
        // A thread that only frees has lists, too: full magazines go to threads that allocate.
        let local = self.lists(tables);
        // Checked again, because a caller without lists has not checked. An object that was never visible has no readers
        // to wait for.
        let is_alone = || (self.shape.is_unpinned)() && self.is_unguarded(slot);
        if ended == Ended::Unseen || is_alone() {
            self.finalize(slot);
        } else if ended == Ended::Seen && self.shape.finalizer.is_none() && !self.is_counted() {
            // Without a finalizer, the slot waits with others, and needs no fence now. A slot in its last life does not, because slots
            // that wait together become ready again. In a counted pool a slot waits singly, so that the end of a pin releases its
            // capacity.
            self.wait_with_others(slot, local);
        } else {
            self.finalize_or_wait(slot);
        }
        if self.limit.is_exact() {
            // Last, because this runs user code, too. The lists are looked up again, because user code may have changed
            // the thread's table.
            contain(|| self.limit_local(tables.local(self.tag)));
        }
    }

    /// Runs the finalizer of an object without readers, and places the slot.
    fn finalize(&self, slot: Slot) {
        if let Some(end) = self.shape.finalizer {
            let abandon = Abandon(slot);
            // SAFETY: the slot holds an object of this pool's type; its life is over, and it has no readers.
            unsafe { end(slot.object_erased()) };
            std::mem::forget(abandon);
        }
        // Looked up after the finalizer, which may have changed the thread's table.
        tables::with(|tables| self.put_away(slot, tables.local(self.tag)));
    }

    /// Like [`finalize`](Self::finalize), but for an object that another caller freed: a panic is contained.
    #[cold]
    pub(super) fn finalize_contained(&self, slot: Slot) {
        // Counted by `wait_singly`, `wait_together` or `leave_to_guards`.
        self.count_waited(1);
        contain(|| self.finalize(slot));
    }

    /// Puts away a slot whose object is finished: kept for reuse, or dropped.
    #[cold]
    pub(super) fn put_away(&self, slot: Slot, local: Option<&Local>) {
        // The object is finished, so its capacity is released once the object is kept or dropped, even by an
        // unwind.
        let _leave = Leave(self);
        // A worn slot begins no other life, and is put on no list.
        if !slot.life().snapshot().has_lives() {
            return self.drop_object(slot);
        }
        // Kept for this thread, if it has lists and the limit is not exact.
        if let (Some(local), false) = (local, self.limit.is_exact()) {
            if !local.push_ready(slot) {
                // The magazine in use is full, or there is none. If the previous one has slots, it goes to the stock, for any thread.
                let full = local.step_back();
                local.push_ready(slot);
                if let Some(full) = full {
                    self.stock.push(full);
                    self.watch_limit();
                }
            }
            return;
        }
        self.keep_or_drop(slot);
    }

    /// Drops the object of a slot. The slot's next life needs a new one.
    pub(super) fn drop_object(&self, slot: Slot) {
        // The slot is put back even if the drop panics.
        struct Blank<'a>(&'a Depot, Slot);
        impl Drop for Blank<'_> {
            fn drop(&mut self) {
                // A worn slot is on no list; its life word marks it as empty.
                if self.1.life().snapshot().has_lives() {
                    self.0.put_empty(&[self.1.index()]);
                }
            }
        }
        // Counted first: while its drop runs, the object is neither living nor kept.
        self.count_dropped(1);
        let blank = Blank(self, slot);
        // SAFETY: the slot holds an object that has no readers, and no list leads to it.
        unsafe { (self.shape.drop)(slot.object_erased()) };
        drop(blank);
    }

    /// Drops many objects, in the order of their slots. After a panic the rest are dropped, too; then the first panic continues.
    pub(super) fn drop_all(&self, slots: &[u32]) {
        let mut panics = FirstPanic::new();
        // The lock is taken once per chunk, after the drops, which are user code.
        for of_chunk in slots.chunk_by(|a, b| a >> SLOT_BITS == b >> SLOT_BITS) {
            // As in `drop_object`.
            self.count_dropped(of_chunk.len() as u64);
            for &index in of_chunk {
                // SAFETY: as in `drop_object`.
                panics.catch(|| unsafe { (self.shape.drop)(Slot::of_own(index).object_in(self.shape)) });
            }
            // All slots have lives: a worn one is on no list.
            self.put_empty(of_chunk);
        }
        panics.resume();
    }
}

// The thread's own limbo: slots without a finalizer, and without a stamp.
impl Depot {
    /// Keeps an object without a finalizer until its readers have left.
    fn wait_with_others(&self, slot: Slot, local: Option<&Local>) {
        let Some(local) = local else {
            return self.finalize_or_wait(slot);
        };
        if local.push_limbo(slot) {
            return;
        }
        // The limbo is full, or has no magazine yet. The slot first goes into an empty magazine, because the rest may
        // run user code.
        let full = local.take_limbo(Some(Magazine::new()));
        local.push_limbo(slot);
        if let Some(full) = full {
            self.empty_limbo(local, full);
        }
    }

    /// Turns the thread's slots in limbo into ready ones, if no thread is pinned.
    fn refill(&self, local: &Local) {
        // This thread ended all lives in its limbo, before the fence of `may_read`. A pin that the scan misses has a later fence, and
        // finds them ended. One that the scan finds may have begun after these lives ended: without a stamp, they wait for it, too.
        if !self.pins.may_read() {
            local.ready_limbo(|slots| self.retain_unguarded(slots));
        }
    }

    /// Puts away the slots of a thread's limbo that was full.
    fn empty_limbo(&self, local: &Local, mut limbo: Box<Magazine>) {
        if self.pins.may_read() {
            return self.wait_together(limbo);
        }
        // The fence of `may_read` serves the look at the guards, too.
        self.retain_unguarded(&mut limbo);
        self.give(local, limbo);
    }

    /// Puts slots among the thread's ready ones, or into the stock if there is no room.
    fn give(&self, local: &Local, magazine: Box<Magazine>) {
        if let Some(left) = local.accept(magazine).filter(|left| left.len() > 0) {
            self.stock.push(left);
            self.watch_limit();
        }
    }
}

thread_static! {
    /// How many calls of [`Depot::drain`] are under way on this thread.
    static DRAINS: Cell<u32> = Cell::new(0);
}

/// A call of [`Depot::drain`].
struct Deeper;

impl Deeper {
    /// `None` if two such calls are under way on this thread.
    fn enter() -> Option<Self> {
        (DRAINS.with(Cell::get) < 2).then(Self::always)
    }

    fn always() -> Self {
        DRAINS.with(|depth| depth.set(depth.get() + 1));
        Self
    }
}

/// Whether this thread finishes objects that waited, at this moment.
pub(super) fn is_draining() -> bool {
    DRAINS.with(Cell::get) > 0
}

impl Drop for Deeper {
    fn drop(&mut self) {
        DRAINS.with(|depth| depth.set(depth.get() - 1));
    }
}

// The pool's limbo: slots with a stamp, which wait until every pin is newer.
impl Depot {
    /// Finishes an object at once if it has no readers; otherwise it is finished after the last of them.
    pub(super) fn finalize_or_wait(&self, slot: Slot) {
        // Guards are checked once the pins have ended (`finalize_after_pins`), because the last guard does not look at the pins before it
        // finishes its object.
        if self.pins.may_read() {
            self.wait_singly(slot.index());
        } else if !self.leave_to_guards(slot) {
            self.finalize(slot);
        }
    }

    /// Lets a slot whose life is over wait in the pool's limbo, until all current pins have ended. The caller has fenced since.
    fn wait_singly(&self, index: u32) {
        // Counted first: the thread that takes the slot subtracts from the count.
        self.count_waiting(1);
        let stamp = self.limbo.push(Waiting::One(index), self.pins);
        self.list_and_look(stamp);
    }

    /// Lets slots without finalizers wait in the pool's limbo, until all current pins have ended. The caller has fenced since their lives ended.
    /// The end of a pin does not look for them, but takes them if it comes for a single slot. An allocation and a collection look.
    pub(super) fn wait_together(&self, slots: Box<Magazine>) {
        // First, as in `wait_singly`.
        self.count_waiting(slots.len() as u64);
        let stamp = self.limbo.push(Waiting::Many(slots), self.pins);
        // Under an exact limit, the end of a pin looks for them, too.
        if self.limit.is_exact() {
            self.list_and_look(stamp);
        }
    }

    /// Like [`list`](Self::list), and then finishes the objects whose pins have ended meanwhile.
    fn list_and_look(&self, stamp: Stamp) {
        self.list(stamp);
        // The last pin may have ended since the caller's look for pins, before the pool was in the list. Without a fence, this look and that
        // of the end of the pin may each miss the other's store: see `Pins::is_wait_over`.
        if stamp.has_passed(self.pins.oldest()) {
            self.drain_limbo();
        }
    }

    /// Adds the pool to the list of its domain, in which the end of a pin looks, for an object that has waited
    /// since `stamp`.
    fn list(&self, stamp: Stamp) {
        // A thread that stops between the exchange and the addition delays the finalizers of others, but no allocation and no free. The
        // exchange comes after the push into the limbo, and `drain_passed` clears the flag before it looks into the limbo. So either
        // that look finds the object, or this exchange finds the flag clear, and adds the pool. Release pairs with the exchange of
        // `drain_passed` (Acquire), if that one comes later.
        if !self.is_listed.swap(true, Ordering::Release) {
            self.pins.add_waiter(self.weak.clone());
        }
        self.pins.note_wait(stamp);
    }

    /// Finishes the objects that waited for pins that have ended.
    pub(super) fn drain_limbo(&self) {
        self.drain(u64::MAX);
    }

    /// Like [`drain_limbo`](Self::drain_limbo), but for at most `most` entries.
    fn drain(&self, most: u64) {
        // Nothing waits in most pools that grow.
        if self.limbo.len() == 0 {
            return;
        }
        // A finalizer that allocates comes here again, and may finish some objects. The finalizers of these objects finish none: otherwise
        // the nesting would have no limit.
        if let Some(_deeper) = Deeper::enter() {
            self.drain_within(most);
        }
    }

    /// Returns the stamp of an entry that was found too young. `None` if there was none among the entries looked at, or if another thread
    /// has it at this moment.
    fn drain_within(&self, mut most: u64) -> Option<Stamp> {
        // Takes at most as many entries as there are now: objects that finalizers add are for the next call.
        let mut left = self.limbo.len();
        while left.min(most) > 0 {
            match self.limbo.take(self.pins) {
                Taken::Slots(Waiting::One(index)) => self.finalize_after_pins(Slot::of_own(index)),
                Taken::Slots(Waiting::Many(slots)) => self.release_together(slots),
                Taken::Nothing => return None,
                Taken::Young(since) => return Some(since),
                Taken::PutBack(since) => {
                    // The thread that ended the last pin may have looked for the entry while this thread had it.
                    if self.is_looked_for() {
                        self.list(since);
                    }
                    if !since.has_passed(self.pins.oldest()) {
                        return Some(since);
                    }
                    // Other threads may have added entries meanwhile, and missed the pool in the list.
                    left = self.limbo.len();
                    continue;
                }
            }
            left -= 1;
            most -= 1;
        }
        None
    }

    /// Whether the end of a pin looks into the limbo: because of objects that wait singly, or of an exact limit.
    fn is_looked_for(&self) -> bool {
        self.limbo.has_single() || self.limit.is_exact()
    }

    /// Puts slots whose pins have ended into the stock, or places them singly under an exact limit.
    fn release_together(&self, mut slots: Box<Magazine>) {
        if self.limit.is_exact() {
            return slots.slots().iter().for_each(|&slot| self.finalize_after_pins(slot));
        }
        // Every slot counts: an object that is left to its guards is counted as waiting a second time.
        let count = slots.len() as u64;
        self.retain_unguarded(&mut slots);
        self.stock.push(slots);
        self.count_waited(count);
        contain(|| self.watch_limit());
    }

    /// Finishes an object whose pins have ended, or leaves it to its guards, which may outlast them. Unlike `leave_to_guards`, for an object
    /// that is counted as waiting already.
    fn finalize_after_pins(&self, slot: Slot) {
        // The thread that pushed the entry fenced after the end of the life and before the push. Of `close` and the `leave`
        // of the last guard, one finishes the object (`Guards::claim`).
        if slot.guards().quiet() || slot.guards().close() {
            self.finalize_contained(slot);
        }
    }

    /// Finishes what waited for pins that have ended, and adds the pool to the list again as long as objects wait singly
    /// or under an exact limit.
    fn drain_listed(&self) {
        // Never refused, because the pool is not in the list any more. A thread does not enter this twice in the same domain
        // (`Participant::finishing`).
        let _deeper = Deeper::always();
        while let Some(stamp) = self.drain_within(u64::MAX) {
            if !self.is_looked_for() {
                break;
            }
            self.list(stamp);
            // While the pool was not in the list, the last pin may have ended without finding it.
            if !stamp.has_passed(self.pins.oldest()) {
                break;
            }
        }
    }
}

impl Waiter for Depot {
    fn drain_passed(&self) {
        // The flag is cleared before the look. If the exchange of `list` comes before this one, Acquire makes its entry visible to the
        // look. If it comes after, it finds `false`, and adds the pool to the list again.
        self.is_listed.swap(false, Ordering::Acquire);
        self.drain_listed();
    }
}

// Guards, which may outlast the pins.
//
//     freeing: life = ended; census: no guards, or only this thread's and the slot has none? → reuse
//                            else FENCE, and look at the guard word
//     guard:   join the census; guards += 1; life == mine? → read …
//
// If a thread freed an object before the census changed, a later guard sees that the life has ended: see `Threads` (`pins.rs`). A thread sees
// its own guards without a fence, even after they have moved to another thread. The census never falls.
impl Depot {
    /// Whether `slot`, whose life this thread has ended, has no guards. Checked without a fence: `true` is
    /// certain, `false` may be wrong.
    ///
    /// The caller has called [`is_unpinned`](pins::is_unpinned) since it ended the life. This keeps the compiler from moving the loads before the
    /// end of the life.
    #[inline]
    fn is_unguarded(&self, slot: Slot) -> bool {
        likely(self.census.is_none()) || (self.census.is_only(threads::id()) && slot.guards().quiet())
    }

    /// Removes the slots that have guards from a magazine; the last guard of each finishes it. A fence came since their lives ended: on this
    /// thread, or on the thread that then pushed them into the limbo.
    fn retain_unguarded(&self, magazine: &mut Magazine) {
        // After the fence: a thread whose first guard this misses finds the lives ended.
        if !self.census.is_none() {
            magazine.retain(|slot| !self.leave_to_guards(slot));
        }
    }

    /// Leaves an object whose life has ended to its last guard. `false` if it has no guard: then the caller must finish the slot.
    fn leave_to_guards(&self, slot: Slot) -> bool {
        // A load first: most objects have no guard, and the exchange of `close` costs more.
        if slot.guards().quiet() {
            return false;
        }
        // Counted first: the guard that finishes the slot subtracts from the count.
        self.count_waiting(1);
        let has_none = slot.guards().close();
        if has_none {
            self.count_waited(1);
        }
        !has_none
    }
}

/// The maximum number of waiting entries that one allocation takes.
const TOGETHER: u64 = 16;

// The search for a slot when the thread has none ready.
impl Depot {
    /// Counts an object that comes into use, in a bounded pool.
    pub(super) fn enter_room(&self) -> Result<(), AllocateError> {
        if self.room.enter() {
            return Ok(());
        }
        // Objects whose readers have left do not count against the capacity.
        self.drain_limbo();
        if self.room.enter() {
            return Ok(());
        }
        Err(AllocateError::Full {
            type_name: (self.shape.name)(),
            capacity: self.room.bound.unwrap_or(usize::MAX),
        })
    }

    /// A slot for a new life, with an object. With `reuse`, slots with the object of an earlier life come first.
    pub(super) fn find_free(&self, local: Option<&Local>, reuse: bool) -> Result<Slot, AllocateError> {
        if self.limit.is_exact() {
            // This may drop objects on behalf of other callers.
            contain(|| self.limit_local(local));
        }
        if let Some(slot) = reuse.then(|| self.find_recycled(local)).flatten() {
            return Ok(slot);
        }
        Ok(self.make(self.shape, local, self.find_empty(local)?))
    }

    /// A slot with a free object.
    fn find_recycled(&self, local: Option<&Local>) -> Option<Slot> {
        // Slots in the pool's limbo whose pins have ended come back first, so that the pool does not grow while they wait.
        self.drain(TOGETHER);
        // The slots in cells are for all threads. Only a pool that has or had an exact limit has cells.
        if let Some(slot) = self.take_from_cells() {
            return Some(slot);
        }
        // A thread that has ended has no lists, and with an exact limit no thread keeps slots.
        let Some(local) = local.filter(|_| !self.limit.is_exact()) else {
            return self.take_one();
        };
        // There may be a ready slot: `drain` may have added one, and a thread that has used many other pools comes
        // here although it has ready slots.
        if let Some(slot) = local.pop_ready() {
            return Some(slot);
        }
        // For a few slots in limbo, a fence costs more than it gains while there are fresh slots.
        if !local.advance() && local.limbo_len() > 0 && (!local.has_fresh() || local.is_limbo_worth_a_look()) {
            self.refill(local);
        }
        if let Some(slot) = local.pop_ready() {
            return Some(slot);
        }
        // Last, a magazine of the stock.
        let magazine = self.stock.pop()?;
        self.give(local, magazine);
        local.pop_ready()
    }

    /// One slot of the stock; the others of its magazine are left for any thread, as the limit allows. With an exact limit the stock is
    /// empty, unless a thread has added to it while the limit became exact.
    fn take_one(&self) -> Option<Slot> {
        let mut magazine = self.stock.pop()?;
        let slot = magazine.pop();
        for &other in magazine.slots() {
            contain(|| self.keep_or_drop(other));
        }
        slot
    }

    /// A slot without an object.
    pub(super) fn find_empty(&self, local: Option<&Local>) -> Result<u32, AllocateError> {
        // First from the batch that the thread took earlier.
        if let Some(index) = local.and_then(Local::take_fresh) {
            return Ok(index);
        }
        // Several threads may pass this check at the same time. Each of them may then make as many objects as
        // it takes slots here.
        if let Some(most) = self.most_waiting.filter(|&most| self.waiting() > most as u64) {
            return Err(AllocateError::HeldBack {
                type_name: (self.shape.name)(),
                waiting: self.waiting(),
                most,
            });
        }
        // The type name in an error comes from user code, which is called without the lock.
        let taken = self.take_empty(local.map_or(1, Local::next_batch));
        let taken = taken.map_err(|refused| match refused {
            Refused::Number => self.shape.no_number(),
            Refused::Memory(bytes) => self.shape.no_memory(bytes),
        })?;
        if let Some(local) = local {
            local.fresh.set((taken.start + 1, taken.end));
        }
        Ok(taken.start)
    }

    /// Takes a slot without an object of those that the thread has, if no free object waits in its lists, in the limbo or in the stock.
    #[inline]
    pub(super) fn take_fresh(&self, local: &Local) -> Option<u32> {
        // The cells are not checked: without an exact limit they are empty, except for a slot that was added while the limit changed
        // (`find_recycled` takes it).
        let is_none_free = local.kept() == 0 && self.limbo.len() == 0 && self.stock.looks_empty();
        is_none_free.then(|| local.take_fresh()).flatten()
    }

    /// Makes an object in an empty slot that is on no list. `shape` is the pool's; for a caller that knows it at compile time.
    #[inline]
    pub(super) fn make(&self, shape: &Shape, local: Option<&Local>, index: u32) -> Slot {
        /// Puts the slot back if its object could not be made.
        struct StillEmpty<'a>(&'a Depot, u32);
        impl Drop for StillEmpty<'_> {
            #[cold]
            fn drop(&mut self) {
                self.0.put_empty(&[self.1]);
            }
        }
        let slot = Slot::of_shape(index, shape);
        let still_empty = StillEmpty(self, index);
        // SAFETY: the slot is on no list and holds no object.
        unsafe { (shape.make)(slot.object_in(shape)) };
        std::mem::forget(still_empty);
        // The word is stored after the object is made, because it says that the slot holds one (`has_lives`), which the end of the pool
        // drops. If `make` panicked in a new slot, the word is still 0.
        // SAFETY: the directory has the chunks of a living pool.
        let chunk: &Chunk = unsafe { Chunk::of(index).as_ref() };
        let life: &Life = slot.life();
        life.make(index, chunk.floor());
        self.count_made(local);
        slot
    }
}

// A thread's lists, from its first use of the pool to its end.
impl Depot {
    /// This thread's lists for the pool. `None` if the thread or the pool is ending.
    pub(super) fn lists<'t>(&self, tables: &'t Tables) -> Option<&'t Local> {
        tables.local(self.tag).or_else(|| self.attach(tables))
    }

    #[cold]
    fn attach<'t>(&self, tables: &'t Tables) -> Option<&'t Local> {
        if threads::is_gone() {
            return None;
        }
        let depot = self.weak.upgrade()?;
        threads::end_lists_with(detach);
        // The depot owns the lists, and counts what is on them (`stats`), until `detach` or its own end.
        tables.add(&depot, self.add_local(Box::new(Local::new())));
        tables.local(self.tag)
    }
}

/// Returns the lists of this thread, which is ending, to the depots of their pools.
fn detach() {
    // `take` empties the table and the cache before it yields the first pool, so that user code cannot find lists that have ended.
    tables::with(Tables::take).for_each(|(depot, at)| {
        // SAFETY: the depot owns the lists until `remove_local`, and only this thread removes them.
        let local = unsafe { at.as_ref() };
        // A limit may drop objects here. A panic in such a drop must not end the process with the thread.
        contain(|| depot.empty_local(local));
        depot.remove_local(at);
        // Such a drop may have dropped the pool, which then ends here.
        contain(move || drop(depot));
    });
}

// The limits: see `depot.rs`.
impl Depot {
    /// Changes how many free objects are kept. The change takes effect at once in the depot and on this thread. It takes effect on
    /// another thread when that thread allocates from the pool or frees, and its load finds the change. `mark` receives the tag for
    /// the hot path of allocation.
    pub(super) fn set_policy(&self, policy: PoolPolicy, mark: impl FnOnce(u64)) {
        let mut locked = self.locked.lock();
        locked.policy = policy;
        self.limit.set(policy);
        self.prepare_limit();
        // Under the lock, so that of two calls the later one marks last, and a chunk that `grow` adds has the new mark. From here on
        // allocations and frees come to the depot. A thread that still loads the unmarked tag uses its own lists, until its load finds the mark.
        mark(self.marked_tag());
        locked.chunks().for_each(|chunk| chunk.set_counted(self.is_counted()));
        drop(locked);
        // Each step runs, even if user code panics in the one before.
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
            // From here on the end of a pin looks for what waits, even if a finalizer calls this and `drain_limbo` refuses.
            self.list(Stamp::FIRST);
            panics.catch(|| self.drain_limbo());
        }
        panics.catch(|| self.cut());
        panics.catch(|| self.cut_cells());
        panics.resume();
    }

    /// Applies the limit after an addition to the stock.
    pub(super) fn watch_limit(&self) {
        // A thread that lowers the limit at this moment stores it, and then looks at the stock. These loads are Relaxed, so each of the two
        // threads may miss the other. Then the objects stay until the next addition, or until `take_one` finds them.
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
        let Some(cells) = self.cells.get() else { return };
        // Empties every cell once: a cell beyond the new limit may be full, although others are empty.
        let taken = (0..EXACT).rev().filter_map(|at| cells.take(at));
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
        let cells = self.cells.get_or_init(|| Cells::new(EXACT));
        while let Some(at) = cells.push(slot.into_raw(), self.limit.get()) {
            // The limit may have fallen since, and `cut_cells` may have visited the cell before. If it visits the cell later, it takes the
            // slot, and `take_back` finds nothing.
            if at < self.limit.get() || !self.take_back(cells, at, slot) {
                return true;
            }
        }
        false
    }

    /// Takes `slot` back from a cell. `false` if another thread has taken it. If the cell holds another slot by then, the
    /// object of that slot is dropped.
    fn take_back(&self, cells: &Cells<Life>, at: usize, slot: Slot) -> bool {
        match cells.take(at) {
            Some(found) if found == slot.into_raw() => true,
            Some(other) => {
                self.drop_object(Slot::from_raw(other));
                false
            }
            None => false,
        }
    }

    pub(super) fn take_from_cells(&self) -> Option<Slot> {
        let taken: NonNull<Life> = self.cells.get()?.pop()?;
        Some(Slot::from_raw(taken))
    }

    /// Moves this thread's lists to the depot: ready slots at once, those in limbo when their readers have left.
    pub(super) fn empty_local(&self, local: &Local) {
        // Each slot is put away, even if user code panics for the one before.
        let mut panics = FirstPanic::new();
        // The slots in limbo first, because those without readers may become ready here.
        let limbo = local.take_limbo(None).filter(|limbo| limbo.len() > 0);
        if let Some(limbo) = limbo {
            // Pins that begin after this fence see that these lives have ended. So the stamp of a magazine needs to cover older pins only.
            // (`finalize_or_wait` has a fence of its own for each slot.)
            pins::fence_before_look();
            if limbo.len() < SMALL {
                // One by one: a magazine would take more memory than the few slots in it.
                limbo.slots().iter().for_each(|&slot| {
                    panics.catch(|| self.finalize_or_wait(slot));
                });
            } else {
                self.wait_together(limbo);
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

#[cfg(all(test, not(acedia_loom)))]
mod lock_tests;

#[cfg(all(test, not(acedia_loom)))]
mod tests;

#[cfg(all(test, acedia_loom))]
mod models;
