//! Where slots go when a life is over: the slow half of freeing, and the end of a pool.
//!
//! ```text
//! life ended ─► may anybody be looking? ──no──► END ─► place: kept for reuse, or dropped by the policy
//!                    │ a pin              │ guards
//!                    ▼                    ▼
//!                 deferred            DEFER bit: the last guard does it
//! ```
//!
//! User code (finalizers, drops) runs here with no lock held and no list half changed.

use super::chunk::Chunk;
use super::deferred::First;
use super::depot::Depot;
use super::directory;
use super::local::Local;
use super::pin::{self, Stamp};
use super::policy::PoolPolicy;
use super::slot::Slot;
use super::state::Ended;
use super::thread::{self, ThreadState};
use crate::panics::{FirstPanic, contain};
use crate::sync::bug;
use crate::sync::plain::Ordering;

/// What to do with a slot if user code unwinds while the slot is on no list and its life is over.
///
/// The object's state is unknown, so it is dropped, and its slot made anew for the next life.
pub(super) struct Abandon(pub(super) Slot);

impl Drop for Abandon {
    /// Inlined, so that the slot stays in registers until somebody unwinds.
    #[inline]
    fn drop(&mut self) {
        abandon(self.0);
    }
}

#[cold]
#[inline(never)]
fn abandon(slot: Slot) {
    let depot = slot.depot();
    // A second panic would abort the process; what the object owns is leaked instead.
    contain(|| depot.drop_object(slot));
    depot.capacity.leave();
}

// The ways out of the fast path. They find everything by the slot, so that the fast path has nothing in hand for them.

/// Ends a life whose last owner is gone, without the fast path.
#[cold]
#[inline(never)]
pub(super) fn free(slot: Slot) {
    finish(slot, slot.life().end());
}

/// Finishes a life that has ended, and that the fast path cannot.
#[cold]
#[inline(never)]
pub(super) fn finish(slot: Slot, ended: Ended) {
    thread::with(|thread| slot.depot().finish_ended(slot, ended, thread));
}

/// Puts away a slot whose object is finished and for which the fast path has no room.
#[cold]
#[inline(never)]
pub(super) fn place(slot: Slot) {
    let depot = slot.depot();
    thread::with(|thread| depot.place(slot, thread.local(depot.tag)));
}

impl Depot {
    /// Finishes a life that the fast path could not: see the drawing of the [module](self).
    fn finish_ended(&self, slot: Slot, ended: Ended, thread: &ThreadState) {
        // A thread that only frees has magazines too: whole ones travel to those who allocate.
        let local = thread.local(self.tag).or_else(|| thread.join(&self.me.upgrade()?));
        let alone = ended == Ended::Unseen || (pin::is_solo(thread) && self.guarding.is_unguarded(thread, slot));
        if alone || bug("finalizer_too_early") {
            self.finish(slot);
        } else if ended == Ended::Seen && self.shape.end.is_none() && !self.is_managed() {
            self.quarantine(slot, local);
        } else {
            self.finish_or_defer(slot);
        }
        if self.is_managed() {
            // Last, because this runs user code, too, and looked up anew, because that may have changed the thread's table.
            self.for_others(|| self.obey_limit(thread.local(self.tag)));
        }
    }

    /// Keeps an object that needs no finalizer until its readers have left.
    fn quarantine(&self, slot: Slot, local: Option<&Local>) {
        if let Some(local) = local {
            if local.push_freed(slot) {
                return;
            }
            self.make_room(local);
            if local.push_freed(slot) {
                return;
            }
        }
        self.finish_or_defer(slot);
    }

    /// Finishes an object at once if nobody is looking, else leaves it to whoever looks last.
    fn finish_or_defer(&self, slot: Slot) {
        pin::fence_before_look();
        if pin::oldest() == u64::MAX {
            pin::note_calm(1);
            if slot.readers().quiet() {
                self.finish(slot);
            } else {
                self.numbers.leaving.fetch_add(1, Ordering::Relaxed);
                if slot.readers().defer() {
                    self.finish_late(slot);
                }
            }
        } else {
            self.defer(slot.index());
        }
    }

    /// Leaves a slot whose life is over to whoever ends the last pin that there is. The caller has fenced since.
    pub(super) fn defer(&self, index: u32) {
        // Counted first: who takes it takes the count back.
        self.numbers.leaving.fetch_add(1, Ordering::Relaxed);
        pin::count_waiting();
        let stamp = self.deferred.push(index);
        // The last pin may have ended between the look and this, without seeing it.
        pin::remember(&self.me);
        if stamp.has_passed(pin::oldest()) {
            self.finish_deferred();
        }
    }

    /// Finishes what waited for pins that have ended. The stamp of what waits longest now, if anything does.
    pub(super) fn finish_deferred(&self) -> Option<Stamp> {
        // As many as there are: finalizers may add more, for the next time.
        for _ in 0..self.deferred.len() {
            let index = match self.deferred.pop() {
                First::Free(index) => index,
                First::Waits(stamp) => return Some(stamp),
                First::None => return None,
            };
            pin::sub_waiting(1);
            let slot = Slot::of_own(index);
            // Guards may hold it beyond the pins. The life ended long before, and a fence came since.
            if slot.readers().quiet() || slot.readers().defer() {
                self.finish_late(slot);
            }
        }
        None
    }

    /// As [`finish_deferred`](Self::finish_deferred), by who took the pool from those that are remembered: it is remembered again
    /// as long as something waits.
    pub(super) fn finish_remembered(&self) {
        while let Some(stamp) = self.finish_deferred() {
            // While nobody remembered the pool, the last pin may have ended and found none. The lock in `remember` orders the
            // two: either that thread finds it now, or this one sees the pin's end.
            if !bug("deferred_not_looked_at_again") {
                pin::remember(&self.me);
            }
            if bug("deferred_not_looked_at_again") || !stamp.has_passed(pin::oldest()) {
                break;
            }
        }
    }

    /// As [`finish`](Self::finish), for an object somebody else freed: a panic goes no further.
    #[cold]
    pub(super) fn finish_late(&self, slot: Slot) {
        self.numbers.leaving.fetch_sub(1, Ordering::Relaxed);
        self.for_others(|| self.finish(slot));
    }

    /// Does what nobody here has asked for: a panic is counted, and goes no further.
    pub(super) fn for_others(&self, work: impl FnOnce()) {
        if !contain(work) {
            self.numbers.panics.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Runs the finalizer of an object nobody can see any more, and places the slot.
    fn finish(&self, slot: Slot) {
        if let Some(end) = self.shape.end {
            let abandon = Abandon(slot);
            // SAFETY: the slot holds an object of this pool's type; its life is over, and nobody is looking.
            unsafe { end(slot.object_erased()) };
            std::mem::forget(abandon);
        }
        // The finalizer may have changed the thread's table.
        thread::with(|thread| self.place(slot, thread.local(self.tag)));
    }

    /// Puts away a slot whose object is finished: kept for reuse, or dropped.
    #[cold]
    pub(super) fn place(&self, slot: Slot, local: Option<&Local>) {
        if !slot.life().snapshot().is_made() && !bug("retire_forgotten") {
            let room = LeaveRoom(self);
            self.drop_object(slot);
            drop(room);
            return;
        }
        if self.is_managed() {
            let room = LeaveRoom(self);
            self.keep_or_drop(slot);
            drop(room);
            return;
        }
        if let Some(local) = local {
            if local.push_ready(slot) {
                if bug("double_push") {
                    local.push_ready(slot);
                }
                return;
            }
            if let Some(full) = local.step_back(|| self.stock.empty()) {
                self.stock.push_ready(full);
            }
            if local.push_ready(slot) {
                return;
            }
        }
        self.keep_or_drop(slot);
    }

    fn keep_or_drop(&self, slot: Slot) {
        let mut cold = self.cold.lock();
        if cold.policy.limit().is_none_or(|limit| cold.kept.len() < limit) {
            cold.kept.push(slot.index());
            self.any_kept.store(true, Ordering::Relaxed);
        } else {
            drop(cold);
            self.drop_object(slot);
        }
    }

    /// Drops the object of a slot, whose next life will need a new one.
    pub(super) fn drop_object(&self, slot: Slot) {
        struct Blank<'a>(&'a Depot, Slot);
        impl Drop for Blank<'_> {
            fn drop(&mut self) {
                // A retired slot is on no list; its word says that it holds nothing.
                if self.1.life().snapshot().is_made() {
                    self.0.put_blank(self.1.index());
                } else {
                    self.0.numbers.retired.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        self.numbers.dropped.fetch_add(1, Ordering::Relaxed);
        let blank = Blank(self, slot);
        // SAFETY: the slot holds an object, nobody can see it, and no list leads to it.
        unsafe { (self.shape.drop)(slot.object_erased()) };
        if bug("double_drop") {
            // SAFETY: none: it is what a seeded bug is for.
            unsafe { (self.shape.drop)(slot.object_erased()) };
        }
        drop(blank);
    }

    /// Changes how many free objects are kept. Takes effect at once for what the depot and this thread hold, and on each
    /// other thread when it next allocates from the pool or frees. `mark` gets the tag for the hot path of allocation.
    pub(super) fn set_policy(&self, policy: PoolPolicy, bounded: bool, mark: impl FnOnce(u64)) {
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
                thread::with(|thread| {
                    if let Some(local) = thread.local(self.tag) {
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
    pub(super) fn absorb(&self) {
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

    /// Drops many objects. If some of the drops panic, the rest are dropped all the same, and the first panic goes on.
    pub(super) fn drop_all(&self, slots: &[u32]) {
        let mut panics = FirstPanic::new();
        for &index in slots {
            panics.catch(|| self.drop_object(Slot::of_own(index)));
        }
        panics.resume();
    }
}

/// Counts an object out of use, whatever happens in between.
struct LeaveRoom<'a>(&'a Depot);

impl Drop for LeaveRoom<'_> {
    fn drop(&mut self) {
        self.0.capacity.leave();
    }
}

/// Ends a pool: finalizes what is alive or waits, drops every object, unmakes the chunks.
pub(super) fn tear_down(depot: &mut Depot) {
    let chunks = std::mem::take(&mut depot.cold.lock().chunks);
    let mut empty = std::mem::take(&mut depot.cold.lock().blank);
    empty.sort_unstable();
    pin::forget(&depot.me);
    let guarded = !depot.guarding.is_nobody();
    while let Some(index) = depot.deferred.pop_any() {
        pin::sub_waiting(1);
        if let Some(end) = depot.shape.end {
            let object = Slot::of_own(index).object_erased();
            // SAFETY: the object's life is over and it waited for readers; the pool is gone, so there are none.
            contain(|| unsafe { end(object) });
        }
        let slot = Slot::of_own(index);
        if !slot.life().snapshot().is_made() {
            // In its last life: the word says that the slot holds nothing, so the loop below passes it over.
            // SAFETY: as above; no list leads to the object any more.
            contain(|| unsafe { (depot.shape.drop)(slot.object_erased()) });
        }
    }
    for &chunk in &chunks {
        // SAFETY: the chunk is alive until `destroy_chunks`.
        let header = unsafe { chunk.as_ref() };
        directory::leave(header.indices().start);
        for (index, slot) in Chunk::slots(chunk) {
            // For a guard that was forgotten: there can be no other.
            // SAFETY: the chunk is alive.
            let readers = unsafe { header.readers(index).as_ref() };
            let waits = guarded && readers.is_deferred();
            let holds = waits || slot.life().snapshot().is_made();
            if !holds || empty.binary_search(&index).is_ok() {
                continue;
            }
            let is_over = !waits && !slot.life().is_exposed();
            if let Some(end) = depot.shape.end.filter(|_| !is_over) {
                if !waits {
                    slot.life().end();
                }
                // SAFETY: an object that was alive when the pool was dropped; nobody can see it any more.
                contain(|| unsafe { end(slot.object_erased()) });
            }
            // SAFETY: the slot holds an object that nobody can see and that no list leads to any more.
            contain(|| unsafe { (depot.shape.drop)(slot.object_erased()) });
        }
    }
    depot.cold.lock().chunks = chunks;
    depot.destroy_chunks();
}

#[cfg(all(test, not(acedia_loom)))]
mod tests {
    use std::sync::{Arc, Barrier};
    use std::thread;
    use std::time::Duration;

    use crate::LifeVersion;
    use crate::pool::{Hooks, Pool, pin};
    use crate::sync::plain::{AtomicU32, Ordering};

    struct Ending;

    impl Hooks<u64> for Ending {
        fn make() -> u64 {
            0
        }

        const END: Option<fn(&mut u64)> = Some(|_| ());
    }

    /// The same for what threads leave that end.
    #[test]
    fn threads_that_free_little_leave_no_magazines() {
        const COUNT: usize = 300;
        let pool: Pool<u64> = Pool::new();
        let owners: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
        for (at, owner) in owners.into_iter().enumerate() {
            // Half of them could be read by others.
            if at % 2 == 0 {
                let _ = owner.key();
            }
            let pinned = (at % 3 == 0).then(pin);
            thread::scope(|scope| scope.spawn(move || drop(owner)).join()).expect("no panic");
            drop(pinned);
        }
        let depot = pool.depot.get().unwrap();
        // Pins of other tests may have stood in the way, too.
        while !depot.deferred.is_empty() {
            thread::sleep(Duration::from_millis(1));
            depot.finish_deferred();
        }
        assert_eq!((pool.stats().live, pool.stats().kept), (0, COUNT as u64));
        assert_eq!((depot.stock.ready_magazines(), depot.stock.limbo_len()), (0, 0));
        let again: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
        assert_eq!(pool.stats().fresh, COUNT as u64);
        drop(again);
    }

    /// Objects that wait for guards that were forgotten end with the pool, in their last life too.
    #[test]
    fn what_waits_for_forgotten_guards_ends_with_the_pool() {
        static ENDED: AtomicU32 = AtomicU32::new(0);
        struct Counted;
        impl Hooks<Arc<()>> for Counted {
            fn make() -> Arc<()> {
                Arc::default()
            }

            const END: Option<fn(&mut Arc<()>)> = Some(|_| _ = ENDED.fetch_add(1, Ordering::Relaxed));
        }
        let pool: Pool<Arc<()>, Counted> = Pool::with_hooks();
        let witness = Arc::new(());
        for last in [false, true] {
            let mut owner = pool.allocate();
            if last {
                pool.skip_lives(&mut owner, LifeVersion::LAST);
            }
            *owner.get_mut().unwrap() = Arc::clone(&witness);
            std::mem::forget(pool.guard(owner.key()).unwrap());
        }
        drop(pool);
        assert_eq!((ENDED.load(Ordering::Relaxed), Arc::strong_count(&witness)), (2, 1));
    }

    /// Two kilobytes of places for one slot each were 400 MB for 200,000 objects.
    #[test]
    fn what_strangers_finish_takes_no_magazines() {
        const COUNT: usize = 1000;
        let pool: Pool<u64, Ending> = Pool::with_hooks();
        let owners: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
        for owner in &owners {
            let _ = owner.key();
        }
        let (is_pinned, are_freed) = (Barrier::new(2), Barrier::new(2));
        thread::scope(|scope| {
            scope.spawn(|| {
                let pinned = pin();
                is_pinned.wait();
                are_freed.wait();
                drop(pinned);
            });
            is_pinned.wait();
            drop(owners);
            are_freed.wait();
        });
        let depot = pool.depot.get().unwrap();
        // Pins of other tests may have stood in the way, too.
        while !depot.deferred.is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!((pool.stats().live, pool.stats().kept), (0, COUNT as u64));
        assert!(depot.stock.ready_magazines() < 10, "{}", depot.stock.ready_magazines());
        // They are found again.
        let again: Vec<_> = (0..COUNT).map(|_| pool.allocate()).collect();
        assert_eq!(pool.stats().fresh, COUNT as u64);
        drop(again);
    }

    #[test]
    fn a_pool_that_is_gone_is_not_remembered() {
        let pool: Pool<u64, Ending> = Pool::with_hooks();
        let owner = pool.allocate();
        let _ = owner.key();
        let pinned = pin();
        drop(owner);
        let depot = pool.depot.get().unwrap();
        let me = depot.me.clone();
        assert!(super::pin::is_remembered(&me));
        drop(pool);
        drop(pinned);
        assert!(!super::pin::is_remembered(&me));
    }
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! The last life.

    use crate::LifeVersion;
    use crate::pool::models::{BEGUN, Beginning, Ending, both, ends, model, saw};
    use crate::pool::{Hooks, Pool};

    fn retirement<H: Hooks<crate::pool::models::Payload>>() {
        model(&["live", "stale"], || {
            let pool = Pool::<_, H>::with_hooks();
            let mut owner = pool.allocate();
            pool.skip_lives(&mut owner, LifeVersion::LAST);
            let key = owner.key();
            both(
                || {
                    drop(owner);
                    assert_ne!(pool.allocate().index(), key.index(), "a retired slot came back");
                },
                || match pool.guard(key) {
                    Some(object) => {
                        assert_eq!(object.read(), BEGUN);
                        saw("live");
                    }
                    None => saw("stale"),
                },
            );
            assert_eq!(pool.stats().retired, 1);
            assert_ne!(pool.allocate().index(), key.index(), "a retired slot came back");
            assert!(pool.guard(key).is_none());
            assert_eq!(pool.stats().panics, 0);
        });
    }

    #[test]
    fn retirement_against_guard() {
        retirement::<Beginning>();
    }

    #[test]
    fn retirement_with_finalizer_against_guard() {
        retirement::<Ending>();
        let _ = ends();
    }
}
