//! [`Depot`]: the record of one pool, shared by all threads: its chunks, its stock, its limits and its statistics.
//!
//! `recycle.rs` has the steps from the end of a life to the next one, and the limits. `collect.rs` has collections and the end of a pool.

use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock, Weak};

use crate::AllocateError;
use crate::policy::PoolPolicy;
use crate::pool::chunk::{self, About, Chunk, Shape, Slot};
use crate::pool::directory;
use crate::pool::handle::SLOT_BITS;
use crate::pool::life::Life;
use crate::pool::local::Local;
use crate::pool::pins::{Pins, Threads};
use crate::pool::stock::{Cells, Limbo, Stock};
use crate::report::stats::Stats;
use crate::sync::{AtomicBool, AtomicPtr, AtomicUsize, Mutex, Ordering, plain};

/// The shared part of a pool. The fields that every free reads come first, away from those that change often.
#[repr(C, align(128))]
pub(super) struct Depot {
    /// The threads that make guards of the pool's objects: its *census*. A thread joins it before its first guard; each free reads it.
    pub(super) census: Threads,
    pub(super) shape: &'static Shape,
    pub(super) tag: u64,
    /// The pins that may protect the pool's objects.
    pub(super) pins: &'static Pins,
    pub(super) weak: Weak<Depot>,
    about: About,
    /// Whether the pool is larger than the processor's caches.
    exceeds_caches: plain::AtomicBool,
    /// The first chunk. Each chunk points to the next one.
    first_chunk: AtomicPtr<Chunk>,
    /// The lists of the only thread that uses the pool, or null.
    only_local: plain::AtomicPtr<Local>,
    pub(super) limit: Limit,
    pub(super) room: Room,
    /// The most freed objects that may wait for readers while the pool makes more.
    pub(super) most_waiting: Option<usize>,
    pub(super) stock: Stock,
    /// The free objects of a pool whose limit is exact, once there was such a limit.
    pub(super) cells: OnceLock<Cells<Life>>,
    pub(super) limbo: Limbo,
    /// Whether the pool is in the list of pools in which objects wait for pins singly, or under an exact limit. The thread that adds the pool
    /// sets the flag. The thread that takes the pool out clears it, before it looks into the limbo. See `Depot::list`.
    pub(super) is_listed: AtomicBool,
    /// The freed objects that wait for pins in the limbo, or for their last guard.
    waiting: plain::AtomicU64,
    /// The objects that exist, minus `Local::made` of each thread that uses the pool now. Below 0 if objects of those threads were dropped.
    remainder: plain::AtomicU64,
    pub(super) locked: Mutex<Locked>,
    /// The token of the thread that drops the pool. A thread that was using the depot at that moment may drop the depot instead. It passes no
    /// panic on.
    pub(super) dropped_on: plain::AtomicUsize,
}

// A program can have thousands of pools, most of them with few objects. On other targets, locks have other sizes.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(acedia_loom)))]
const _: () = assert!(size_of::<Depot>() <= 384);

/// The fields under the depot's lock: growth, slots without an object, and the threads that come and go.
#[derive(Default)]
pub(super) struct Locked {
    pub(super) chunks: Vec<NonNull<Chunk>>,
    /// Slots without an object.
    pub(super) empty: Empty,
    pub(super) policy: PoolPolicy,
    /// The lists of each thread that uses the pool. Boxed, because each thread has the address of its own.
    #[expect(clippy::vec_box, reason = "as above")]
    pub(super) locals: Vec<Box<Local>>,
}

impl Locked {
    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        // SAFETY: the depot owns its chunks, and a borrower of this list borrows the depot.
        self.chunks.iter().map(|chunk| unsafe { chunk.as_ref() })
    }

    /// Puts back the slots that a thread has taken, but in which it has made no object.
    pub(super) fn take_back_fresh(&mut self, local: &Local) {
        let (start, end) = local.fresh.take();
        self.empty.put(start, end, false);
    }
}

// SAFETY: the raw pointers are chunks that the depot owns, and free slots in them; their words are atomic, and their objects are
// `Send + Sync`, which `Pool` requires of its type.
unsafe impl Send for Depot {}
// SAFETY: as above; the list of chunks is under a lock.
unsafe impl Sync for Depot {}

/// The settings of a pool, which it has from its beginning.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) policy: PoolPolicy,
    /// The most objects in use.
    pub(crate) bound: Option<usize>,
    pub(crate) most_waiting: Option<usize>,
}

/// Why a pool cannot grow.
pub(super) enum Refused {
    /// The system has no memory for so many bytes.
    Memory(usize),
    /// The process has used up the slot numbers.
    Number,
}

/// The counts of owners in a cache line. A model has few slots.
const COUNTS_IN_LINE: u32 = if cfg!(acedia_loom) { 1 } else { 16 };

/// Bytes of slots that approximately fit a core's own caches.
const NEAR: usize = if cfg!(miri) { 1 << 19 } else { 2 << 20 };

impl Depot {
    /// Creates the shared part of a pool. Fails if the process already has a million pools.
    pub(super) fn create(shape: &'static Shape, settings: Settings) -> Result<Arc<Self>, AllocateError> {
        // User code, so it runs before a tag is borrowed or a lock is taken.
        let about = (shape.about)();
        let no_number = shape.no_number();
        let pins = (shape.pins)();
        // This comes before `prepare`, which reads statics: a page of zeros that is read before it is written costs two page faults.
        let tag = directory::borrow_tag().ok_or(no_number)?;
        pins.prepare();
        let census = Threads::none();
        census.prepare();
        let depot = Arc::new_cyclic(|weak| Self {
            census,
            shape,
            tag,
            pins,
            weak: weak.clone(),
            about,
            exceeds_caches: plain::AtomicBool::new(false),
            first_chunk: AtomicPtr::new(std::ptr::null_mut()),
            only_local: plain::AtomicPtr::new(std::ptr::null_mut()),
            limit: Limit::new(settings.policy),
            room: Room::new(settings.bound),
            most_waiting: settings.most_waiting,
            stock: Stock::new(),
            cells: OnceLock::new(),
            limbo: Limbo::new(),
            is_listed: AtomicBool::new(false),
            waiting: plain::AtomicU64::new(0),
            remainder: plain::AtomicU64::new(0),
            locked: Mutex::new(Locked {
                policy: settings.policy,
                ..Locked::default()
            }),
            dropped_on: plain::AtomicUsize::new(0),
        });
        depot.prepare_limit();
        Ok(depot)
    }

    /// The depot of a chunk's pool.
    #[inline]
    pub(super) fn of_chunk(chunk: &Chunk) -> &Self {
        // SAFETY: the depot owns its chunks, so it outlives every use of one.
        unsafe { chunk.depot.cast().as_ref() }
    }

    /// The depot of a slot's pool.
    #[inline]
    pub(super) fn of_slot(slot: &Slot) -> &Self {
        Self::of_chunk(slot.chunk())
    }

    /// Adds a thread's new lists.
    pub(super) fn add_local(&self, local: Box<Local>) -> NonNull<Local> {
        let at = NonNull::from(&*local);
        let mut locked = self.locked.lock();
        // From here on `stats` counts what is on the lists. They are empty until `attach` has returned them to their thread.
        locked.locals.push(local);
        self.note_only_local(&locked);
        at
    }

    /// Removes the lists of a thread that ends, which have no slots but fresh ones.
    pub(super) fn remove_local(&self, at: NonNull<Local>) {
        let mut locked = self.locked.lock();
        let Some(nth) = locked.locals.iter().position(|known| NonNull::from(&**known) == at) else {
            return;
        };
        let gone = locked.locals.swap_remove(nth);
        // An allocation on another thread that looked for empty slots before this may have added a chunk.
        locked.take_back_fresh(&gone);
        // Under the lock, so that `stats` finds the objects that the thread made either in its lists or here. `live_of_only`, which takes no lock,
        // may find the lists gone before it finds this count. It then misses these objects.
        self.remainder.fetch_add(gone.made(), Ordering::Relaxed);
        // If one thread remains, its `live_of_only` returns `None` before this, and a number afterwards.
        self.note_only_local(&locked);
        drop(locked);
    }

    /// Notes whether one thread alone uses the pool, after a change.
    fn note_only_local(&self, locked: &Locked) {
        let only = match &*locked.locals {
            [only] => std::ptr::from_ref::<Local>(only).cast_mut(),
            _ => std::ptr::null_mut(),
        };
        // Relaxed: changed under the lock. `live_of_only` reads it only for a statistic: with the old word, it returns the number of before the
        // change, or its caller takes the lock of `stats` in vain.
        self.only_local.store(only, Ordering::Relaxed);
    }

    /// The number of living objects, if no thread but that of `local` uses the pool. Takes no lock.
    #[inline]
    pub(super) fn live_of_only(&self, local: &Local) -> Option<u64> {
        // Relaxed: if another thread adds its lists at this moment, this returns the number of before. Once this thread has synchronised with
        // the other thread, such as by taking an object from it, it finds the word changed.
        let is_only = std::ptr::eq(self.only_local.load(Ordering::Relaxed), local);
        is_only.then(|| self.numbers(local.made(), local.kept()).live)
    }

    /// Whether a random access to the pool's memory probably misses the processor's caches.
    #[inline]
    pub(super) fn exceeds_caches(&self) -> bool {
        // Relaxed: only speed depends on it. `grow` stores it.
        self.exceeds_caches.load(Ordering::Relaxed)
    }

    /// Takes one slot without an object, or up to `most` adjacent ones if they never had any. If several threads use the pool, `most` is
    /// rounded up to a multiple of [`COUNTS_IN_LINE`].
    pub(super) fn take_empty(&self, mut most: u32) -> Result<Range<u32>, Refused> {
        let mut locked = self.locked.lock();
        // Whole cache lines of the counts of owners, so that threads which clone owners do not write to the same ones.
        let apart = most > 1 && locked.locals.len() > 1;
        if apart {
            most = most.next_multiple_of(COUNTS_IN_LINE);
        }
        let taken = loop {
            if apart {
                locked.empty.align(COUNTS_IN_LINE);
            }
            if let Some(taken) = locked.empty.take(most) {
                break taken;
            }
            self.grow(&mut locked)?;
        };
        // Still under the lock, and before an object is made there: an iteration that misses the new number misses no visible object.
        // SAFETY: the directory has the chunks of a living pool.
        unsafe { Chunk::of(taken.start).as_ref() }.use_up_to(taken.end);
        Ok(taken)
    }

    /// Adds a chunk, whose slots have no objects.
    fn grow(&self, locked: &mut Locked) -> Result<(), Refused> {
        let objects = self.shape.stride.saturating_mul(self.shape.slots as usize);
        let number = directory::borrow_number().ok_or(Refused::Number)?;
        let depot = NonNull::from(self).cast();
        let Some(chunk) = Chunk::create((self.shape, self.about), (self.marked_tag(), depot), number) else {
            directory::return_number(number);
            return Err(Refused::Memory(self.shape.bytes.unwrap_or(objects)));
        };
        // Before a thread can have a slot of the chunk: a look-up by a handle of one finds the chunk.
        Chunk::publish(chunk, self.tag);
        // SAFETY: the chunk was made above.
        let Range { start, end } = unsafe { chunk.as_ref() }.indices();
        locked.empty.put(start, end, false);
        // Release pairs with `first_chunk` and `Handles::next_slot` (Acquire): an iteration that finds the chunk sees its header. An iteration
        // that comes before this store skips the chunk, whose objects are younger.
        match locked.chunks.last() {
            // SAFETY: the depot owns its chunks.
            Some(last) => unsafe { last.as_ref() }.next.store(chunk.as_ptr(), Ordering::Release),
            None => self.first_chunk.store(chunk.as_ptr(), Ordering::Release),
        }
        locked.chunks.push(chunk);
        let bytes = locked.chunks.len() * self.shape.stride * self.shape.slots as usize;
        // Relaxed: changed under the lock. If `get_many` loads it before this, it does not prefetch yet.
        self.exceeds_caches.store(bytes > NEAR, Ordering::Relaxed);
        Ok(())
    }

    /// The first chunk of the pool, if it has one.
    #[inline]
    pub(super) fn first_chunk(&self) -> Option<NonNull<Chunk>> {
        // Acquire pairs with `grow` (Release).
        NonNull::new(self.first_chunk.load(Ordering::Acquire))
    }

    /// Puts back slots whose objects were dropped.
    pub(super) fn put_empty(&self, slots: &[u32]) {
        // An allocation that looks for an empty slot before this takes another one, or adds a chunk.
        let mut locked = self.locked.lock();
        for &index in slots {
            locked.empty.put(index, index + 1, true);
        }
    }
}

// The numbers.
impl Depot {
    /// Counts an object that was made in an empty slot.
    pub(super) fn count_made(&self, local: Option<&Local>) {
        match local {
            Some(local) => local.count_made(),
            // Relaxed, here and below: only `numbers` reads it, for `stats` and `live_of_only`. At this moment, it may find one object more or
            // less.
            None => _ = self.remainder.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// Counts objects that are dropped.
    pub(super) fn count_dropped(&self, objects: u64) {
        self.remainder.fetch_sub(objects, Ordering::Relaxed);
    }

    /// Counts objects that begin to wait for readers, before another thread can find them.
    pub(super) fn count_waiting(&self, objects: u64) {
        // Relaxed, here and below: `numbers` and `find_empty` read it, and it orders nothing. It rises before the objects can be found, so that
        // the thread that finds them never lowers it below 0. A thread that reads it in between counts an object that does not wait yet.
        self.waiting.fetch_add(objects, Ordering::Relaxed);
    }

    /// Counts objects whose wait is over. If `find_empty` loads the number before this, it may refuse an object (`most_waiting`), although
    /// fewer wait by then.
    pub(super) fn count_waited(&self, objects: u64) {
        self.waiting.fetch_sub(objects, Ordering::Relaxed);
    }

    /// The objects that wait for readers.
    pub(super) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    pub(super) fn stats(&self) -> Stats {
        let locked = self.locked.lock();
        let sum = |number: fn(&Local) -> u64| locked.locals.iter().map(|local| number(local)).sum::<u64>();
        self.numbers(sum(Local::made), sum(Local::kept))
    }

    /// The statistics, if the threads that use the pool have made and keep these numbers of objects.
    #[inline]
    fn numbers(&self, made: u64, kept: u64) -> Stats {
        // Each word may change while another is read, and a slot that moves is counted twice or not at all. So a difference may be below 0, and
        // `kept` above `exist`.
        let exist = self.remainder.load(Ordering::Relaxed).wrapping_add(made);
        let exist = if exist > u64::MAX / 2 { 0 } else { exist };
        let waiting = self.waiting();
        let in_cells = self.cells.get().map_or(0, |cells| cells.len() as u64);
        let kept = (kept + self.stock.slots() + in_cells + waiting).min(exist);
        Stats {
            live: exist - kept,
            kept,
            waiting,
            bytes: exist * self.shape.stride as u64,
        }
    }
}

// The limits.
//
// A limit below `EXACT` is exact. All threads then keep the free objects in a row of cells (`stock.rs`), as many as the limit, and no thread
// keeps any for itself. A free that finds no empty cell drops its object. A higher limit applies to the stock, and each thread that uses the
// pool keeps up to 766 free objects besides. The limit is checked each time that a thread puts a magazine into the stock.
//
// A pool with an exact limit or with a bound is *counted*: its tag and those of its chunks have a mark, so each allocation and each
// free leaves the hot path and comes to the depot. Dropping an object, and making one in an empty slot, takes the lock; keeping one
// and taking a kept one does not.

impl Depot {
    /// Whether every allocation and every free comes to the depot.
    pub(super) fn is_counted(&self) -> bool {
        self.room.bound.is_some() || self.limit.is_exact()
    }

    /// The tag, marked if the pool is counted.
    pub(super) fn marked_tag(&self) -> u64 {
        self.tag | if self.is_counted() { chunk::COUNTED } else { 0 }
    }

    /// Makes the cells of an exact limit.
    pub(super) fn prepare_limit(&self) {
        if self.limit.is_exact() {
            self.cells.get_or_init(|| Cells::new(EXACT));
        }
    }
}

/// A limit below this number is exact.
pub(super) const EXACT: usize = if cfg!(acedia_loom) { 2 } else { 4096 };

/// The most free objects that a pool keeps; `usize::MAX` without a limit.
pub(super) struct Limit(plain::AtomicUsize);

impl Limit {
    pub(super) fn new(policy: PoolPolicy) -> Self {
        Self(plain::AtomicUsize::new(policy.limit().unwrap_or(usize::MAX)))
    }

    pub(super) fn get(&self) -> usize {
        // Relaxed: a thread that misses a change at that moment keeps an object too many, until the next allocation or change.
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the pool keeps all free objects in cells.
    pub(super) fn is_exact(&self) -> bool {
        self.get() < EXACT
    }

    pub(super) fn set(&self, policy: PoolPolicy) {
        // Relaxed: each free that keeps an object loads it (`get`). The caller looks at the kept objects after this store, and a thread that
        // has filled a cell loads the limit again (`Depot::keep`).
        self.0.store(policy.limit().unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    /// The most slots in the stock.
    pub(super) fn of_stock(&self) -> usize {
        if self.is_exact() { 0 } else { self.get() }
    }
}

/// The number of objects in use, in a pool with a bound.
pub(super) struct Room {
    pub(super) bound: Option<usize>,
    used: AtomicUsize,
}

impl Room {
    pub(super) fn new(bound: Option<usize>) -> Self {
        Self {
            bound,
            used: AtomicUsize::new(0),
        }
    }

    /// Counts one more object in use. `false` if there are as many as the bound allows.
    pub(super) fn enter(&self) -> bool {
        let Some(bound) = self.bound else { return true };
        // Acquire pairs with `leave` (Release): the object whose place this one takes is finished. If two threads want the last place, the
        // exchange of one succeeds, and the other finds the pool full.
        let more = |used| (used < bound).then_some(used + 1);
        self.used
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, more)
            .is_ok()
    }

    /// Counts one object less in use. The object is kept or dropped now.
    pub(super) fn leave(&self) {
        if self.bound.is_some() {
            // Release pairs with `enter` (Acquire). An allocation that comes before this finds the pool full, although the object is
            // finished: it returns an error, and does not wait.
            self.used.fetch_sub(1, Ordering::Release);
        }
    }
}

/// Adjacent slots of one chunk that have no object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether they had objects since the chunk was made, or since their pages were returned.
    pub(super) used: bool,
}

/// Slots of one pool that have no object.
#[derive(Default)]
pub(super) struct Empty(Vec<Run>);

impl Run {
    /// Whether `next` continues this run, in the same chunk.
    pub(super) fn reaches(&self, next: &Self) -> bool {
        self.end == next.start && self.start >> SLOT_BITS == next.start >> SLOT_BITS
    }
}

impl Empty {
    /// Adds a run, unless `start` is not below `end`.
    pub(super) fn put(&mut self, start: u32, end: u32, used: bool) {
        let run = Run { start, end, used };
        match self.0.last_mut().filter(|last| last.used == used) {
            _ if start >= end => {}
            Some(last) if last.reaches(&run) => last.end = end,
            Some(last) if run.reaches(last) => last.start = start,
            _ => self.0.push(run),
        }
    }

    /// Splits the last run, if its slots had no object, so that the next index taken is a multiple of `of`.
    fn align(&mut self, of: u32) {
        let Some(last) = self.0.last_mut().filter(|last| !last.used) else {
            return;
        };
        let start = last.start.next_multiple_of(of);
        if last.start < start && start < last.end {
            let rest = Run { start, ..*last };
            last.end = start;
            self.0.push(rest);
        }
    }

    /// Takes one slot, or at most `most` if no slot of the last run had an object.
    pub(super) fn take(&mut self, most: u32) -> Option<Range<u32>> {
        let last = self.0.last_mut()?;
        let most = if last.used { 1 } else { most };
        let taken = last.start..last.end.min(last.start + most);
        last.start = taken.end;
        if last.start == last.end {
            self.0.pop();
        }
        Some(taken)
    }

    pub(super) fn extend(&mut self, more: Self) {
        more.0
            .into_iter()
            .for_each(|run| self.put(run.start, run.end, run.used));
    }

    /// The runs, in the order of the slots.
    pub(super) fn into_order(mut self) -> Vec<Run> {
        self.0.sort_unstable();
        self.0
    }
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod tests;
