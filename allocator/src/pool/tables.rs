//! A thread's table of the pools that it uses, with its lists for each; a cache of this table; and the steps at a thread's first use of a
//! pool and at its end.
//!
//! The thread-locals of the engine have no destructors, so they work at any time on a thread, also in destructors of
//! other thread-locals. The exit hook is armed on the first slow path. After it has run, the thread keeps no objects:
//! every object goes through the depot.

use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};

use crate::panics::contain;
use crate::pool::depot::Depot;
use crate::pool::directory;
use crate::pool::local::Local;
use crate::pool::slot::Slot;
use crate::sync::thread_static;

/// A pool that this thread uses ([`attach`]), with the thread's lists for it. The tag shows whether the index still belongs to that pool.
struct Attached {
    tag: u64,
    depot: Weak<Depot>,
    /// Owned by the depot.
    local: NonNull<Local>,
}

/// A direct-mapped cache of the pools that a thread used last, for the hot paths. A tag is never issued twice, so the tag
/// of a dropped pool never matches.
///
/// Tags and the addresses of lists are in separate arrays, so that comparing the one and loading the other takes an instruction each.
/// The cache is separate from the table and all zero, so it costs a thread no memory before it is used.
struct Cache {
    tags: [Cell<u64>; CACHED],
    locals: [Cell<*mut Local>; CACHED],
    /// The pool of the thread's last allocation.
    ///
    /// A free finds its lists by way of the slot: chunk, tag, cache. The next allocation loads from these lists, so a processor
    /// that waits for the address of the free's store waits for these loads, in each pair. A free in the pool of the last
    /// allocation takes the address of the lists from here, where it does not depend on the slot.
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
        // SAFETY: `set` stores the lists with the tag, so a pool's tag stands beside the address of its lists.
        (self.tags[at].get() == tag).then(|| unsafe { NonNull::new_unchecked(self.locals[at].get()) })
    }

    fn set(&self, at: usize, tag: u64, local: &Local) {
        // In either order: only this thread reads them, and not in between. Two pools may share `at`, and then replace each other.
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
    /// Indexed by the pool's index (see [`directory`]).
    table: UnsafeCell<ManuallyDrop<Vec<Option<Attached>>>>,
}

thread_static! {
    /// Indexed by the low bits of the pool's index. All zero, so it costs a thread no memory before it is used.
    static CACHE: Cache = Cache::new();
}

thread_static! {
    static TABLES: Tables = Tables {
        table: UnsafeCell::new(ManuallyDrop::new(Vec::new())),
    };
}

/// Runs `f` with this thread's tables.
#[inline]
pub(super) fn with<R>(f: impl FnOnce(&Tables) -> R) -> R {
    TABLES.with(f)
}

impl Tables {
    /// This thread's lists for the pool of `tag`, if they are in the cache. `None` for a marked tag.
    #[expect(clippy::unused_self, reason = "what this gives is borrowed from the thread's tables")]
    #[inline]
    pub(super) fn cached(&self, tag: u64) -> Option<&Local> {
        let local = CACHE.with(|cache| cache.get(directory::pool_index(tag) as usize % CACHED, tag))?;
        // SAFETY: the depot keeps them alive until the thread or the pool ends; an ending thread clears the tag, and the
        // caller keeps the pool alive.
        Some(unsafe { local.as_ref() })
    }

    /// Same as [`cached`](Self::cached), for an allocation: notes the pool as the last one.
    #[inline]
    pub(super) fn cached_to_allocate(&self, tag: u64) -> Option<&Local> {
        let local = self.cached(tag)?;
        // Compared first: a program that uses one pool stores nothing here. The two stores may come in either order, as in `Cache::set`.
        CACHE.with(|cache| {
            if cache.last_tag.get() != tag {
                cache.last_local.set(std::ptr::from_ref(local).cast_mut());
                cache.last_tag.set(tag);
            }
        });
        Some(local)
    }

    /// Same as [`cached`](Self::cached), for a free: looks first at the pool of the last allocation.
    #[inline]
    pub(super) fn cached_to_free(&self, tag: u64) -> Option<&Local> {
        let last = CACHE.with(|cache| (cache.last_tag.get() == tag).then(|| cache.last_local.get()));
        match last {
            // SAFETY: as in `cached`, because the lists and the tag were copied from the cache together.
            Some(local) => Some(unsafe { &*local }),
            None => self.cached(tag),
        }
    }

    /// This thread's lists for the pool of `tag`, if it has any.
    pub(super) fn local(&self, tag: u64) -> Option<&Local> {
        self.cached(tag).or_else(|| self.local_in_table(tag))
    }

    /// Takes the slot that this thread freed last in the pool of `tag`, which is not in the cache.
    #[cold]
    #[inline(never)]
    pub(super) fn pop_ready(&self, tag: u64) -> Option<Slot> {
        self.local_in_table(tag)?.pop_ready()
    }

    #[cold]
    fn local_in_table(&self, tag: u64) -> Option<&Local> {
        // SAFETY: only this thread accesses the table, and nothing below runs while `add`, `remove` or `take` changes it.
        let table: &Vec<Option<Attached>> = unsafe { &*self.table.get() };
        let attached = table.get(directory::pool_index(tag) as usize)?.as_ref();
        let local = attached.filter(|attached| attached.tag == tag)?.local;
        // SAFETY: the depot keeps them alive until the thread or the pool ends; the caller keeps the pool alive.
        let local = unsafe { local.as_ref() };
        CACHE.with(|cache| cache.set(directory::pool_index(tag) as usize % CACHED, tag, local));
        Some(local)
    }

    /// Adds a pool that this thread begins to use.
    pub(super) fn add(&self, depot: &Arc<Depot>, local: NonNull<Local>) {
        let index = directory::pool_index(depot.tag) as usize;
        let attached = Attached {
            tag: depot.tag,
            depot: Arc::downgrade(depot),
            local,
        };
        let old = {
            // SAFETY: only this thread accesses the table; no reference into it is alive, and no user code runs before the end
            // of this block.
            let table: &mut Vec<Option<Attached>> = unsafe { &mut *self.table.get() };
            if table.len() <= index {
                table.resize_with(index + 1, || None);
            }
            table[index].replace(attached)
        };
        // Last: this may free the record of a pool that has ended.
        drop(old);
    }

    /// Removes a pool that ends.
    pub(super) fn remove(&self, tag: u64) {
        // SAFETY: as above.
        let table: &mut Vec<Option<Attached>> = unsafe { &mut *self.table.get() };
        if let Some(of_index) = table.get_mut(directory::pool_index(tag) as usize) {
            drop(of_index.take_if(|attached| attached.tag == tag));
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

/// This thread's exit.
struct Exit {
    stage: Cell<Stage>,
    /// Releases the thread's flags.
    flags: Cell<Option<fn()>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No exit hook yet.
    New,
    /// The exit hook will run.
    Armed,
    /// The exit hook has run, or it is too late to arm one.
    Gone,
}

thread_static! {
    static EXIT: Exit = Exit {
        stage: Cell::new(Stage::New),
        flags: Cell::new(None),
    };
}

/// Arms the exit hook. `false` if it has already run.
fn arm() -> bool {
    EXIT.with(|exit| {
        // If the thread's other values are being destroyed already, the hook cannot be armed: the thread keeps no objects from the start.
        if exit.stage.get() == Stage::New {
            exit.stage.set(if arm_hook() { Stage::Armed } else { Stage::Gone });
        }
        exit.stage.get() == Stage::Armed
    })
}

/// Whether the thread keeps no objects any more.
pub(super) fn is_gone() -> bool {
    !arm()
}

/// Registers `release` to run last at the end of the thread. Returns the function that it replaces, for `release` to call.
pub(super) fn release_with(release: fn()) -> Option<fn()> {
    EXIT.with(|exit| exit.flags.replace(Some(release)))
}

/// Runs the steps at the end of the thread.
#[cfg_attr(acedia_loom, allow(dead_code, reason = "models call it"))]
pub(super) fn end_thread() {
    EXIT.with(|exit| {
        // From here on `attach` makes no lists, and the end of a pin releases its flag at once: user code below, and in destructors that
        // run later, may still free and pin.
        exit.stage.set(Stage::Gone);
        // First the lists: `detach` may run finalizers, which may pin. `take` has emptied the table and the cache before the first
        // `detach`: user code finds no lists from there on, so none that `detach` has ended.
        with(Tables::take).for_each(|(depot, local)| detach(&depot, local));
        exit.flags.get().into_iter().for_each(|release| release());
    });
}

#[cfg(not(acedia_loom))]
struct Hook;

#[cfg(not(acedia_loom))]
impl Drop for Hook {
    fn drop(&mut self) {
        end_thread();
    }
}

#[cfg(not(acedia_loom))]
fn arm_hook() -> bool {
    std::thread_local! { static HOOK: Hook = const { Hook }; }
    HOOK.try_with(|_| ()).is_ok()
}

/// loom removes all of a thread's values before it drops the first one, and after other threads have joined the thread.
/// So each model calls [`end_thread`] itself (see `models`).
#[cfg(acedia_loom)]
fn arm_hook() -> bool {
    true
}

/// Makes this thread's lists for a pool that it uses for the first time. `None` if the thread is ending.
#[cold]
pub(super) fn attach<'t>(tables: &'t Tables, depot: &Arc<Depot>) -> Option<&'t Local> {
    if is_gone() {
        return None;
    }
    // The depot owns the lists, and counts what is on them (`stats`), until `detach` or its own end.
    tables.add(depot, depot.add_local(Box::new(Local::new())));
    tables.local(depot.tag)
}

/// Hands the lists of this thread, which ends, over to their depot.
fn detach(depot: &Depot, at: NonNull<Local>) {
    // SAFETY: the depot owns it until the end of this function, and only this thread removes it.
    let local = unsafe { at.as_ref() };
    // A limit may drop objects here. A panic in such a drop must not end the process with the thread.
    contain(|| depot.empty_local(local));
    let mut locked = depot.locked.lock();
    // An allocation on another thread that looked for empty slots before this may have added a chunk.
    locked.take_back_fresh(local);
    // Under the lock, so that `stats` counts these objects once.
    depot.count_made_by(local);
    let nth = locked.locals.iter().position(|known| NonNull::from(&**known) == at);
    let gone = nth.map(|nth| locked.locals.swap_remove(nth));
    // `live_of_only` of the thread that remains asks `stats` before this, and counts alone afterwards.
    depot.note_only_local(&locked);
    drop(locked);
    drop(gone);
}

#[cfg(all(test, acedia_loom))]
mod models;
