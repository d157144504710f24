//! The slots of a pool that no thread holds: free ones in its [`Stock`], and in its [`Limbo`] those that pins may still protect.
//! [`Magazine`]: slots that move together.
//!
//! Nothing here takes a lock. The queues are crossbeam's: an entry's push happens before its pop, and a pop spins while a push of the same
//! entry is under way. A thread that is stopped in the few instructions of a push delays the pops that reach its entry, and no other
//! operation.

use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use crate::pool::chunk::Slot;
use crate::pool::pins::{Pins, Stamp};
use crate::sync::plain::AtomicUsize;
use crate::sync::{AtomicPtr, AtomicU64, Ordering, Queue};

/// The maximum number of slots that move between a thread and the stock at a time.
pub(super) const MAGAZINE: usize = if cfg!(acedia_loom) { 2 } else { 255 };

/// With fewer slots, neither a fence nor a separate magazine is worth its cost.
pub(super) const SMALL: usize = MAGAZINE / 8;

/// Free slots with a constructed object each, which move between threads together.
pub(super) struct Magazine {
    len: usize,
    slots: [MaybeUninit<Slot>; MAGAZINE],
}

// SAFETY: slots are valid on every thread, and the chunks they point to outlive the pool's lists.
unsafe impl Send for Magazine {}

impl Magazine {
    pub(super) fn new() -> Box<Self> {
        let mut magazine = Box::<Self>::new_uninit();
        // SAFETY: within the memory of the box.
        let len = unsafe { &raw mut (*magazine.as_mut_ptr()).len };
        // SAFETY: as above.
        unsafe { len.write(0) };
        // SAFETY: the length is written, and the slots need no value. They are not copied through the stack.
        unsafe { magazine.assume_init() }
    }

    pub(super) fn slots(&self) -> &[Slot] {
        let slots = &self.slots[..self.len];
        // SAFETY: the first `len` were written.
        unsafe { std::slice::from_raw_parts(slots.as_ptr().cast(), slots.len()) }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The storage of the slots, for a caller that counts them itself.
    #[inline]
    pub(super) fn storage(&mut self) -> *mut Slot {
        self.slots.as_mut_ptr().cast()
    }

    /// Sets the number of slots.
    ///
    /// # Safety
    /// The first `len` slots were written, from the first of the [storage](Self::storage) on.
    pub(super) unsafe fn set_len(&mut self, len: usize) {
        debug_assert!(len <= MAGAZINE);
        self.len = len;
    }

    /// Adds a slot. The magazine must not be full.
    pub(super) fn push(&mut self, slot: Slot) {
        self.slots[self.len].write(slot);
        self.len += 1;
    }

    pub(super) fn pop(&mut self) -> Option<Slot> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: below the old length.
        Some(unsafe { self.slots[self.len].assume_init() })
    }

    /// Keeps the slots for which `keep` returns `true`, in their order.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(Slot) -> bool) {
        let mut kept = 0;
        for at in 0..self.len {
            // SAFETY: below the length.
            let slot = unsafe { self.slots[at].assume_init() };
            if keep(slot) {
                self.slots[kept].write(slot);
                kept += 1;
            }
        }
        self.len = kept;
    }
}

/// An array of pointers, roughly last in, first out. A push and a pop each succeed by one exchange of a cell.
///
/// ```text
///             lowest empty cell                  highest full cell
///   push ───────────┐                           ┌───────────────► pop
///                   ▼                           │
///   ┌────────┬─────────────┬─────────┬──────────┴──┬─────────┬─────────┐
///   │ ● full │ · → ●       │ ● full  │ ● → ·       │ · empty │ · empty │
///   └────────┴─────────────┴─────────┴─────────────┴─────────┴─────────┘
/// ```
///
/// No thread waits for another one that stopped in the middle of a push or a pop. If only one thread uses the array, it is a
/// stack.
pub(super) struct Cells<T> {
    row: Box<[AtomicPtr<T>]>,
    /// The number of full cells, or one more or less for each push or pop under way. A push and a pop look here first, so that a push
    /// visits no cell of a full array, and a pop none of an empty one. They change it after the exchange.
    len: AtomicUsize,
    /// Near the lowest empty cell: where a push begins to look, and below which a pop does.
    top: AtomicUsize,
}

impl<T> Cells<T> {
    pub(super) fn new(count: usize) -> Self {
        Self {
            row: (0..count).map(|_| AtomicPtr::new(ptr::null_mut())).collect(),
            len: AtomicUsize::new(0),
            top: AtomicUsize::new(0),
        }
    }

    /// Puts a pointer into one of the first `most` cells, and returns the number of that cell. `None` if all are full, or seem to be.
    pub(super) fn push(&self, item: NonNull<T>, most: usize) -> Option<usize> {
        let most = most.min(self.row.len());
        // One look at the number instead of one at each cell. While another thread takes an item, a free cell may be
        // missed.
        if !cfg!(acedia_loom) && self.len() >= most {
            return None;
        }
        // Relaxed, here and below: `top` affects only speed. With an outdated value, this visits cells in vain.
        let first = self.top.load(Ordering::Relaxed).min(most);
        let at = (first..most).chain(0..first).find(|&at| {
            let cell = &self.row[at];
            // Release pairs with `take` (Acquire): the thread that gets the item sees what this thread wrote before.
            // A cheap look first, Relaxed: a cell that changes meanwhile is passed over.
            cell.load(Ordering::Relaxed).is_null()
                && cell
                    .compare_exchange(ptr::null_mut(), item.as_ptr(), Ordering::Release, Ordering::Relaxed)
                    .is_ok()
        })?;
        // Between the exchange and this count, a pop that looks only at the count may miss the item. Another thread may have taken it
        // already: see `take`.
        self.len.fetch_add(1, Ordering::Relaxed);
        // Of several threads the last one wins: a wrong value only costs visits of cells.
        self.top.store(at + 1, Ordering::Relaxed);
        Some(at)
    }

    /// Takes the pointer of the highest full cell. One that another thread moves meanwhile may be missed.
    pub(super) fn pop(&self) -> Option<NonNull<T>> {
        // Relaxed: after a miss, the next pop finds the item.
        if self.is_empty() {
            return None;
        }
        let first = self.top.load(Ordering::Relaxed).min(self.row.len());
        let after = first..self.row.len();
        (0..first).rev().chain(after.rev()).find_map(|at| self.take(at))
    }

    /// Takes the pointer of that cell.
    pub(super) fn take(&self, at: usize) -> Option<NonNull<T>> {
        let cell = &self.row[at];
        // Relaxed: the exchange below decides.
        let found = NonNull::new(cell.load(Ordering::Relaxed))?;
        // Acquire pairs with `push` (Release). If another thread took the item since the look, this fails, and the caller goes on to the next
        // cell. If the same item left and came back since, taking it is equally correct.
        cell.compare_exchange(found.as_ptr(), ptr::null_mut(), Ordering::Acquire, Ordering::Relaxed)
            .ok()?;
        // Wraps if this comes before the count of the push, which then wraps it back. A push that loads the number before this may find the
        // array full, although the cell is free; a pop may look at the cells in vain.
        self.len.fetch_sub(1, Ordering::Relaxed);
        // As in `push`.
        self.top.store(at, Ordering::Relaxed);
        Some(found)
    }

    /// The number of pointers, for `push` and for statistics. 0 while the number is [wrapped](Self::take).
    pub(super) fn len(&self) -> usize {
        // Relaxed: it may be off by one for each push or pop under way. It orders nothing: the exchange of a cell does.
        let len = self.len.load(Ordering::Relaxed);
        if len > self.row.len() { 0 } else { len }
    }

    fn is_empty(&self) -> bool {
        // Loom explores few executions around a plain counter, so models look at the cells.
        !cfg!(acedia_loom) && self.len.load(Ordering::Relaxed) == 0
    }
}

/// A value that is made at its first use. If several threads make it at the same time, one of the values is kept. Unlike with a
/// `OnceLock`, no thread waits.
struct Lazy<T> {
    at: AtomicPtr<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    fn new(make: fn() -> T) -> Self {
        let lazy = Self {
            at: AtomicPtr::new(ptr::null_mut()),
            make,
        };
        // One model tests the first use on two threads. In the others the value is made here, so that loom explores fewer
        // executions.
        if cfg!(acedia_loom) {
            lazy.get_or_make();
        }
        lazy
    }

    fn get(&self) -> Option<&T> {
        // Acquire pairs with the exchange of `get_or_make` (Release): a thread that finds the address finds the value as it was made.
        // SAFETY: `get_or_make` stored the address of a box, which is dropped with `self`.
        unsafe { self.at.load(Ordering::Acquire).as_ref() }
    }

    fn get_or_make(&self) -> &T {
        if let Some(made) = self.get() {
            return made;
        }
        let own = Box::into_raw(Box::new((self.make)()));
        // Release, and on failure Acquire: as in `get`.
        let made = match (self.at).compare_exchange(ptr::null_mut(), own, Ordering::Release, Ordering::Acquire) {
            Ok(_) => own,
            Err(first) => {
                // SAFETY: from the box above; the exchange did not store it.
                drop(unsafe { Box::from_raw(own) });
                first
            }
        };
        // SAFETY: as in `get`.
        unsafe { &*made }
    }
}

impl<T> Drop for Lazy<T> {
    fn drop(&mut self) {
        // Relaxed: no other thread uses the pool.
        if let Some(made) = NonNull::new(self.at.load(Ordering::Relaxed)) {
            // SAFETY: `get_or_make` stored the address of a box.
            drop(unsafe { Box::from_raw(made.as_ptr()) });
        }
    }
}

/// The free slots of a pool that no thread holds.
///
/// ```text
///   magazines ───────────────────► recent (16 cells) ────────► an allocation
///                                   │ all full
///                                   ▼
///                                magazines (queue) ──────────► …
///   single slots ────────────────► loose (queue) ── up to 255 ► …
/// ```
pub(super) struct Stock {
    /// The number of slots in all three containers. It is raised before slots come and lowered after they have gone, so it never falls
    /// below 0.
    slots: AtomicU64,
    /// Made by the first push. They take 700 bytes, which a pool with few objects does not need.
    lists: Lazy<Lists>,
}

struct Lists {
    /// Slots that were used last, so they are probably still cached.
    recent: Cells<Magazine>,
    /// The full magazines for which `recent` had no cell.
    magazines: Queue<Box<Magazine>>,
    /// Slots that came singly.
    loose: Queue<Slot>,
}

/// The maximum number of magazines in `recent`. This many magazines of small objects fit the second-level cache.
pub(super) const RECENT: usize = if cfg!(acedia_loom) { 1 } else { 16 };

impl Stock {
    pub(super) fn new() -> Self {
        Self {
            slots: AtomicU64::new(0),
            lists: Lazy::new(Lists::new),
        }
    }

    pub(super) fn slots(&self) -> u64 {
        // Relaxed: it decides how many objects are dropped (`watch_limit`, `cut`, `keep_or_drop`), and whether a search looks at the queues
        // (`pop`). If one call misses a slot, the next call finds it.
        self.slots.load(Ordering::Relaxed)
    }

    /// Adds the slots of a magazine. The slots of a nearly empty one are added singly, because the magazine may be
    /// larger than their objects.
    #[inline(never)]
    pub(super) fn push(&self, magazine: Box<Magazine>) {
        if magazine.len() < SMALL {
            return magazine.slots().iter().for_each(|&slot| self.put(slot));
        }
        // Before the slots come: a thread that takes them lowers the number afterwards, and so never below 0. In between, a search looks for
        // them in vain, and goes on to empty slots.
        self.slots.fetch_add(magazine.len() as u64, Ordering::Relaxed);
        let raw = NonNull::from(Box::leak(magazine));
        let lists = self.lists.get_or_make();
        if lists.recent.push(raw, RECENT).is_none() {
            // SAFETY: from the box above; no cell has it.
            lists.magazines.push(unsafe { Box::from_raw(raw.as_ptr()) });
        }
    }

    pub(super) fn put(&self, slot: Slot) {
        // Before the slot comes: see `push`.
        self.slots.fetch_add(1, Ordering::Relaxed);
        self.lists.get_or_make().loose.push(slot);
    }

    /// Takes slots: the recent magazines last in, first out, then the others in the order in which they came.
    #[inline]
    pub(super) fn pop(&self) -> Option<Box<Magazine>> {
        if self.looks_empty() { None } else { self.pop_any() }
    }

    /// Out of line, so that the look at an empty stock stays small.
    #[inline(never)]
    fn pop_any(&self) -> Option<Box<Magazine>> {
        let lists = self.lists.get()?;
        let magazine = lists.pop_recent().or_else(|| lists.magazines.pop());
        let magazine = magazine.or_else(|| lists.gather())?;
        // Until here, other threads count slots that are gone. With a limit, they may drop objects for which there is room; a search
        // finds nothing, and goes on to empty slots.
        self.slots.fetch_sub(magazine.len() as u64, Ordering::Relaxed);
        Some(magazine)
    }

    /// Whether there is nothing to take. This reads a counter, because each look at a queue takes a fence.
    #[inline]
    pub(super) fn looks_empty(&self) -> bool {
        // Loom explores few executions around a plain load, so models look at the queues.
        #[cfg(acedia_loom)]
        if !crate::sync::loads_are_rmw() {
            return false;
        }
        self.slots() == 0
    }

    /// The number of magazines in `recent`.
    #[cfg(all(test, not(acedia_loom)))]
    pub(super) fn recent_magazines(&self) -> usize {
        self.lists.get().map_or(0, |lists| lists.recent.len())
    }
}

impl Lists {
    fn new() -> Self {
        Self {
            recent: Cells::new(RECENT),
            magazines: Queue::new(),
            loose: Queue::new(),
        }
    }

    fn pop_recent(&self) -> Option<Box<Magazine>> {
        let raw = self.recent.pop()?;
        // SAFETY: `push` put a box there, and the exchange removed it, so this thread alone has it.
        Some(unsafe { Box::from_raw(raw.as_ptr()) })
    }

    /// A magazine of loose slots.
    fn gather(&self) -> Option<Box<Magazine>> {
        let first = self.loose.pop()?;
        let mut magazine = Magazine::new();
        magazine.push(first);
        while magazine.len() < MAGAZINE {
            let Some(slot) = self.loose.pop() else { break };
            magazine.push(slot);
        }
        Some(magazine)
    }
}

impl Drop for Lists {
    fn drop(&mut self) {
        while self.pop_recent().is_some() {}
    }
}

/// The slots of a pool that wait until every pin is newer than the end of their lives.
///
/// ```text
///   push ──► queue: (slots, stamp), (slots, stamp) … ──► is every pin newer? ── yes ──► take
///                                                              │ no
///                                                              ▼
///                                        young: the entry that was taken last and was too young
/// ```
///
/// The queue has no peek, so an entry that was found too young is kept in `young`, and is taken before the entries of the queue.
/// Its stamp is also in a word of its own: while a pin is held, one load and a scan of the pins say that there is nothing to take.
///
/// The stamps rise along the queue, except where threads push at the same moment, and except for an entry that a thread had to push
/// back into the queue because `young` was full. Such an entry may wait longer than its own stamp says, never shorter: each entry
/// is compared with its own stamp.
pub(super) struct Limbo {
    /// Made by the first push, as the lists of the stock.
    queue: Lazy<Queue<Entry>>,
    /// An entry that was too young, or null.
    young: AtomicPtr<Entry>,
    /// The stamp of the entry that was put into `young` last, or shortly before (`put_back`). It stays when the entry is taken. By then it
    /// has passed, except under a pin that read an old epoch, which only delays the next take.
    young_since: AtomicU64,
    /// The number of entries. Raised before an entry comes and lowered after it has gone.
    entries: AtomicU64,
    /// Of these, the entries with a single slot.
    singles: AtomicU64,
}

/// Slots that wait together, and their stamp.
struct Entry {
    slots: Waiting,
    since: Stamp,
}

/// Slots whose lives have ended.
pub(super) enum Waiting {
    /// A slot whose object has a finalizer, is in a counted pool, was in its last life, was freed on a thread without lists, or was one of a few
    /// in a thread's limbo that was emptied (`Depot::empty_local`).
    One(u32),
    /// Slots of other objects.
    Many(Box<Magazine>),
}

/// The result of [`Limbo::take`].
pub(super) enum Taken {
    Slots(Waiting),
    /// There is no entry, or another thread has the only one and may put it back.
    Nothing,
    /// An entry with this stamp is too young.
    Young(Stamp),
    /// As `Young`, but other threads may have missed the entry meanwhile.
    PutBack(Stamp),
}

impl Limbo {
    pub(super) fn new() -> Self {
        Self {
            queue: Lazy::new(Queue::new),
            young: AtomicPtr::new(ptr::null_mut()),
            young_since: AtomicU64::new(0),
            entries: AtomicU64::new(0),
            singles: AtomicU64::new(0),
        }
    }

    pub(super) fn len(&self) -> u64 {
        // Relaxed: after a miss, the next look finds the entry.
        self.entries.load(Ordering::Relaxed)
    }

    /// Whether a slot waits singly.
    pub(super) fn has_single(&self) -> bool {
        // Relaxed: its callers are ordered after the push, by the exchange of `Depot::is_listed` or by the pop of the entry.
        self.singles.load(Ordering::Relaxed) > 0
    }

    /// Adds slots whose lives have ended. The caller has fenced since. Returns their stamp.
    pub(super) fn push(&self, slots: Waiting, pins: &Pins) -> Stamp {
        let since = pins.stamp();
        // Before the entry comes: a thread that takes it lowers the numbers afterwards (`without`), and so never below 0. Relaxed, there and
        // here: see `len` and `has_single`, the only readers.
        if let Waiting::One(_) = slots {
            self.singles.fetch_add(1, Ordering::Relaxed);
        }
        self.entries.fetch_add(1, Ordering::Relaxed);
        // A push happens before the pop of its entry (crossbeam), as Release and Acquire: the thread that pops it comes after the ends of the
        // lives and after the fence.
        self.queue.get_or_make().push(Entry { slots, since });
        since
    }

    /// Takes slots for which every pin is newer.
    pub(super) fn take(&self, pins: &Pins) -> Taken {
        // Relaxed: an old stamp only makes this thread take the entry and put it back.
        let since = Stamp::of(self.young_since.load(Ordering::Relaxed));
        if !since.has_passed(pins.oldest()) {
            return Taken::Young(since);
        }
        let Some(entry) = self.take_first() else {
            return Taken::Nothing;
        };
        // The scan comes after the pop, and so after the stamp. A pin that it misses has a later fence than the thread that pushed the entry,
        // and finds the lives ended.
        let since = entry.since;
        if since.has_passed(pins.oldest()) {
            return Taken::Slots(self.without(entry));
        }
        self.put_back(entry);
        Taken::PutBack(since)
    }

    /// Takes any slots, at the end of the pool.
    pub(super) fn take_any(&self) -> Option<Waiting> {
        self.take_first().map(|entry| self.without(entry))
    }

    fn take_first(&self) -> Option<Entry> {
        self.take_young().or_else(|| self.queue.get()?.pop())
    }

    /// The slots of an entry, which is no longer counted.
    fn without(&self, entry: Entry) -> Waiting {
        // After the entry has gone: a thread that loads the numbers before this looks once in vain.
        self.entries.fetch_sub(1, Ordering::Relaxed);
        if let Waiting::One(_) = entry.slots {
            self.singles.fetch_sub(1, Ordering::Relaxed);
        }
        entry.slots
    }

    fn take_young(&self) -> Option<Entry> {
        // Acquire pairs with `put_back` (Release). Of two threads that exchange, one gets the entry, and the other goes on to the queue.
        let young = NonNull::new(self.young.swap(ptr::null_mut(), Ordering::Acquire))?;
        // SAFETY: `put_back` put a box there, and the exchange removed it, so this thread alone has it.
        Some(*unsafe { Box::from_raw(young.as_ptr()) })
    }

    /// Puts back an entry that is too young: before the others, unless another thread put one back first.
    fn put_back(&self, entry: Entry) {
        let since = entry.since;
        let raw = Box::into_raw(Box::new(entry));
        // Release pairs with `take_young` (Acquire): the thread that takes the entry sees its slots and the ends of their lives.
        if self
            .young
            .compare_exchange(ptr::null_mut(), raw, Ordering::Release, Ordering::Relaxed)
            .is_ok()
        {
            // Relaxed: `take` loads it, to decide whether a look pays, and compares the entry with its own stamp. Before this store it
            // finds an older stamp, and looks in vain. Another thread may have taken the entry since the exchange, and may have put back
            // one with another stamp. Then this is the stamp of an entry that is gone: an older one makes a thread look in vain, a newer
            // one makes the entry wait longer.
            self.young_since.store(since.number(), Ordering::Relaxed);
        } else {
            // SAFETY: from the box above; the exchange did not store it.
            self.queue.get_or_make().push(*unsafe { Box::from_raw(raw) });
        }
    }
}

impl Drop for Limbo {
    fn drop(&mut self) {
        self.take_young();
    }
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, not(acedia_loom)))]
mod tests;
