//! [`Depot`]: the record of one pool, shared by all threads. The layers above implement its behaviour.

use std::cell::Cell;
use std::ops::Range;
use std::ptr::NonNull;

use crate::AllocateError;
use crate::policy::PoolPolicy;
use crate::pool::depot::held::{Held, MostWaiting};
use crate::pool::depot::stats::Counts;
use crate::pool::list::empty::Empty;
use crate::pool::list::kept::Kept;
use crate::pool::list::local::Local;
use crate::pool::list::magazine::MAGAZINE;
use crate::pool::list::stock::{Limbo, Stock};
use crate::pool::memory::chunk::Chunk;
use crate::pool::memory::shape::Shape;
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::memory::slot::Slot;
use crate::pool::reading::pins::{Epoch, Pins, Threads};
use crate::pool::word::tag;
use crate::room::Room;
use crate::sync::plain::{AtomicBool, Ordering};
use crate::sync::{Mutex, MutexGuard};

/// The shared part of a pool.
pub(in crate::pool) struct Depot {
    pub(in crate::pool) tag: u64,
    pub(in crate::pool) shape: &'static Shape,
    /// The pins that may protect the pool's objects.
    pub(in crate::pool) pins: &'static Pins,
    pub(in crate::pool) weak: WeakShared<Depot>,
    /// The stamp under which the pool is in the list of pools whose objects wait for pins. Accessed only under that list's
    /// lock.
    pub(in crate::pool) waits_since: Cell<Option<Epoch>>,
    pub(in crate::pool) stock: Stock,
    /// Objects that wait for pins.
    pub(in crate::pool) limbo: Limbo,
    pub(in crate::pool) locked: Mutex<Locked>,
    pub(in crate::pool) guarding: Threads,
    /// Whether the pool is larger than the processor's caches.
    pub(in crate::pool) exceeds_caches: AtomicBool,
    /// Whether a limit is in force that may be near. Threads then keep no lists.
    pub(in crate::pool) managed: AtomicBool,
    /// Whether a limit is in force that is far: threads keep lists, and compare the stock with the limit when they add to it.
    pub(in crate::pool) watched: AtomicBool,
    /// The most objects in use, if there is a limit of them.
    pub(in crate::pool) bound: Option<usize>,
    pub(in crate::pool) held: Shared<Held>,
    /// The freed objects that may wait for readers while the pool makes more objects.
    pub(in crate::pool) most_waiting: Option<MostWaiting>,
    pub(in crate::pool) counts: Counts,
    /// Whether the drop of the pool itself ends the depot, and not a thread that was using it at that moment: only the former
    /// may panic.
    pub(in crate::pool) is_dropped_by_its_pool: bool,
}

/// Applies a new judgement of the limits to the objects that a pool keeps.
pub(in crate::pool) type ApplyLimit = fn(&Depot, MutexGuard<'_, Locked>);

/// The fields under the depot's lock.
#[derive(Default)]
pub(in crate::pool) struct Locked {
    pub(in crate::pool) chunks: Vec<NonNull<Chunk>>,
    /// Slots without an object.
    pub(in crate::pool) empty: Empty,
    /// In a managed pool, all slots with a free object.
    pub(in crate::pool) kept: Kept,
    /// In a bounded pool, the objects in use.
    pub(in crate::pool) room: Room,
    pub(in crate::pool) policy: PoolPolicy,
    /// `None` if the pool has never had a limit. A pointer, so that a program without limits does not have the code.
    pub(in crate::pool) apply: Option<ApplyLimit>,
    /// The magazines of each thread that uses the pool.
    pub(in crate::pool) locals: Vec<Shared<Local>>,
}

impl Locked {
    pub(in crate::pool) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        // SAFETY: the depot owns its chunks, and a borrower of this list borrows the depot.
        self.chunks.iter().map(|chunk| unsafe { chunk.as_ref() })
    }

    /// The most objects that threads keep for themselves, and a magazine of each that it is putting away.
    fn most_listed(&self) -> usize {
        self.locals.len().max(1) * (Local::MOST + MAGAZINE)
    }

    /// Whether the pool keeps fewer free objects than `limit`. Under a limit that may have been far, with the lists of threads that have not
    /// seen yet that it is near.
    pub(in crate::pool) fn keeps_fewer_than(&self, limit: usize) -> bool {
        let kept = self.kept.len();
        let lists_fit = || self.locals.iter().map(|local| local.kept()).sum::<u64>() < (limit - kept) as u64;
        kept < limit && (kept + self.most_listed() < limit || limit / 4 < Local::MOST || lists_fit())
    }

    /// Puts back the slots in which a thread has constructed no object.
    pub(in crate::pool) fn take_back_fresh(&mut self, local: &Local) {
        let (start, end) = local.fresh.take();
        self.empty.put(start, end, false);
    }
}

// SAFETY: the raw pointers are chunks that the depot owns; their words are atomic, and their objects are `Send + Sync`,
// which `Pool` requires of its type.
unsafe impl Send for Depot {}

// SAFETY: as above; the list of chunks is under a lock, and the cell is used under another.
unsafe impl Sync for Depot {}

impl Depot {
    /// Creates the shared part of a pool. Fails if there is no memory for it, or if the process already has a
    /// million pools.
    pub(in crate::pool) fn create(
        shape: &'static Shape,
        (policy, apply): (PoolPolicy, Option<ApplyLimit>),
        capacity: Option<usize>,
        most_waiting: Option<MostWaiting>,
    ) -> Result<Shared<Self>, AllocateError> {
        // User code, so it runs before a tag is borrowed or a lock is taken.
        let about = (shape.about)();
        (shape.pins)().prepare();
        let held = Held::enter(shape, about)?;
        let guarding = Threads::none();
        guarding.prepare();
        let depot = Shared::try_cyclic(shape.no_memory(size_of::<Self>()), |weak| {
            let tag = tag::borrow().map_err(|_| shape.no_memory(size_of::<Self>()))?;
            Ok(Self {
                tag: tag.ok_or(shape.no_number())?,
                shape,
                pins: (shape.pins)(),
                weak: weak.clone(),
                waits_since: Cell::new(None),
                stock: Stock::new(shape),
                limbo: Limbo::new(),
                locked: Mutex::new(Locked {
                    policy,
                    apply,
                    ..Locked::default()
                }),
                guarding,
                exceeds_caches: AtomicBool::new(false),
                managed: AtomicBool::new(false),
                watched: AtomicBool::new(false),
                bound: capacity,
                held,
                most_waiting,
                counts: Counts::default(),
                is_dropped_by_its_pool: false,
            })
        })?;
        depot.judge_limit(&depot.locked.lock());
        Ok(depot)
    }

    pub(in crate::pool) fn is_managed(&self) -> bool {
        self.managed.load(Ordering::Relaxed)
    }

    /// Decides whether the limits are near, before the pool's chunks are marked accordingly.
    pub(in crate::pool) fn judge_limit(&self, locked: &Locked) {
        let managed = self.bound.is_some() || !self.is_far(locked);
        self.managed.store(managed, Ordering::Relaxed);
        self.watched
            .store(!managed && locked.policy != PoolPolicy::KeepAll, Ordering::Relaxed);
    }

    /// The policy. Bytes of objects that own no memory are a number of objects.
    pub(in crate::pool) fn counted(&self, locked: &Locked) -> PoolPolicy {
        match locked.policy {
            PoolPolicy::KeepBytes(most) if self.shape.weigh.is_none() => {
                PoolPolicy::KeepAtMost(most / self.shape.stride)
            }
            policy => policy,
        }
    }

    /// Whether no thread can make the pool exceed its limit before the next comparison: the shared free objects fit, even if each thread
    /// fills its lists and exchanges a magazine. These lists are at most a quarter of the limit. A pool that was near its limit
    /// is judged by half of the limit, so that it does not change back at once.
    pub(in crate::pool) fn is_far(&self, locked: &Locked) -> bool {
        let PoolPolicy::KeepAtMost(most) = self.counted(locked) else {
            return locked.policy == PoolPolicy::KeepAll;
        };
        let lists = locked.most_listed();
        let most = if self.is_managed() { most / 2 } else { most };
        let others = locked.kept.len() as u64 + self.stock.slots();
        lists <= most / 4 && others <= (most - lists) as u64
    }

    /// The tag, marked if the pool is managed.
    pub(in crate::pool) fn marked_tag(&self) -> u64 {
        self.tag | if self.is_managed() { tag::MANAGED } else { 0 }
    }

    /// Adds a thread's new magazines. `None` if there is no memory for the list of them.
    pub(in crate::pool) fn add_local(&self, local: Shared<Local>) -> Option<NonNull<Local>> {
        let mut locked = self.locked.lock();
        locked.locals.try_reserve(1).ok()?;
        // Under the lock: a thread that changes the census later changes this copy, too.
        local.guarding.set(self.guarding.value());
        let at = NonNull::from(&*local);
        locked.locals.push(local);
        Some(at)
    }

    /// The stretches of adjacent slots that may have a living object.
    pub(in crate::pool) fn stretches(&self) -> Vec<Range<u32>> {
        let locked = self.locked.lock();
        let chunks = || locked.chunks().map(Chunk::indices);
        let slots = chunks().map(|slots| slots.len()).sum();
        self.stock.others(slots, chunks()).unwrap_or_else(|| {
            let runs = locked.empty.few_in_order(slots);
            chunks().flat_map(|slots| Empty::between(runs, slots)).collect()
        })
    }

    /// Puts back a slot whose object was dropped.
    pub(in crate::pool) fn put_empty(&self, index: u32) {
        self.locked.lock().empty.put(index, index + 1, true);
    }
}

impl Chunk {
    /// The pool's shared part, which owns the chunk.
    #[inline]
    pub(in crate::pool) fn depot(&self) -> &Depot {
        // SAFETY: the depot owns its chunks, so it outlives every use of one.
        unsafe { self.depot.cast().as_ref() }
    }
}

impl Slot {
    /// The depot of the slot's pool.
    #[inline]
    pub(in crate::pool) fn depot(&self) -> &Depot {
        self.chunk().depot()
    }
}
