//! The shared part of a pool: its chunks, the magazines that no thread holds, and its numbers.
//!
//! Everything here is type-erased (see [`Shape`]) and off the hot path. `depot` says what there is and where slots come
//! from; `settle` where they go; `collect` gives memory back.

use std::fmt;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};
use std::time::Instant;

use super::chunk::{self, Chunk, Shape, Slot};
use super::directory::{self, Number, SLOT_BITS, tag};
use super::magazine::{Local, MAGAZINE, Magazine, without_readers};
use super::pin::{self, Stamp};
use super::policy::PoolPolicy;
use super::stats::Stats;
use crate::AllocateError;
use crate::sync::plain::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use crate::sync::{Condvar, Mutex, Queue, bug};

/// A slot for a new life.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// With the object of an earlier life.
    Made(u32),
    /// Without an object.
    Empty(u32),
}

/// The shared part of a pool.
pub(super) struct Depot {
    pub(super) tag: u64,
    pub(super) shape: &'static Shape,
    pub(super) me: Weak<Depot>,
    /// Slots that may be reused at once.
    pub(super) ready: Queue<Magazine>,
    /// Slots that wait for pins older than a stamp.
    pub(super) limbo: Queue<(Magazine, Stamp)>,
    /// Objects that wait for pins before they can be finished one by one: a finalizer, a limit, or the last life.
    pub(super) deferred: Queue<(u32, Stamp)>,
    pub(super) deferred_len: AtomicUsize,
    pub(super) cold: Mutex<Cold>,
    /// A limit is in force: threads keep no lists.
    pub(super) managed: AtomicBool,
    /// Most objects in use at a time.
    capacity: Option<usize>,
    /// Objects in use; counted only under a capacity.
    in_use: AtomicUsize,
    waiters: AtomicUsize,
    wait: Mutex<()>,
    room: Condvar,
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
    /// Slots with a free object, last freed last; used only while the pool is managed.
    pub(super) kept: Vec<u32>,
    pub(super) policy: PoolPolicy,
    pub(super) locals: Vec<Arc<Local>>,
}

/// Counters; see [`Stats`].
#[derive(Default)]
pub(super) struct Numbers {
    /// Lives of threads that have ended or keep no lists.
    pub(super) begun: AtomicU64,
    pub(super) ended: AtomicU64,
    fresh: AtomicU64,
    /// Objects that exist.
    pub(super) made: AtomicU64,
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
    /// The shared part of a new pool, or `None` if the process has a million pools already.
    pub(super) fn create(shape: &'static Shape, policy: PoolPolicy, capacity: Option<usize>) -> Option<Arc<Self>> {
        let place = {
            let mut places = PLACES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match places.0.pop() {
                Some(place) => place,
                None if places.1 == tag::PLACES => return None,
                None => {
                    places.1 += 1;
                    places.1 - 1
                }
            }
        };
        let tag = tag::new(SERIAL.fetch_add(1, Ordering::Relaxed), place);
        Some(Arc::new_cyclic(|me| Self {
            tag,
            shape,
            me: me.clone(),
            ready: Queue::new(),
            limbo: Queue::new(),
            deferred: Queue::new(),
            deferred_len: AtomicUsize::new(0),
            cold: Mutex::new(Cold {
                policy,
                ..Cold::default()
            }),
            managed: AtomicBool::new(capacity.is_some() || policy != PoolPolicy::KeepAll),
            capacity,
            in_use: AtomicUsize::new(0),
            waiters: AtomicUsize::new(0),
            wait: Mutex::new(()),
            room: Condvar::new(),
            numbers: Numbers::default(),
        }))
    }

    pub(super) fn is_managed(&self) -> bool {
        self.managed.load(Ordering::Relaxed)
    }

    /// Enters a thread's magazines.
    pub(super) fn add_local(&self, local: &Arc<Local>) {
        let mut cold = self.cold.lock();
        local.set_managed(self.is_managed());
        cold.locals.push(Arc::clone(local));
    }

    /// Takes over the magazines of a thread that ends. Called on that thread.
    pub(super) fn remove_local(&self, local: &Arc<Local>) {
        self.empty_local(local);
        let (next, end) = local.fresh.take();
        let mut cold = self.cold.lock();
        if next < end {
            cold.fresh.push((next, end));
        }
        let (begun, ended) = local.counts();
        // Under the lock, so that `stats` counts these lives once.
        self.numbers.begun.fetch_add(begun, Ordering::Relaxed);
        self.numbers.ended.fetch_add(ended, Ordering::Relaxed);
        cold.locals.retain(|known| !Arc::ptr_eq(known, local));
    }

    /// Moves this thread's lists to the depot: ready slots at once, freed ones when their readers have left.
    pub(super) fn empty_local(&self, local: &Local) {
        let mut magazine = Magazine::EMPTY;
        while let Some(index) = local.pop_ready_always() {
            magazine.push(index);
            if magazine.len() == MAGAZINE {
                self.ready.push(std::mem::replace(&mut magazine, Magazine::EMPTY));
            }
        }
        if magazine.len() > 0 {
            self.ready.push(magazine);
        }
        let freed = local.take_freed();
        if freed.len() > 0 {
            pin::fence_before_look();
            self.limbo.push((freed, pin::stamp()));
        }
        if self.is_managed() {
            self.absorb();
        }
    }

    /// A slot for a new life, counted against the capacity.
    ///
    /// `reuse` asks for the object of an earlier life where there is one; `until` is how long to wait for room.
    pub(super) fn acquire(
        &self,
        local: Option<&Local>,
        reuse: bool,
        until: Option<Option<Instant>>,
    ) -> Result<Found, AllocateError> {
        self.admit(until)?;
        if self.is_managed() {
            // The limit is new: what this thread still keeps comes under it.
            local
                .filter(|local| local.kept() > 0)
                .inspect(|local| self.empty_local(local));
        }
        if let Some(index) = reuse.then(|| self.find_made(local)).flatten() {
            return Ok(Found::Made(index));
        }
        match self.find_empty(local) {
            Ok(index) => Ok(Found::Empty(index)),
            Err(error) => {
                self.leave_room();
                Err(error)
            }
        }
    }

    /// A slot with a free object.
    fn find_made(&self, local: Option<&Local>) -> Option<u32> {
        if self.deferred_len.load(Ordering::Relaxed) != 0 {
            self.finish_deferred();
        }
        if self.is_managed() {
            return self.cold.lock().kept.pop();
        }
        let Some(local) = local else {
            let mut magazine = self.ready.pop().or_else(|| self.take_limbo())?;
            let index = magazine.pop();
            if magazine.len() > 0 {
                self.ready.push(magazine);
            }
            return index;
        };
        if let Some(index) = local.pop_ready() {
            return Some(index);
        }
        if local.has_freed() {
            self.refill(local);
            if let Some(index) = local.pop_ready() {
                return Some(index);
            }
        }
        let magazine = self.ready.pop().or_else(|| {
            // While the pin that stood in the way is still the oldest, its limbo is, too.
            let oldest = pin::oldest();
            (oldest == u64::MAX || oldest != local.blocked_by.get()).then(|| {
                local.blocked_by.set(oldest);
                self.take_limbo()
            })?
        })?;
        local.load(&magazine);
        self.note_peak(local);
        local.pop_ready()
    }

    /// Turns the thread's freed slots into ready ones, if nobody is reading.
    fn refill(&self, local: &Local) {
        pin::fence_before_look();
        if pin::oldest() == u64::MAX {
            let (quiet, read) = without_readers(&local.take_freed());
            local.load(&quiet);
            for &index in read.slots() {
                // There is room: the list was emptied above.
                local.push_freed(index);
            }
            self.note_peak(local);
        }
    }

    /// Slots from the limbo whose readers have left.
    fn take_limbo(&self) -> Option<Magazine> {
        // As many as there were: what cannot be taken yet goes back to the end.
        for _ in 0..self.limbo.len() {
            let (magazine, stamp) = self.limbo.pop()?;
            // After the pop: the scan must come after the stamp.
            let oldest = pin::oldest();
            if !stamp.has_passed(oldest) {
                self.limbo.push((magazine, stamp));
                // The limbo is roughly in order: the rest is younger.
                return None;
            }
            let (quiet, read) = without_readers(&magazine);
            if read.len() > 0 {
                self.limbo.push((read, stamp));
            }
            if quiet.len() > 0 {
                return Some(quiet);
            }
        }
        None
    }

    /// Makes room in a thread's full list of freed slots.
    pub(super) fn make_room(&self, local: &Local) {
        let freed = local.take_freed();
        pin::fence_before_look();
        if pin::oldest() == u64::MAX {
            let (quiet, read) = without_readers(&freed);
            if quiet.len() > 0 {
                if local.has_room() {
                    local.load(&quiet)
                } else {
                    self.ready.push(quiet)
                }
            }
            if read.len() > 0 {
                // Through the limbo, not back on the list: guards may be held for long.
                self.limbo.push((read, pin::stamp()));
            }
        } else {
            self.limbo.push((freed, pin::stamp()));
        }
        self.note_peak(local);
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
        if let Some(index) = cold.blank.pop() {
            return Ok(index);
        }
        let (first, end) = match cold.fresh.pop() {
            Some(run) => run,
            None => self.add_chunk(&mut cold)?,
        };
        // A magazine's worth from one place, so that threads do not write to the same cache lines.
        let share = if local.is_some() {
            end.min(first + len_u32(MAGAZINE))
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
        let type_name = (self.shape.type_name)();
        let Number { number, floor } = directory::borrow_number().ok_or(AllocateError::Exhausted { type_name })?;
        let base = number << SLOT_BITS;
        let Some(chunk) = Chunk::create(self.shape, self.tag, base, floor, NonNull::from(self)) else {
            directory::return_number(Number { number, floor });
            return Err(AllocateError::Memory {
                type_name,
                bytes: self.shape.layout().size(),
            });
        };
        directory::enter(number, self.tag, chunk);
        cold.chunks.push(chunk);
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
        self.numbers.fresh.fetch_add(1, Ordering::Relaxed);
        self.numbers.made.fetch_add(1, Ordering::Relaxed);
        if let Some(local) = local {
            self.note_peak_of(local.live_with_others() + 1);
        }
    }

    /// Samples the number of living objects.
    fn note_peak(&self, local: &Local) {
        let live = self.live(&self.cold.lock());
        let (begun, ended) = local.counts();
        local.others.set(live.wrapping_sub(begun.wrapping_sub(ended)));
        self.note_peak_of(live);
    }

    fn note_peak_of(&self, live: u64) {
        // Wrapped below zero by counts that were read at different moments: no sample.
        if live > self.numbers.peak.load(Ordering::Relaxed) && live <= u64::MAX / 2 {
            self.numbers.peak.fetch_max(live, Ordering::Relaxed);
        }
    }

    fn counts(&self, cold: &Cold) -> (u64, u64) {
        let mut begun = self.numbers.begun.load(Ordering::Relaxed);
        let mut ended = self.numbers.ended.load(Ordering::Relaxed);
        for local in &cold.locals {
            let (local_begun, local_ended) = local.counts();
            begun = begun.wrapping_add(local_begun);
            ended = ended.wrapping_add(local_ended);
        }
        (begun, ended)
    }

    fn live(&self, cold: &Cold) -> u64 {
        let (begun, ended) = self.counts(cold);
        begun.wrapping_sub(ended)
    }

    pub(super) fn stats(&self) -> Stats {
        let cold = self.cold.lock();
        let (lives, ended) = self.counts(&cold);
        let live = lives.saturating_sub(ended);
        self.note_peak_of(live);
        let load = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let made = load(&self.numbers.made);
        let fresh = load(&self.numbers.fresh);
        Stats {
            live,
            peak: load(&self.numbers.peak),
            lives,
            fresh,
            reused: lives.saturating_sub(fresh),
            kept: made.saturating_sub(live),
            retired: load(&self.numbers.retired),
            dropped: load(&self.numbers.dropped),
            panics: load(&self.numbers.panics),
            bytes: made * self.shape.bytes_per_slot() as u64,
        }
    }

    // Capacity.

    fn admit(&self, until: Option<Option<Instant>>) -> Result<(), AllocateError> {
        let Some(capacity) = self.capacity else { return Ok(()) };
        if self.try_admit(capacity) {
            return Ok(());
        }
        // What waits for readers is not in use any more once they have left.
        self.finish_deferred();
        let full = AllocateError::Full {
            type_name: (self.shape.type_name)(),
            capacity,
        };
        match until {
            None if self.try_admit(capacity) => Ok(()),
            None => Err(full),
            Some(deadline) => self.wait_for_room(capacity, deadline).then_some(()).ok_or(full),
        }
    }

    fn try_admit(&self, capacity: usize) -> bool {
        // SeqCst, as in `leave_room`: a waiter that sees no room is seen by whoever makes some.
        self.in_use
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| (n < capacity).then_some(n + 1))
            .is_ok()
    }

    #[cfg(not(acedia_loom))]
    fn wait_for_room(&self, capacity: usize, deadline: Option<Instant>) -> bool {
        /// Short naps, because a pin that ends elsewhere does not signal.
        const NAP: std::time::Duration = std::time::Duration::from_millis(10);
        let mut lock = self.wait.lock();
        self.waiters.fetch_add(1, Ordering::SeqCst);
        let admitted = loop {
            if self.try_admit(capacity) {
                break true;
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                break false;
            }
            let nap = deadline.map_or(NAP, |deadline| NAP.min(deadline - now));
            let timed_out = self.room.wait_for(&mut lock, nap).timed_out();
            if timed_out && self.deferred_len.load(Ordering::Relaxed) != 0 {
                parking_lot::MutexGuard::unlocked(&mut lock, || self.finish_deferred());
            }
        };
        self.waiters.fetch_sub(1, Ordering::SeqCst);
        admitted
    }

    #[cfg(acedia_loom)]
    fn wait_for_room(&self, _capacity: usize, _deadline: Option<Instant>) -> bool {
        false
    }

    /// An object is in use no more.
    pub(super) fn leave_room(&self) {
        if self.capacity.is_some() {
            self.in_use.fetch_sub(1, Ordering::SeqCst);
            if self.waiters.load(Ordering::SeqCst) != 0 {
                drop(self.wait.lock());
                self.room.notify_one();
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "lengths of magazines are small")]
fn len_u32(len: usize) -> u32 {
    len as u32
}

impl Drop for Depot {
    fn drop(&mut self) {
        super::settle::tear_down(self);
        let place = u32::try_from(tag::place(self.tag)).unwrap_or(u32::MAX);
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
                .map(|index| Slot { chunk, index }.highest_life())
                .max();
            directory::return_number(Number {
                number,
                floor: highest.unwrap_or(0),
            });
            // SAFETY: the pool is gone, so nobody has an owner, a guard or a pinned reference any more, and look-ups
            // under its tag were ended by `tear_down`.
            unsafe { chunk::Chunk::destroy(chunk) };
        }
    }
}

impl fmt::Debug for Depot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Depot")
            .field("shape", self.shape)
            .field("stats", &self.stats())
            .finish()
    }
}
