//! The shared part of a pool: its chunks, the magazines that no thread holds, and its numbers.
//!
//! Everything here is type-erased (see [`Shape`]) and off the hot path. `depot` says what there is and where slots come
//! from; `settle` where they go; `collect` gives memory back.

use std::fmt;
use std::ptr::NonNull;

use super::capacity::{Capacity, Wait};
use super::census::Census;
use super::chunk::Chunk;
use super::deferred::Deferred;
use super::directory::{self, Number, SLOT_BITS, tag};
use super::magazine::{Local, MAGAZINE, Magazine};
use super::pin::{self, Stamp};
use super::policy::PoolPolicy;
use super::shape::{About, Shape};
use super::shared::{Shared, WeakShared};
use super::shelf::Shelf;
use super::slot::{Grid, Slot, Span};
use super::stats::Stats;
use crate::AllocateError;
use crate::sync::plain::{AtomicBool, AtomicU64, Ordering};
use crate::sync::{AtomicPtr, Mutex, Queue, ShortQueue, bug};

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
    only: AtomicPtr<u8>,
    /// The chunks are more than [`NEAR`] together.
    far: AtomicBool,
    /// Slots that may be reused at once, and were used last: so they are still near.
    recent: ShortQueue<Box<Magazine>>,
    /// Those for which there was no room among these. Without the others, a program that had many objects once and has few
    /// now would use the slots of all in turns, each of them when it is far away again.
    ready: Queue<Box<Magazine>>,
    /// These once the pool is far, and those that stand scattered over its chunks.
    pub(super) shelf: Shelf,
    /// Magazines without slots, so that exchanging one for another allocates nothing.
    pub(super) empties: Queue<Box<Magazine>>,
    /// Slots that wait for pins older than a stamp.
    pub(super) limbo: Queue<(Box<Magazine>, Stamp)>,
    /// Objects that wait for pins before they can be finished one by one: a finalizer, a limit, or the last life.
    pub(super) deferred: Deferred,
    pub(super) cold: Mutex<Cold>,
    pub(super) guarding: Census,
    pub(super) counting: Census,
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

/// So many bytes of chunks stay in a core's own caches, more or less.
const NEAR: usize = if cfg!(miri) { 1 << 19 } else { 2 << 20 };

/// Magazines that are passed on first. So many of small objects fit the second cache.
const RECENT: usize = if cfg!(acedia_loom) { 1 } else { 16 };

/// Magazines of scattered slots that leave the limbo together.
const TOGETHER: usize = 16;

/// Most magazines without slots that are kept.
const EMPTIES: usize = 64;

/// Counters; see [`Stats`].
#[derive(Default)]
pub(super) struct Numbers {
    /// Lives begun by threads that have ended or keep no lists.
    pub(super) begun: AtomicU64,
    /// Slots in the depot's queues of magazines.
    shelved: AtomicU64,
    /// Objects whose life is over and that wait for readers one by one.
    pub(super) leaving: AtomicU64,
    fresh: AtomicU64,
    peak: AtomicU64,
    pub(super) retired: AtomicU64,
    pub(super) dropped: AtomicU64,
    pub(super) panics: AtomicU64,
}

// SAFETY: the raw pointers are chunks that the depot owns; their words are atomic, and their objects are `Send + Sync`,
// which `Pool` demands of every type it is made for.
unsafe impl Send for Depot {}
// SAFETY: as above; the list of chunks is under a lock.
unsafe impl Sync for Depot {}

/// Places in the threads' tables: those that were given back, and the next new one.
static PLACES: std::sync::Mutex<(Vec<u32>, u32)> = std::sync::Mutex::new((Vec::new(), 0));
static SERIAL: AtomicU64 = AtomicU64::new(1);

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
            let tag = tag::new(SERIAL.fetch_add(1, Ordering::Relaxed), take_place(shape)?);
            Ok(Self::new(me, tag, (shape, about), policy, capacity))
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
            far: AtomicBool::new(false),
            recent: ShortQueue::new(RECENT),
            ready: Queue::new(),
            shelf: Shelf::new(),
            empties: Queue::new(),
            limbo: Queue::new(),
            deferred: Deferred::new(),
            cold: Mutex::new(Cold {
                policy,
                ..Cold::default()
            }),
            guarding: Census::new(),
            counting: Census::new(),
            any_kept: AtomicBool::new(false),
            managed: AtomicBool::new(capacity.is_some() || policy != PoolPolicy::KeepAll),
            capacity: Capacity::new(capacity),
            numbers: Numbers::default(),
        }
    }

    /// The pool's only chunk, for readers.
    #[inline]
    pub(super) fn only_span(&self) -> Span {
        // Acquire pairs with `add_chunk` (Release): who sees the chunk sees its memory. An old answer is as true for every key
        // that was handed to the caller: the one that names another chunk was made after the answer changed.
        Span::from_raw(self.only.load(Ordering::Acquire))
    }

    /// Whether what is read at random is likely not in a cache of the processor's.
    #[inline]
    pub(super) fn is_far(&self) -> bool {
        // Relaxed: only speed depends on it.
        self.far.load(Ordering::Relaxed)
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
        self.for_others(|| self.empty_local(local));
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
        local.take_ready().for_each(|magazine| self.push_ready(magazine));
        let freed = local.take_freed(self.empty_magazine());
        if bug("exit_loses_freed") {
            return;
        }
        if bug("exit_without_wait") {
            self.push_ready(freed);
        } else if freed.len() > 0 {
            pin::fence_before_look();
            self.push_limbo(freed, pin::stamp());
        }
        if self.is_managed() {
            self.absorb();
        }
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
                self.push_ready(magazine);
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
        let magazine = self.pop_shelved().or_else(|| {
            // While the pin that stood in the way is still the oldest, its limbo is, too.
            let oldest = pin::oldest();
            let worth_it = oldest == u64::MAX || oldest != local.blocked_by.get();
            let magazine = worth_it.then(|| self.take_limbo_in_order()).flatten();
            local.blocked_by.set(if magazine.is_none() { oldest } else { u64::MAX });
            magazine
        })?;
        self.give(local, magazine);
        local.begin_ready().map(Found::Begun)
    }

    /// Slots that may be reused at once and that no thread holds.
    fn pop_shelved(&self) -> Option<Box<Magazine>> {
        self.pop_ready().or_else(|| self.take_kept())
    }

    /// What threads without magazines put away, and what a limit that was lifted has left.
    fn take_kept(&self) -> Option<Box<Magazine>> {
        // Relaxed: a miss leaves them to the next look.
        if !self.any_kept.load(Ordering::Relaxed) || bug("kept_forgotten") {
            return None;
        }
        // Without memory for one, they stay where they are.
        let mut magazine = self.empties.pop().or_else(Magazine::try_empty)?;
        {
            let mut cold = self.cold.lock();
            let rest = cold.kept.len().saturating_sub(MAGAZINE);
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
        for _ in 0..self.limbo.len() {
            let early = bug("scan_before_pop").then(pin::oldest);
            let (mut magazine, stamp) = self.pop_limbo()?;
            // After the pop: the scan must come after the stamp.
            let oldest = early.unwrap_or_else(pin::oldest);
            if !stamp.has_passed(oldest) {
                self.push_limbo(magazine, stamp);
                // The limbo is roughly in order: the rest is younger.
                return None;
            }
            if let Some(guarded) = self.take_guarded(&mut magazine) {
                self.push_limbo(guarded, stamp);
            }
            if magazine.len() > 0 {
                return Some(magazine);
            }
        }
        None
    }

    /// As `take_limbo`, by way of the shelf if the slots are scattered.
    fn take_limbo_in_order(&self) -> Option<Box<Magazine>> {
        let first = self.take_limbo()?;
        if !self.is_far() || !Grid::of(self.shape).is_some_and(|grid| first.is_scattered(&grid)) {
            return Some(first);
        }
        self.push_ready(first);
        // Few would stay scattered.
        (1..TOGETHER)
            .map_while(|_| self.take_limbo())
            .for_each(|more| self.push_ready(more));
        self.pop_ready()
    }

    /// Makes room in a thread's full list of freed slots.
    pub(super) fn make_room(&self, local: &Local) {
        let mut freed = local.take_freed(self.empty_magazine());
        pin::fence_before_look();
        if pin::oldest() != u64::MAX {
            return self.push_limbo(freed, pin::stamp());
        }
        pin::note_calm(len_u32(freed.len()));
        if let Some(guarded) = self.take_guarded(&mut freed) {
            // Through the limbo, not back on the list: guards may be held for long.
            self.push_limbo(guarded, pin::stamp());
        }
        self.give(local, freed);
    }

    /// Puts slots among the thread's ready ones, or on the shelf if there is no room.
    fn give(&self, local: &Local, magazine: Box<Magazine>) {
        let Some(left) = local.accept(magazine) else { return };
        if left.len() > 0 {
            self.push_ready(left);
        } else {
            self.keep_empty(left);
        }
    }

    /// Keeps a magazine without slots for whoever needs one.
    fn keep_empty(&self, magazine: Box<Magazine>) {
        // Some are enough: a thread that only allocates has one for each that another thread fills.
        if self.empties.len() < EMPTIES {
            self.empties.push(magazine);
        }
    }

    /// An empty magazine.
    pub(super) fn empty_magazine(&self) -> Box<Magazine> {
        self.empties.pop().unwrap_or_else(Magazine::empty)
    }

    /// A slot without an object.
    fn find_empty(&self, local: Option<&Local>) -> Result<u32, AllocateError> {
        if let Some(local) = local {
            let (next, end) = local.fresh.get();
            if next < end {
                local.fresh.set((next + 1, end));
                return Ok(next);
            }
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
            None => self.add_chunk(&mut cold)?,
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

    fn add_chunk(&self, cold: &mut Cold) -> Result<(u32, u32), AllocateError> {
        let no_memory = || self.shape.no_memory(self.shape.layout().size());
        let number = directory::borrow_number().map_err(|_| no_memory())?;
        let Number { number, floor } = number.ok_or(self.shape.no_number())?;
        let base = number << SLOT_BITS;
        // Room in the lists first: a chunk that cannot be listed must not exist.
        let listed = cold.chunks.try_reserve(1).and_then(|()| cold.fresh.try_reserve(1));
        let nth = len_u32(cold.chunks.len());
        let chunk = listed.ok().and_then(|()| Chunk::create(self, nth, base, floor));
        let Some(chunk) = chunk else {
            directory::return_number(&Number { number, floor });
            return Err(no_memory());
        };
        // SAFETY: made above.
        unsafe { chunk.as_ref() }.set_managed(self.is_managed());
        directory::enter(number, self.tag, chunk);
        let only = if cold.chunks.is_empty() || bug("second_chunk_unnoticed") {
            Span::of(cold.chunks.first().copied().unwrap_or(chunk))
        } else {
            Span::NONE
        };
        // Before anybody can have a key of the chunk. Release pairs with `only_span` (Acquire): the chunk's memory is zero, or
        // older lives have written there.
        self.only.store(only.into_raw(), Ordering::Release);
        cold.chunks.push(chunk);
        if cold.chunks.len().saturating_mul(self.shape.layout().size()) > NEAR {
            // Relaxed: only speed depends on it.
            self.far.store(true, Ordering::Relaxed);
        }
        Ok((base, base + self.shape.slots))
    }

    /// Puts back a slot without an object.
    pub(super) fn put_blank(&self, index: u32) {
        if !bug("leak_on_free") {
            self.cold.lock().blank.push(index);
        }
    }

    /// Counts an object that was made in an empty slot.
    pub(super) fn count_made(&self, local: Option<&Local>) {
        match local {
            Some(local) => local.count_made(),
            None => {
                self.numbers.fresh.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Objects made, and objects that exist.
    fn made(&self, cold: &Cold) -> (u64, u64) {
        let on_threads: u64 = cold.locals.iter().map(|local| local.made()).sum();
        let fresh = on_threads + self.numbers.fresh.load(Ordering::Relaxed);
        (
            fresh,
            fresh.saturating_sub(self.numbers.dropped.load(Ordering::Relaxed)),
        )
    }

    /// Samples the number of living objects, and tells the thread how many it does not account for.
    fn note_peak(&self, local: &Local, cold: &Cold) {
        let live = self.made(cold).1.saturating_sub(self.kept(cold));
        local.set_live(live);
        self.note_peak_of(live);
    }

    fn note_peak_of(&self, live: u64) {
        if live > self.numbers.peak.load(Ordering::Relaxed) {
            self.numbers.peak.fetch_max(live, Ordering::Relaxed);
        }
    }

    /// Objects whose life is over.
    fn kept(&self, cold: &Cold) -> u64 {
        let on_threads: u64 = cold.locals.iter().map(|local| local.kept()).sum();
        let shelved = self.numbers.shelved.load(Ordering::Relaxed);
        let leaving = self.numbers.leaving.load(Ordering::Relaxed);
        on_threads + shelved + leaving + cold.kept.len() as u64
    }

    // The queues, counted.

    pub(super) fn push_ready(&self, magazine: Box<Magazine>) {
        self.numbers.shelved.fetch_add(magazine.len() as u64, Ordering::Relaxed);
        let rest = if self.is_far() {
            self.push_far(magazine)
        } else {
            self.recent.push(magazine)
        };
        if let Err(rest) = rest {
            self.ready.push(rest);
        }
    }

    /// Puts scattered slots, and those that many others will be used before, on the shelf, if there is one and memory for them.
    #[cold]
    fn push_far(&self, mut magazine: Box<Magazine>) -> Result<(), Box<Magazine>> {
        let Some(grid) = Grid::of(self.shape) else {
            return self.recent.push(magazine);
        };
        if !magazine.is_scattered(&grid) {
            let shelve = |magazine| self.shelf.put_whole(magazine, &grid);
            return self.recent.push(magazine).or_else(shelve);
        }
        self.shelf.put_each(&mut magazine, &grid);
        if magazine.len() > 0 {
            return Err(magazine);
        }
        self.keep_empty(magazine);
        Ok(())
    }

    pub(super) fn pop_ready(&self) -> Option<Box<Magazine>> {
        let near = self.recent.pop().or_else(|| self.ready.pop());
        let magazine = near.or_else(|| if self.is_far() { self.pop_far() } else { None })?;
        self.numbers.shelved.fetch_sub(magazine.len() as u64, Ordering::Relaxed);
        Some(magazine)
    }

    #[cold]
    fn pop_far(&self) -> Option<Box<Magazine>> {
        let empty = || self.empties.pop().or_else(Magazine::try_empty);
        self.shelf.take(empty, &Grid::of(self.shape)?)
    }

    #[cfg(all(test, not(acedia_loom)))]
    pub(super) fn shelved_magazines(&self) -> usize {
        std::iter::from_fn(|| self.pop_ready())
            .collect::<Vec<_>>()
            .into_iter()
            .map(|magazine| self.push_ready(magazine))
            .count()
    }

    pub(super) fn push_limbo(&self, magazine: Box<Magazine>, stamp: Stamp) {
        self.numbers.shelved.fetch_add(magazine.len() as u64, Ordering::Relaxed);
        self.limbo.push((magazine, stamp));
    }

    pub(super) fn pop_limbo(&self) -> Option<(Box<Magazine>, Stamp)> {
        let (magazine, stamp) = self.limbo.pop()?;
        self.numbers.shelved.fetch_sub(magazine.len() as u64, Ordering::Relaxed);
        Some((magazine, stamp))
    }

    pub(super) fn stats(&self) -> Stats {
        let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let cold = self.cold.lock();
        let begun: u64 = cold.locals.iter().map(|local| local.begun()).sum();
        let lives = load(&self.numbers.begun) + begun;
        let kept = self.kept(&cold);
        let (fresh, made) = self.made(&cold);
        let live = made.saturating_sub(kept);
        self.note_peak_of(live);
        let peak = cold
            .locals
            .iter()
            .map(|local| local.peak())
            .fold(load(&self.numbers.peak), u64::max);
        Stats {
            live,
            peak,
            lives,
            fresh,
            reused: lives.saturating_sub(fresh),
            kept: kept.min(made),
            retired: load(&self.numbers.retired),
            dropped: load(&self.numbers.dropped),
            panics: load(&self.numbers.panics),
            bytes: made * self.shape.bytes_per_slot() as u64,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "lengths of magazines, and chunks, are few"
)]
fn len_u32(len: usize) -> u32 {
    len as u32
}

/// A place in the threads' tables for a new pool.
fn take_place(shape: &Shape) -> Result<u32, AllocateError> {
    let mut places = PLACES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (returned, next) = &mut *places;
    if let Some(place) = returned.pop() {
        return Ok(place);
    }
    if *next == tag::PLACES {
        return Err(shape.no_number());
    }
    // Room for all that are taken: giving one back allocates nothing.
    let room = *next as usize + 1;
    let reserved = returned.try_reserve(room);
    reserved.map_err(|_| shape.no_memory(room * size_of::<u32>()))?;
    *next += 1;
    Ok(*next - 1)
}

impl Drop for Depot {
    fn drop(&mut self) {
        super::settle::tear_down(self);
        let place = tag::place(self.tag);
        PLACES
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .0
            .push(place);
    }
}

impl Depot {
    /// Unmakes the chunks, whose objects have been dropped.
    pub(super) fn destroy_chunks(&self) {
        for chunk in std::mem::take(&mut self.cold.lock().chunks) {
            // SAFETY: the chunk is alive until `destroy` below.
            let header = unsafe { chunk.as_ref() };
            let number = header.base >> SLOT_BITS;
            let highest = (header.base..header.base + header.shape.slots)
                .map(|index| Slot::of_chunk(chunk, index).highest_promised(header))
                .max();
            directory::return_number(&Number {
                number,
                floor: highest.unwrap_or(0),
            });
            // SAFETY: the pool is gone, so nobody has an owner, a guard or a pinned reference any more, and look-ups
            // under its tag were ended by `tear_down`.
            unsafe { Chunk::destroy(chunk) };
        }
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

#[cfg(all(test, not(acedia_loom)))]
mod tests {
    use super::EMPTIES;
    use crate::pool::{Pool, pin};

    /// Each guard under which a magazine is emptied makes another magazine; they must not pile up.
    #[test]
    fn empty_magazines_are_few() {
        // Two threads that read: what is freed has to wait.
        drop(pin());
        std::thread::spawn(|| drop(pin())).join().unwrap();
        let pool: Pool<u64> = Pool::new();
        for round in 0..1000 {
            let owners: Vec<_> = (0..300).map(|_| pool.allocate()).collect();
            let keys: Vec<_> = owners.iter().map(crate::pool::Owner::key).collect();
            let guard = pool.guard(keys[round % 100]).unwrap();
            drop(owners);
            drop(guard);
        }
        let depot = pool.depot.get().unwrap();
        assert!(depot.empties.len() <= EMPTIES, "{}", depot.empties.len());
        assert!(!depot.empties.is_empty(), "none was ever kept");
    }
}
