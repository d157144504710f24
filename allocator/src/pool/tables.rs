//! [`Tables`]: a thread's lists for each pool that it uses, in a table by the pool's number, and a cache of this table. `recycle.rs` adds lists
//! at the thread's first use of a pool (`attach`), and takes them at its end (`detach`).

use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};

use crate::pool::chunk::Slot;
use crate::pool::depot::Depot;
use crate::pool::directory;
use crate::pool::local::Local;
use crate::sync::thread_static;

/// A pool that this thread uses, with the thread's lists for it. The tag shows whether the number still belongs to that pool.
struct Attached {
    tag: u64,
    depot: Weak<Depot>,
    /// Owned by the depot.
    local: NonNull<Local>,
}

/// A direct-mapped cache of the pools that a thread used last, for the hot paths. A tag is never issued twice, so the tag
/// of a dropped pool never matches.
///
/// Tags and the addresses of lists are in separate arrays, so that comparing a tag and loading an address take one instruction each.
/// The cache is separate from the table and all zero, so it costs a thread no memory before it is used.
struct Cache {
    tags: [Cell<u64>; CACHED],
    locals: [Cell<*mut Local>; CACHED],
    /// The pool of the thread's last allocation.
    ///
    /// A free finds its lists through the slot: chunk, tag, cache. The next allocation loads from these lists, so a processor
    /// that waits for the address of the free's store also waits for this chain of loads. A free in the pool of the last
    /// allocation takes the address of the lists from here, independently of the slot.
    last_tag: Cell<u64>,
    last_local: Cell<*mut Local>,
}

/// As many as a byte can index, so that computing the index takes one instruction.
const CACHED: usize = if cfg!(acedia_loom) { 4 } else { 1 << u8::BITS };

impl Cache {
    const fn new() -> Self {
        Self {
            tags: [const { Cell::new(0) }; CACHED],
            locals: [const { Cell::new(std::ptr::null_mut()) }; CACHED],
            last_tag: Cell::new(0),
            last_local: Cell::new(std::ptr::null_mut()),
        }
    }

    /// The lists for the pool of `tag`, if they were the last set at `at`.
    #[inline]
    fn get(&self, at: usize, tag: u64) -> Option<NonNull<Local>> {
        // SAFETY: `set` stores the lists with the tag, so a pool's tag stands next to the address of its lists.
        (self.tags[at].get() == tag).then(|| unsafe { NonNull::new_unchecked(self.locals[at].get()) })
    }

    fn set(&self, at: usize, tag: u64, local: &Local) {
        // The order of the stores does not matter: only this thread reads them. Two pools may share `at`, and then evict each
        // other.
        self.locals[at].set(std::ptr::from_ref(local).cast_mut());
        self.tags[at].set(tag);
    }

    fn clear(&self) {
        // No pool has the tag 0, so the lists, which their depots drop from here on, are not found any more.
        self.last_tag.set(0);
        self.tags.iter().for_each(|tag| tag.set(0));
    }
}

/// This thread's tables.
pub(super) struct Tables {
    /// Indexed by the pool's number (see [`directory`]).
    table: UnsafeCell<ManuallyDrop<Vec<Option<Attached>>>>,
}

thread_static! {
    /// Indexed by the low bits of the pool's number. All zero, so it costs a thread no memory before it is used.
    static CACHE: Cache = Cache::new();
}

thread_static! {
    static TABLES: Tables = Tables {
        table: UnsafeCell::new(ManuallyDrop::new(Vec::new())),
    };
}

#[inline]
pub(super) fn with<R>(f: impl FnOnce(&Tables) -> R) -> R {
    TABLES.with(f)
}

impl Tables {
    /// This thread's lists for the pool of `tag`, if they are in the cache. `None` for a marked tag.
    #[expect(clippy::unused_self, reason = "what this gives is borrowed from the thread's tables")]
    #[inline]
    pub(super) fn cached(&self, tag: u64) -> Option<&Local> {
        let local = CACHE.with(|cache| cache.get(directory::pool_number(tag) as usize % CACHED, tag))?;
        // SAFETY: the depot keeps them alive until the thread or the pool ends; an ending thread clears the tag, and the
        // caller keeps the pool alive.
        Some(unsafe { local.as_ref() })
    }

    /// Same as [`cached`](Self::cached), for an allocation: looks first at the pool of the last allocation, and notes
    /// this pool as the last.
    #[inline]
    pub(super) fn cached_to_allocate(&self, tag: u64) -> Option<&Local> {
        if let Some(local) = self.last(tag) {
            return Some(local);
        }
        let local = self.cached(tag)?;
        Self::note_last(tag, local);
        Some(local)
    }

    #[inline]
    fn note_last(tag: u64, local: &Local) {
        // The order of the stores does not matter, as in `Cache::set`.
        CACHE.with(|cache| {
            cache.last_local.set(std::ptr::from_ref(local).cast_mut());
            cache.last_tag.set(tag);
        });
    }

    /// This thread's lists for the pool of `tag`, if it allocated last in this pool.
    #[expect(clippy::unused_self, reason = "as in `cached`")]
    #[inline]
    pub(super) fn last(&self, tag: u64) -> Option<&Local> {
        // SAFETY: a tag stands next to the address of the lists of its pool, as in `Cache::get`.
        let last = |cache: &Cache| unsafe { NonNull::new_unchecked(cache.last_local.get()) };
        let local = CACHE.with(|cache| (cache.last_tag.get() == tag).then(|| last(cache)))?;
        // SAFETY: as in `cached`.
        Some(unsafe { local.as_ref() })
    }

    /// This thread's lists for the pool of `tag`, if it has any.
    pub(super) fn local(&self, tag: u64) -> Option<&Local> {
        self.cached(tag).or_else(|| self.local_in_table(tag))
    }

    /// Takes the slot that this thread freed last in the pool of `tag`, which is not in the cache.
    #[cold]
    #[inline(never)]
    pub(super) fn pop_ready(&self, tag: u64) -> Option<Slot> {
        let local = self.local_in_table(tag)?;
        Self::note_last(tag, local);
        local.pop_ready()
    }

    #[cold]
    fn local_in_table(&self, tag: u64) -> Option<&Local> {
        // SAFETY: only this thread accesses the table, and nothing below runs while `add`, `remove` or `take` changes it.
        let table: &Vec<Option<Attached>> = unsafe { &*self.table.get() };
        let attached = table.get(directory::pool_number(tag) as usize)?.as_ref();
        let local = attached.filter(|attached| attached.tag == tag)?.local;
        // SAFETY: the depot keeps them alive until the thread or the pool ends; the caller keeps the pool alive.
        let local = unsafe { local.as_ref() };
        CACHE.with(|cache| cache.set(directory::pool_number(tag) as usize % CACHED, tag, local));
        Some(local)
    }

    /// Adds a pool that this thread begins to use.
    pub(super) fn add(&self, depot: &Arc<Depot>, local: NonNull<Local>) {
        let number = directory::pool_number(depot.tag) as usize;
        let attached = Attached {
            tag: depot.tag,
            depot: Arc::downgrade(depot),
            local,
        };
        let old = {
            // SAFETY: only this thread accesses the table; no reference into it is alive, and no user code runs before the end
            // of this block.
            let table: &mut Vec<Option<Attached>> = unsafe { &mut *self.table.get() };
            if table.len() <= number {
                table.resize_with(number + 1, || None);
            }
            table[number].replace(attached)
        };
        // Last: this may free the record of a pool that has ended.
        drop(old);
    }

    /// Removes a pool that ends.
    pub(super) fn remove(&self, tag: u64) {
        // SAFETY: as above.
        let table: &mut Vec<Option<Attached>> = unsafe { &mut *self.table.get() };
        if let Some(of_number) = table.get_mut(directory::pool_number(tag) as usize) {
            drop(of_number.take_if(|attached| attached.tag == tag));
        }
    }

    /// Takes all pools and the thread's lists for them, at the end of the thread. Dropped pools are skipped.
    pub(super) fn take(&self) -> impl Iterator<Item = (Arc<Depot>, NonNull<Local>)> + use<> {
        CACHE.with(Cache::clear);
        // SAFETY: as above.
        let table: &mut Vec<Option<Attached>> = unsafe { &mut *self.table.get() };
        let pools = std::mem::take(table).into_iter().flatten();
        pools.filter_map(|attached| Some((attached.depot.upgrade()?, attached.local)))
    }
}

#[cfg(all(test, acedia_loom))]
mod models;
