//! What this thread keeps of the pools it uses: a table of magazines, and a short way into it.

use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use crate::pool::depot::depot::Depot;
use crate::pool::list::local::Local;
use crate::pool::memory::shared::{Shared, WeakShared};
use crate::pool::word::tag;
use crate::sync::thread_static;

/// A pool's magazines on this thread. The tag tells whether the place still belongs to that pool.
struct Entry {
    tag: u64,
    depot: WeakShared<Depot>,
    local: Shared<Local>,
}

/// The pools a thread used last: the way in for the hot paths. A tag never comes back, so that of a pool that is gone never
/// matches.
///
/// Tags and magazines are apart, so that the one is compared and the other loaded in an instruction each. Apart from the
/// record, and all zero, it costs a thread no memory before it is used.
struct Recent {
    tags: [Cell<u64>; RECENT],
    locals: [Cell<*mut Local>; RECENT],
}

/// As many as a byte tells, so that finding a place takes one instruction.
const RECENT: usize = if cfg!(acedia_loom) { 4 } else { 1 << u8::BITS };

impl Recent {
    const fn new() -> Self {
        Self {
            tags: [const { Cell::new(0) }; RECENT],
            locals: [const { Cell::new(std::ptr::null_mut()) }; RECENT],
        }
    }

    /// The magazines for the pool of `tag`, if they are what was entered last under `at`.
    #[inline]
    fn get(&self, at: usize, tag: u64) -> Option<NonNull<Local>> {
        // SAFETY: where there is a tag there are magazines.
        (self.tags[at].get() == tag).then(|| unsafe { NonNull::new_unchecked(self.locals[at].get()) })
    }

    fn set(&self, at: usize, tag: u64, local: &Local) {
        self.locals[at].set(std::ptr::from_ref(local).cast_mut());
        self.tags[at].set(tag);
    }

    fn clear(&self) {
        self.tags.iter().for_each(|tag| tag.set(0));
    }
}

/// This thread's tables.
pub(in crate::pool) struct Tables {
    /// By place of the pool (see [`tag`]).
    table: UnsafeCell<ManuallyDrop<Vec<Option<Entry>>>>,
}

thread_static! {
    /// By the low bits of the pool's place. All zero, so it costs a thread no memory before it is used.
    static BY_PLACE: Recent = Recent::new();
}

thread_static! {
    static TABLES: Tables = Tables {
        table: UnsafeCell::new(ManuallyDrop::new(Vec::new())),
    };
}

/// Runs `f` with this thread's tables.
#[inline]
pub(in crate::pool) fn with<R>(f: impl FnOnce(&Tables) -> R) -> R {
    TABLES.with(f)
}

impl Tables {
    /// This thread's magazines for the pool of `tag`, if it used that pool lately. Nothing for a tag with a mark.
    #[expect(clippy::unused_self, reason = "what this gives is borrowed from the thread's tables")]
    #[inline]
    pub(in crate::pool) fn recent(&self, tag: u64) -> Option<&Local> {
        let local = BY_PLACE.with(|recent| recent.get(tag::place(tag) as usize % RECENT, tag))?;
        // SAFETY: the table keeps them alive until the thread or the pool ends; an ending thread clears the tag, and the
        // caller has the pool.
        Some(unsafe { local.as_ref() })
    }

    /// This thread's magazines for the pool of `tag`, if it has any.
    pub(in crate::pool) fn local(&self, tag: u64) -> Option<&Local> {
        self.recent(tag).or_else(|| self.local_in_table(tag))
    }

    #[cold]
    fn local_in_table(&self, tag: u64) -> Option<&Local> {
        // SAFETY: only this thread touches the table, and nothing below runs while it changes (`enter`, `take`).
        let table: &Vec<Option<Entry>> = unsafe { &*self.table.get() };
        let entry = table.get(tag::place(tag) as usize)?.as_ref();
        let local = &*entry.filter(|entry| entry.tag == tag)?.local;
        BY_PLACE.with(|recent| recent.set(tag::place(tag) as usize % RECENT, tag, local));
        Some(local)
    }

    /// Makes room for the pool of `tag`. `None` if there is no memory for it.
    pub(in crate::pool) fn try_reserve(&self, tag: u64) -> Option<()> {
        // SAFETY: only this thread touches the table; no reference into it is alive, and nothing of the user's runs
        // before the end of this function.
        let table: &mut Vec<Option<Entry>> = unsafe { &mut *self.table.get() };
        let room = tag::place(tag) as usize + 1;
        table.try_reserve(room.saturating_sub(table.len())).ok()
    }

    /// Enters magazines for a pool. There is [room](Self::try_reserve).
    pub(in crate::pool) fn enter(&self, depot: &Shared<Depot>, local: Shared<Local>) {
        let place = tag::place(depot.tag) as usize;
        let entry = Entry {
            tag: depot.tag,
            depot: depot.downgrade(),
            local,
        };
        let old = {
            // SAFETY: as above.
            let table: &mut Vec<Option<Entry>> = unsafe { &mut *self.table.get() };
            if table.len() <= place {
                table.resize_with(place + 1, || None);
            }
            table[place].replace(entry)
        };
        // Last: this may free magazines of a pool that is gone.
        drop(old);
    }

    /// Takes everything, at the end of the thread. A pool that is gone has nothing to take back.
    pub(in crate::pool) fn take(&self) -> impl Iterator<Item = (Shared<Depot>, Shared<Local>)> + use<> {
        BY_PLACE.with(Recent::clear);
        // SAFETY: as above.
        let table: &mut Vec<Option<Entry>> = unsafe { &mut *self.table.get() };
        let entries = std::mem::take(table).into_iter().flatten();
        entries.filter_map(|entry| Some((entry.depot.upgrade()?, entry.local)))
    }
}
