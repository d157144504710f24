//! The shared part of a pool: its chunks, the magazines that no thread holds (`stock`), and its numbers.
//!
//! Everything here is type-erased (see [`Shape`]) and off the hot path. `depot` says what there is and where slots come
//! from; `settle` where they go; `collect` gives memory back.

use std::fmt;
use std::ptr::NonNull;

use super::capacity::{Capacity, Wait};
use super::census::Census;
use super::chunk::Chunk;
use super::deferred::Deferred;
use super::local::{Local, len_u32};
use super::magazine::{FEW, MAGAZINE, Magazine};
use super::pin;
use super::policy::PoolPolicy;
use super::shape::{About, Shape};
use super::shared::{Shared, WeakShared};
use super::slot::{Slot, Span};
use super::stats::Numbers;
use super::stock::Stock;
use super::tag;
use crate::AllocateError;
use crate::sync::plain::{AtomicBool, Ordering};
use crate::sync::{AtomicPtr, Mutex, bug};

/// A slot for a new life.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// With the object of an earlier life; its new life is counted.
    Begun(Slot),
    /// With the object of an earlier life.
    Made(u32),
    /// Without an object.
    Empty(u32),
}

/// The shared part of a pool.
pub(super) struct Depot {
    pub(super) tag: u64,
    pub(super) shape: &'static Shape,
    /// What the hooks say of the objects.
    pub(super) about: About,
    pub(super) me: WeakShared<Depot>,
    /// The pool's only chunk, for readers. None as soon as there are more: most keys would be of others.
    pub(super) only: AtomicPtr<u8>,
    pub(super) stock: Stock,
    /// Objects that wait for pins before they can be finished one by one: a finalizer, a limit, or the last life.
    pub(super) deferred: Deferred,
    pub(super) cold: Mutex<Cold>,
    pub(super) guarding: Census,
    /// `Cold::kept` may have some.
    pub(super) any_kept: AtomicBool,
    /// A limit is in force: threads keep no lists.
    pub(super) managed: AtomicBool,
    pub(super) capacity: Capacity,
    pub(super) numbers: Numbers,
}

/// What is under the depot's lock.
#[derive(Default)]
pub(super) struct Cold {
    pub(super) chunks: Vec<NonNull<Chunk>>,
    /// Runs of slots that never had an object, or whose chunk was given back.
    pub(super) fresh: Vec<(u32, u32)>,
    /// Slots whose object was dropped.
    pub(super) blank: Vec<u32>,
    /// Slots with a free object that are in no magazine, last freed last: all of them while the pool is managed; otherwise those
    /// that a thread without magazines put away.
    pub(super) kept: Vec<u32>,
    pub(super) policy: PoolPolicy,
    pub(super) locals: Vec<Shared<Local>>,
}

impl Cold {
    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        // SAFETY: the depot owns its chunks, and whoever sees this list has the depot.
        self.chunks.iter().map(|chunk| unsafe { chunk.as_ref() })
    }
}

/// Slots without an object that a thread takes at a time.
const SHARE: u32 = if cfg!(acedia_loom) { 2 } else { 128 };

/// Of what threads without magazines put away, a thread takes no fewer at a time.
const FEWEST: usize = if cfg!(acedia_loom) { MAGAZINE } else { 4 };

/// Magazines of scattered slots that leave the limbo together.
const TOGETHER: usize = 16;

// SAFETY: the raw pointers are chunks that the depot owns; their words are atomic, and their objects are `Send + Sync`,
// which `Pool` demands of every type it is made for.
unsafe impl Send for Depot {}
// SAFETY: as above; the list of chunks is under a lock.
unsafe impl Sync for Depot {}

impl Depot {
    /// The shared part of a new pool, if there is memory for it, and if the process has not a hundred thousand pools already.
    pub(super) fn create(
        shape: &'static Shape,
        policy: PoolPolicy,
        capacity: Option<usize>,
    ) -> Result<Shared<Self>, AllocateError> {
        // The user's code, so before anything is taken or locked.
        let about = (shape.about)();
        pin::prepare();
        Shared::try_cyclic(shape.no_memory(size_of::<Self>()), |me| {
            Ok(Self::new(me, tag::borrow(shape)?, (shape, about), policy, capacity))
        })
    }

    fn new(
        me: &WeakShared<Self>,
        tag: u64,
        (shape, about): (&'static Shape, About),
        policy: PoolPolicy,
        capacity: Option<usize>,
    ) -> Self {
        Self {
            tag,
            shape,
            about,
            me: me.clone(),
            only: AtomicPtr::new(std::ptr::null_mut()),
            stock: Stock::new(shape),
            deferred: Deferred::new(),
            cold: Mutex::new(Cold {
                policy,
                ..Cold::default()
            }),
            guarding: Census::new(),
            any_kept: AtomicBool::new(false),
            managed: AtomicBool::new(capacity.is_some() || policy != PoolPolicy::KeepAll),
            capacity: Capacity::new(capacity),
            numbers: Numbers::default(),
        }
    }

    /// The pool's only chunk, for readers.
    #[inline]
    pub(super) fn only_span(&self) -> Span {
        // Acquire pairs with `grow` (Release): who sees the chunk sees its memory. An old answer is as true for every key
        // that was handed to the caller: the one that names another chunk was made after the answer changed.
        Span::from_raw(self.only.load(Ordering::Acquire))
    }

    pub(super) fn is_managed(&self) -> bool {
        self.managed.load(Ordering::Relaxed)
    }

    /// The tag, with its mark if the pool is managed.
    pub(super) fn marked_tag(&self) -> u64 {
        self.tag | if self.is_managed() { tag::MANAGED } else { 0 }
    }

    /// Enters a thread's magazines. `false` if there is no memory to do so.
    pub(super) fn add_local(&self, local: &Shared<Local>) -> bool {
        let mut cold = self.cold.lock();
        let reserved = cold.locals.try_reserve(1).is_ok();
        if reserved {
            // Under the lock: from here on, whoever changes the census changes this copy.
            if !bug("new_magazines_unaware") {
                local.guarding.set(self.guarding.value());
            }
            cold.locals.push(Shared::clone(local));
        }
        reserved
    }

    /// Takes over the magazines of a thread that ends. Called on that thread.
    pub(super) fn remove_local(&self, local: &Shared<Local>) {
        // A panic of an object that no limit has room for must not end the process with the thread.
        self.for_others(|| {
            if local.freed_is_few() {
                // One by one: a magazine for each thread that ends would take more than what is in it.
                let freed = local.take_freed(self.stock.empty());
                pin::fence_before_look();
                freed.slots().for_each(|slot| self.defer(slot.index()));
            }
            self.empty_local(local);
        });
        let (next, end) = local.fresh.take();
        let mut cold = self.cold.lock();
        if next < end {
            cold.fresh.push((next, end));
        }
        // Under the lock, so that `stats` counts these lives once.
        self.numbers.begun.fetch_add(local.begun(), Ordering::Relaxed);
        self.numbers.fresh.fetch_add(local.made(), Ordering::Relaxed);
        self.note_peak_of(local.peak());
        cold.locals.retain(|known| !known.ptr_eq(local));
    }

    /// Moves this thread's lists to the depot: ready slots at once, freed ones when their readers have left.
    pub(super) fn empty_local(&self, local: &Local) {
        local.take_ready().for_each(|magazine| self.take_over(magazine));
        let freed = local.take_freed(self.stock.empty());
        if bug("exit_loses_freed") {
            return;
        }
        if bug("exit_without_wait") {
            self.stock.push_ready(freed);
        } else if freed.len() > 0 {
            pin::fence_before_look();
            self.stock.push_limbo(freed, pin::stamp());
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
    pub(super) fn obey_limit(&self, local: Option<&Local>) {
        local
            .filter(|local| local.kept() > 0)
            .inspect(|local| self.empty_local(local));
    }

    /// A slot for a new life, counted against the capacity.
    ///
    /// `reuse` asks for the object of an earlier life where there is one.
    pub(super) fn acquire(&self, local: Option<&Local>, reuse: bool, wait: Wait) -> Result<Found, AllocateError> {
        // What waits for readers is not in use any more once they have left.
        self.capacity
            .enter(wait, || {
                self.finish_deferred();
            })
            .map_err(|capacity| AllocateError::Full {
                type_name: (self.shape.type_name)(),
                capacity,
            })?;
        if self.is_managed() {
            // What others have freed is dropped for it.
            self.for_others(|| self.obey_limit(local));
        }
        if let Some(found) = reuse.then(|| self.find_made(local)).flatten() {
            return Ok(found);
        }
        match self.find_empty(local) {
            Ok(index) => Ok(Found::Empty(index)),
            Err(error) => {
                self.capacity.leave();
                Err(error)
            }
        }
    }

    /// A slot with a free object.
    fn find_made(&self, local: Option<&Local>) -> Option<Found> {
        self.finish_deferred();
        if self.is_managed() {
            return self.cold.lock().kept.pop().map(Found::Made);
        }
        let Some(local) = local else {
            let mut magazine = self.pop_shelved().or_else(|| self.take_limbo())?;
            let slot = magazine.pop();
            if magazine.len() > 0 {
                self.stock.push_ready(magazine);
            }
            return slot.map(|slot| Found::Made(slot.index()));
        };
        // There may be one: the way here is also for a thread that used many other pools since.
        if let Some(slot) = local.begin_ready() {
            return Some(Found::Begun(slot));
        }
        // A fence for a few slots would cost more than it gains, while there are others.
        if !local.advance() && local.has_freed() && (local.freed_is_worth_a_fence() || !local.has_fresh()) {
            self.refill(local);
        }
        if let Some(slot) = local.begin_ready() {
            return Some(Found::Begun(slot));
        }
        if self.has_put_nothing_away() {
            return None;
        }
        let magazine = self.pop_shelved().or_else(|| {
            // While the pin that stood in the way is still the oldest, its limbo is, too.
            let oldest = pin::oldest();
            let worth_it = oldest == u64::MAX || oldest != local.blocked_by.get();
            let magazine = worth_it.then(|| self.take_limbo()).flatten();
            local.blocked_by.set(if magazine.is_none() { oldest } else { u64::MAX });
            self.put_in_order(magazine?)
        })?;
        self.give(local, magazine);
        local.begin_ready().map(Found::Begun)
    }

    /// Whether there are no free objects but those on threads' lists. Asking each queue would be a fence for each.
    fn has_put_nothing_away(&self) -> bool {
        // Around a plain load loom explores next to nothing: there, models ask the queues.
        #[cfg(acedia_loom)]
        if !crate::sync::loads_are_rmw() {
            return false;
        }
        // Relaxed, both: a miss leaves them to the next look.
        self.stock.slots() == 0 && !self.any_kept.load(Ordering::Relaxed) || bug("put_away_forgotten")
    }

    /// Whether there is no free object that [`acquire`](Self::acquire) would give to a thread that has none ready.
    pub(super) fn has_nothing_for(&self, local: &Local) -> bool {
        self.has_put_nothing_away() && self.deferred.is_empty() && !local.has_some_behind()
    }

    /// Slots that may be reused at once and that no thread holds.
    fn pop_shelved(&self) -> Option<Box<Magazine>> {
        self.stock.pop_ready().or_else(|| self.take_kept())
    }

    /// What threads without magazines put away, and what a limit that was lifted has left.
    fn take_kept(&self) -> Option<Box<Magazine>> {
        // Relaxed: a miss leaves them to the next look.
        if !self.any_kept.load(Ordering::Relaxed) || bug("kept_forgotten") {
            return None;
        }
        // Without memory for one, they stay where they are.
        let mut magazine = self.stock.try_empty()?;
        {
            let mut cold = self.cold.lock();
            // This thread's share: if many threads want a few each, one must not have them all.
            let share = (cold.kept.len() / cold.locals.len().max(1)).clamp(FEWEST, MAGAZINE);
            let rest = cold.kept.len().saturating_sub(share);
            cold.kept
                .drain(rest..)
                .for_each(|index| magazine.push(Slot::of_own(index)));
            self.any_kept.store(rest > 0, Ordering::Relaxed);
        }
        (magazine.len() > 0).then_some(magazine)
    }

    /// Turns the thread's freed slots into ready ones, if nobody is reading.
    fn refill(&self, local: &Local) {
        pin::fence_before_look();
        if pin::oldest() == u64::MAX {
            pin::note_calm(local.ready_freed(!self.guarding.is_nobody()));
        }
    }

    /// Slots from the limbo whose readers have left.
    fn take_limbo(&self) -> Option<Box<Magazine>> {
        // As many as there were: what cannot be taken yet goes back to the end.
        for _ in 0..self.stock.limbo_len() {
            let early = bug("scan_before_pop").then(pin::oldest);
            let (mut magazine, stamp) = self.stock.pop_limbo()?;
            // After the pop: the scan must come after the stamp.
            let oldest = early.unwrap_or_else(pin::oldest);
            if !stamp.has_passed(oldest) {
                self.stock.push_limbo(magazine, stamp);
                // The limbo is roughly in order: the rest is younger.
                return None;
            }
            if let Some(guarded) = self.take_guarded(&mut magazine) {
                self.stock.push_limbo(guarded, stamp);
            }
            if magazine.len() > 0 {
                return Some(magazine);
            }
        }
        None
    }

    /// Slots that came from the limbo, by way of the shelf if they are scattered: other ones then, or none if others were faster.
    fn put_in_order(&self, first: Box<Magazine>) -> Option<Box<Magazine>> {
        if !self.stock.puts_in_order(&first) {
            return Some(first);
        }
        self.stock.push_ready(first);
        // Few would stay scattered.
        (1..TOGETHER)
            .map_while(|_| self.take_limbo())
            .for_each(|more| self.stock.push_ready(more));
        self.stock.pop_ready()
    }

    /// Makes room in a thread's full list of freed slots.
    pub(super) fn make_room(&self, local: &Local) {
        let mut freed = local.take_freed(self.stock.empty());
        pin::fence_before_look();
        if pin::oldest() != u64::MAX {
            return self.stock.push_limbo(freed, pin::stamp());
        }
        pin::note_calm(len_u32(freed.len()));
        if let Some(guarded) = self.take_guarded(&mut freed) {
            // Through the limbo, not back on the list: guards may be held for long.
            self.stock.push_limbo(guarded, pin::stamp());
        }
        self.give(local, freed);
    }

    /// Puts slots among the thread's ready ones, or on the shelf if there is no room.
    fn give(&self, local: &Local, magazine: Box<Magazine>) {
        let Some(left) = local.accept(magazine) else { return };
        if left.len() > 0 {
            self.stock.push_ready(left);
        } else {
            self.stock.keep_empty(left);
        }
    }

    /// A slot without an object.
    fn find_empty(&self, local: Option<&Local>) -> Result<u32, AllocateError> {
        if let Some(index) = local.and_then(Local::take_fresh) {
            return Ok(index);
        }
        let mut cold = self.cold.lock();
        if let Some(local) = local {
            self.note_peak(local, &cold);
        }
        if let Some(index) = cold.blank.pop() {
            return Ok(index);
        }
        let (first, end) = match cold.fresh.pop() {
            Some(run) => run,
            None => self.grow(&mut cold)?,
        };
        // Many from one place, so that threads do not write to the same cache lines.
        let share = if local.is_some() {
            end.min(first + SHARE)
        } else {
            first + 1
        };
        if share < end {
            cold.fresh.push((share, end));
        }
        if let Some(local) = local {
            local.fresh.set((first + 1, share));
        }
        Ok(first)
    }

    /// Puts back a slot without an object.
    pub(super) fn put_blank(&self, index: u32) {
        if !bug("leak_on_free") {
            self.cold.lock().blank.push(index);
        }
    }
}

impl Drop for Depot {
    fn drop(&mut self) {
        super::settle::tear_down(self);
        tag::give_back(self.tag);
    }
}

impl fmt::Debug for Depot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Depot")
            .field("shape", self.shape)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
