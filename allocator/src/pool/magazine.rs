//! A thread's magazines of free slots, for one pool.
//!
//! ```text
//!             allocate                        free
//!                ▲                              │ no handle was made,      handles exist and
//!                │                              │ or one reading thread    another thread may read
//!        ┌───────┴───────┐                      │                                 │
//!        │ ready   (128) │◄─────────────────────┘                          ┌──────▼───────┐
//!        │ last in first │◄── fence, nobody is pinned, nobody guards ──────┤ freed   (64) │
//!        └───▲───────┬───┘                                                 └──────┬───────┘
//!      empty │       │ full                              full, somebody is pinned │
//!        ┌───┴───────▼───┐                                                 ┌──────▼───────┐
//!        │ depot: ready  │◄────────── every pin is newer than the stamp ───┤ depot: limbo │
//!        └───────────────┘                                                 └──────────────┘
//! ```
//!
//! Every slot on these lists holds a constructed object. Slots without one are the depot's business.

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::{Arc, Weak};

use super::chunk::Slot;
use super::depot::Depot;
use super::key::Key;
use crate::sync::plain::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// Slots that travel between a thread and the depot at a time.
pub(super) const MAGAZINE: usize = if cfg!(acedia_loom) { 2 } else { 64 };
/// Slots that a thread keeps ready: two magazines, so that freeing and allocating at the edge moves none.
const READY: usize = 2 * MAGAZINE;

/// Slots on their way through the depot.
pub(super) struct Magazine {
    len: usize,
    slots: [MaybeUninit<Slot>; MAGAZINE],
}

// SAFETY: slots mean the same on every thread, and the chunks they point to outlive the pool's lists.
unsafe impl Send for Magazine {}

impl Magazine {
    const EMPTY: Self = Self {
        len: 0,
        slots: [MaybeUninit::uninit(); MAGAZINE],
    };

    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        // SAFETY: the first `len` were written.
        self.slots[..self.len].iter().map(|slot| unsafe { slot.assume_init() })
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// A magazine of one slot.
    pub(super) fn single(slot: Slot) -> Box<Self> {
        let mut magazine = Box::new(Self::EMPTY);
        magazine.push(slot);
        magazine
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
}

impl Default for Magazine {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl fmt::Debug for Magazine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.slots().map(|slot| slot.index())).finish()
    }
}

/// One thread's part of one pool.
///
/// The lists belong to that thread alone. The numbers may be read by others, for statistics, and `limit` is written by
/// others to send the thread to the slow path.
#[repr(align(128))]
pub(super) struct Local {
    /// The pool is managed (see [`super::policy`]): no list is used.
    managed: AtomicBool,
    /// The slot that was freed last, above the list of ready ones; `None` if it is taken.
    ///
    /// Apart from the list, because freeing and allocating in turns is the commonest thing to do: it then waits for one
    /// store to come back from memory, and not for the list's length too. Twice as fast (`benches`, `pair`).
    top: Top,
    /// How many lives this thread began, and how many slots are ready: one word, so that counting costs nothing.
    ///
    /// ```text
    ///  63               8 7         0
    /// ┌──────────────────┬───────────┐
    /// │ lives begun      │ ready     │
    /// └──────────────────┴───────────┘
    /// ```
    word: AtomicU64,
    freed_len: AtomicU32,
    depot: Weak<Depot>,
    /// Slots without an object that this thread may make one in: `(next, end)`.
    pub(super) fresh: Cell<(u32, u32)>,
    /// Objects made by this thread.
    made: AtomicU64,
    /// What to add to `made - kept` for the living objects of the whole pool, as last counted.
    elsewhere: Cell<u64>,
    /// The most living objects this thread knew of.
    peak: AtomicU64,
    /// The pin that stood in the way last time: while it is still the oldest, looking again is no use.
    pub(super) blocked_by: Cell<u64>,
    /// An empty magazine, so that exchanging one for another allocates nothing.
    spare: Cell<Option<Box<Magazine>>>,
    ready: UnsafeCell<[MaybeUninit<Slot>; READY]>,
    freed: UnsafeCell<[MaybeUninit<Slot>; MAGAZINE]>,
}

/// A slot or none, written by one thread. Whether there is one may be asked by others.
#[derive(Default)]
struct Top {
    /// Null for none.
    at: AtomicPtr<u8>,
    key: Cell<Option<Key>>,
}

impl Top {
    #[inline]
    fn set(&self, slot: Slot) {
        let (at, key) = slot.into_parts();
        self.key.set(Some(key));
        self.at.store(at.as_ptr(), Ordering::Relaxed);
    }

    #[inline]
    fn get(&self) -> Option<Slot> {
        let at = NonNull::new(self.at.load(Ordering::Relaxed))?;
        // SAFETY: `set` writes the key with the address.
        Some(Slot::from_parts(at, unsafe { self.key.get().unwrap_unchecked() }))
    }

    #[inline]
    fn take(&self) -> Option<Slot> {
        let slot = self.get()?;
        self.at.store(std::ptr::null_mut(), Ordering::Relaxed);
        Some(slot)
    }

    fn is_some(&self) -> bool {
        !self.at.load(Ordering::Relaxed).is_null()
    }
}

/// One life begun, in [`Local::word`].
const LIFE: u64 = 1 << 8;
const LEN: u64 = LIFE - 1;
const _: () = assert!(READY as u64 <= LEN);

// SAFETY: the cells are touched only by the thread that the record belongs to (it hands out references to itself alone,
// through its own thread-local table) and by `Depot::remove_local` on that same thread; the rest is atomic.
unsafe impl Sync for Local {}
// SAFETY: slots mean the same on every thread, and the chunks they point to outlive the pool's lists.
unsafe impl Send for Local {}

impl Local {
    pub(super) fn new(depot: &Arc<Depot>) -> Arc<Self> {
        Arc::new(Self {
            managed: AtomicBool::new(false),
            top: Top::default(),
            word: AtomicU64::new(0),
            freed_len: AtomicU32::new(0),
            depot: Arc::downgrade(depot),
            fresh: Cell::new((0, 0)),
            made: AtomicU64::new(0),
            elsewhere: Cell::new(0),
            peak: AtomicU64::new(0),
            blocked_by: Cell::new(u64::MAX),
            spare: Cell::new(None),
            ready: UnsafeCell::new([MaybeUninit::uninit(); READY]),
            freed: UnsafeCell::new([MaybeUninit::uninit(); MAGAZINE]),
        })
    }

    pub(super) fn depot(&self) -> Option<Arc<Depot>> {
        self.depot.upgrade()
    }

    /// Sends every operation of the thread to the slow path, or lets it work with its lists again.
    pub(super) fn set_managed(&self, managed: bool) {
        // Relaxed: takes effect at the thread's next look.
        self.managed.store(managed, Ordering::Relaxed);
    }

    /// Begins a life in the slot that was freed last.
    #[inline]
    pub(super) fn begin_ready(&self) -> Option<Slot> {
        if self.managed.load(Ordering::Relaxed) {
            return None;
        }
        // Relaxed, here and below: this thread alone writes the word.
        let word = self.word.load(Ordering::Relaxed);
        if let Some(slot) = self.top.take() {
            self.word.store(word + LIFE, Ordering::Relaxed);
            return Some(slot);
        }
        if word & LEN == 0 {
            return None;
        }
        self.word.store(word + (LIFE - 1), Ordering::Relaxed);
        // SAFETY: below the length, so below `READY`.
        let place = unsafe { self.ready_at((word & LEN) - 1) };
        // SAFETY: written by a push.
        Some(unsafe { place.read() })
    }

    /// Counts a life that began elsewhere than in [`begin_ready`](Self::begin_ready).
    pub(super) fn count_begun(&self) {
        self.word
            .store(self.word.load(Ordering::Relaxed) + LIFE, Ordering::Relaxed);
    }

    /// Keeps a slot that may be reused at once. `false` if there is no room.
    #[inline]
    pub(super) fn push_ready(&self, slot: Slot) -> bool {
        if self.managed.load(Ordering::Relaxed) {
            return false;
        }
        if let Some(below) = self.top.get() {
            if !self.push_below(below) {
                return false;
            }
        }
        self.top.set(slot);
        true
    }

    /// Puts a slot on the list of ready ones. `false` if there is no room.
    #[inline]
    fn push_below(&self, slot: Slot) -> bool {
        let word = self.word.load(Ordering::Relaxed);
        if word & LEN >= READY as u64 {
            return false;
        }
        // SAFETY: below `READY`.
        let place = unsafe { self.ready_at(word & LEN) };
        // SAFETY: within the list, which only this thread touches.
        unsafe { place.write(slot) };
        self.word.store(word + 1, Ordering::Relaxed);
        true
    }

    /// A place on the list of ready slots.
    ///
    /// # Safety
    /// `at` is below [`READY`]. Only the owning thread uses the place.
    #[inline]
    unsafe fn ready_at(&self, at: u64) -> *mut Slot {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        // SAFETY: the caller's promise.
        unsafe {
            self.ready.get().cast::<Slot>().add(at as usize)
        }
    }

    fn ready_len(&self) -> usize {
        (self.word.load(Ordering::Relaxed) & LEN) as usize
    }

    fn set_ready_len(&self, len: usize) {
        let word = self.word.load(Ordering::Relaxed);
        self.word.store((word & !LEN) | len as u64, Ordering::Relaxed);
    }

    /// Takes the oldest of the ready slots, a magazine of them or as many as there are.
    pub(super) fn spill(&self) -> Box<Magazine> {
        if self.ready_len() == 0 {
            let _ = self.top.take().map(|top| self.push_below(top));
        }
        let len = self.ready_len();
        let taken = len.min(MAGAZINE);
        // SAFETY: only this thread touches the list.
        let ready = unsafe { &mut *self.ready.get() };
        let mut magazine = self.spare.take().unwrap_or_default();
        magazine.slots[..taken].copy_from_slice(&ready[..taken]);
        magazine.len = taken;
        ready.copy_within(taken..len, 0);
        self.set_ready_len(len - taken);
        magazine
    }

    /// Puts slots from the depot among the ready ones. There must be room.
    pub(super) fn load(&self, magazine: Box<Magazine>) {
        let len = self.ready_len();
        // SAFETY: only this thread touches the list.
        let ready = unsafe { &mut *self.ready.get() };
        ready[len..len + magazine.len].copy_from_slice(&magazine.slots[..magazine.len]);
        self.set_ready_len(len + magazine.len);
        self.spare.set(Some(magazine));
    }

    /// Whether a whole magazine can be loaded.
    pub(super) fn has_room(&self) -> bool {
        self.ready_len() + MAGAZINE <= READY
    }

    /// Keeps a slot that others may still be reading. `false` if there is no room.
    #[inline]
    pub(super) fn push_freed(&self, slot: Slot) -> bool {
        let len = self.freed_len.load(Ordering::Relaxed);
        if len as usize >= MAGAZINE || self.managed.load(Ordering::Relaxed) {
            return false;
        }
        // SAFETY: `len` is within the list.
        let place = unsafe { self.freed.get().cast::<Slot>().add(len as usize) };
        // SAFETY: only this thread touches the list.
        unsafe { place.write(slot) };
        self.freed_len.store(len + 1, Ordering::Relaxed);
        true
    }

    /// Takes all freed slots.
    pub(super) fn take_freed(&self) -> Box<Magazine> {
        let len = self.freed_len.load(Ordering::Relaxed) as usize;
        // SAFETY: only this thread touches the list.
        let freed = unsafe { &*self.freed.get() };
        let mut magazine = self.spare.take().unwrap_or_default();
        magazine.slots[..len].copy_from_slice(&freed[..len]);
        magazine.len = len;
        self.freed_len.store(0, Ordering::Relaxed);
        magazine
    }

    pub(super) fn has_freed(&self) -> bool {
        self.freed_len.load(Ordering::Relaxed) != 0
    }

    /// Whether there are enough freed slots that looking around for them pays.
    pub(super) fn freed_is_worth_a_fence(&self) -> bool {
        self.freed_len.load(Ordering::Relaxed) as usize >= MAGAZINE / 2
    }

    /// Makes the freed slots ready, those excepted that somebody guards. There are no ready ones. The caller has fenced
    /// since their lives ended, and nobody is pinned.
    pub(super) fn ready_freed(&self) {
        if self.ready_len() != 0 {
            // They were not taken because another thread is just changing the policy.
            return;
        }
        let len = self.freed_len.load(Ordering::Relaxed) as usize;
        // SAFETY: only this thread touches the lists.
        let freed = unsafe { &mut *self.freed.get() };
        // SAFETY: as above.
        let ready = unsafe { &mut *self.ready.get() };
        let (mut guarded, mut quiet) = (0, 0);
        for at in 0..len {
            // SAFETY: below the length.
            let slot = unsafe { freed[at].assume_init() };
            if slot.readers().quiet() {
                ready[quiet].write(slot);
                quiet += 1;
            } else {
                freed[guarded].write(slot);
                guarded += 1;
            }
        }
        self.freed_len.store(len_u32(guarded), Ordering::Relaxed);
        self.set_ready_len(quiet);
    }

    pub(super) fn has_fresh(&self) -> bool {
        let (next, end) = self.fresh.get();
        next < end
    }

    /// Counts an object made by this thread.
    pub(super) fn count_made(&self) {
        let made = self.made() + 1;
        self.made.store(made, Ordering::Relaxed);
        self.note_peak(made.wrapping_sub(self.kept()).wrapping_add(self.elsewhere.get()));
    }

    /// Objects made by this thread.
    pub(super) fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Corrects this thread's account of the pool's living objects.
    pub(super) fn set_live(&self, live: u64) {
        self.elsewhere
            .set(live.wrapping_sub(self.made().wrapping_sub(self.kept())));
        self.note_peak(live);
    }

    fn note_peak(&self, live: u64) {
        // A count that went below zero, because it was made of numbers of different moments, is no sample.
        if live > self.peak() && live <= u64::MAX / 2 {
            self.peak.store(live, Ordering::Relaxed);
        }
    }

    /// The most living objects this thread knew of.
    pub(super) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Lives begun by this thread.
    pub(super) fn begun(&self) -> u64 {
        self.word.load(Ordering::Relaxed) >> LIFE.trailing_zeros()
    }

    /// Free objects on this thread's lists.
    pub(super) fn kept(&self) -> u64 {
        let top = u64::from(self.top.is_some());
        top + self.ready_len() as u64 + u64::from(self.freed_len.load(Ordering::Relaxed))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "lengths of magazines are small")]
fn len_u32(len: usize) -> u32 {
    len as u32
}

/// Takes the slots that somebody guards out of a magazine. The caller has ended their lives and fenced since.
pub(super) fn take_guarded(magazine: &mut Magazine) -> Option<Box<Magazine>> {
    let mut guarded: Option<Box<Magazine>> = None;
    let mut quiet = 0;
    for at in 0..magazine.len {
        // SAFETY: below the length.
        let slot = unsafe { magazine.slots[at].assume_init() };
        if slot.readers().quiet() {
            magazine.slots[quiet].write(slot);
            quiet += 1;
        } else {
            guarded.get_or_insert_default().push(slot);
        }
    }
    magazine.len = quiet;
    guarded
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! Slots that travel from thread to thread.

    use crate::pool::models::{BEGUN, Beginning, Payload, both, model, saw};
    use crate::pool::{Owner, Pool};

    /// Two threads allocate and free through the same depot: no slot is owned twice, and none is lost.
    #[test]
    fn magazines_and_depot_exchange() {
        model(&["here", "there"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            // Two more than a thread keeps: the depot gets them, for whoever comes first.
            let mut owners = [(); 6].map(|()| pool.allocate());
            let depot = [owners[0].index(), owners[1].index()];
            owners.iter_mut().for_each(|owner| owner.get_mut().unwrap().write(0));
            drop(owners);
            let (here, there) = both(|| use_some(&pool, 5), || use_some(&pool, 3));
            let got = |indices: &[u32]| depot.iter().any(|index| indices.contains(index));
            assert!(got(&here) || got(&there), "the depot kept its magazine to itself");
            saw(if got(&here) { "here" } else { "there" });
            conserved(&pool);
        });
    }

    /// Has some objects at a time, half of them exposed; gives their slots.
    fn use_some(pool: &Pool<Payload, Beginning>, count: usize) -> Vec<u32> {
        let owners: Vec<_> = (0..count)
            .map(|_| pool.allocate_with(|object| object.write(1)))
            .collect();
        let indices = owners.iter().map(Owner::index).collect();
        for (n, owner) in owners.iter().enumerate() {
            assert_eq!(owner.read(), 1);
            if n % 2 == 0 {
                let _ = owner.key();
            }
        }
        indices
    }

    /// Every slot that was ever made is free, and is found again, once.
    fn conserved(pool: &Pool<Payload, Beginning>) {
        let stats = pool.stats();
        assert_eq!((stats.live, stats.kept), (0, stats.fresh));
        let all: Vec<_> = (0..stats.fresh).map(|_| pool.allocate()).collect();
        assert_eq!(pool.stats().fresh, stats.fresh, "slots were lost");
        let mut indices: Vec<_> = all.iter().map(Owner::index).collect();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), all.len(), "a slot is owned twice");
    }

    /// One thread allocates, the other frees.
    #[test]
    fn remote_free() {
        model(&["reused", "not reused"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let owners = [(); 3].map(|()| pool.allocate());
            owners.iter().for_each(|owner| {
                let _ = owner.key();
            });
            both(
                || {
                    let fresh = pool.stats().fresh;
                    let next = [(); 2].map(|()| pool.allocate());
                    next.iter().for_each(|owner| assert_eq!(owner.read(), BEGUN));
                    saw(if pool.stats().fresh < fresh + 2 {
                        "reused"
                    } else {
                        "not reused"
                    });
                },
                move || {
                    owners.iter().for_each(|owner| assert_eq!(owner.read(), BEGUN));
                    drop(owners);
                },
            );
            conserved(&pool);
        });
    }
}
