//! The engine: a pool of objects of one type, with keys that never dangle.
//!
//! A [`Pool`] is an ordinary value. It makes an object once per slot and recycles it in place, so that what the object
//! owns (the buffer of a `Vec`, say) is kept from life to life. Each life has a number that never repeats in its slot;
//! a [`Key`] is slot and life in eight bytes, and leads to the object until that very life ends, and to nothing after
//! that, from any thread, for ever.
//!
//! | | what | costs |
//! |---|---|---|
//! | [`Owner`] | responsible for the object; reads it directly | no locked instruction to allocate and to free |
//! | [`Key`] | a number: stored, copied, sent anywhere | nothing |
//! | [`Pinned`] | "this thread is reading": any number of reads, of any pool | one fence; a read is four loads |
//! | [`Reader`] | one pool under a pin, for many reads | four loads; a read is one more, two for what is dead, three among more than some thousand objects |
//! | [`Guard`] | one object, held across threads and `await` | two locked instructions |
//! | [`Reserved`] | a key whose object comes later | as an owner |
//!
//! # How it works
//!
//! ```text
//!   Pool ─────► Depot ───────► chunks of slots      DIRECTORY: slot index ─► chunk
//!    tag         ready, limbo,      ▲
//!     │          deferred           │ life word, reader word, object
//!     ▼             ▲               │
//!   thread's table ─► magazines ────┘
//!                     ready, freed
//! ```
//!
//! * `state`: a slot's two words and all their transitions; the only file that orders them.
//! * `pin`: how a thread says that it reads; the fences; when reuse is safe.
//! * `local`, `magazine`: what a thread keeps, and the drawing of how slots travel.
//! * `census`, `guarding`, `counting`: how a pool knows who makes guards and who counts owners; `barrier`: the fence for all.
//! * `thread`: one record per thread; thread exit.
//! * `depot`, `growth`, `stock`, `shelf`, `settle`, `deferred`, `collect`: where slots come from, wait, go to, and how memory is
//!   given back.
//! * `capacity`: how many objects of a bounded pool are in use, and who waits for room.
//! * `shape`, `chunk`, `slot`: how memory is laid out, and what is found in it; `pages`, `region`, `directory`: getting it, and
//!   finding it.
//! * `owner`, `guard`, `reader`, `reserved`, `key`: the types above.
//!
//! # Why not …?
//!
//! `Box` and `Arc`: freeing under somebody's nose is impossible, so everybody pays for counting or cannot free. A
//! slot map: needs `&mut` to insert and remove, so one thread at a time. Epoch reclamation: frees memory late and in
//! bulk, while here a life ends at once and only the reuse of its memory waits.

mod arena;
mod barrier;
mod capacity;
mod census;
mod chunk;
mod collect;
mod deferred;
mod depot;
mod directory;
mod erased;
mod growth;
mod guard;
mod guarding;
mod hooks;
mod key;
mod local;
mod magazine;
#[cfg(all(test, acedia_loom))]
mod models;
mod owner;
mod pages;
mod pin;
mod policy;
mod reader;
mod reserved;
mod settle;
mod shape;
mod shared;
mod shelf;
#[cfg(debug_assertions)]
mod site;
mod slot;
mod state;
mod stats;
mod stock;
mod tag;
mod thread;

pub use collect::Reclaimed;
pub use erased::ErasedOwner;
pub use guard::{Guard, OwnedGuard};
pub use hooks::{Hooks, Plain};
pub use key::Key;
pub use owner::Owner;
pub use pin::{Pinned, pin};
pub use policy::PoolPolicy;
pub use reader::{Many, Reader};
pub use reserved::Reserved;
pub use stats::Stats;

use std::fmt;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use self::capacity::Wait;
use self::depot::{Depot, Found};
use self::local::Local;
use self::settle::Abandon;
use self::shape::Shape;
use self::shared::Shared;
use self::slot::Slot;
use crate::sync::plain::{AtomicU32, AtomicU64, Ordering};
use crate::{AccessError, AllocateError, Reason};

/// What the end of a thread does, for models in other crates: loom runs no exit hooks of ours.
#[doc(hidden)]
#[cfg(acedia_loom)]
pub fn exit_thread() {
    thread::with(thread::ThreadState::exit);
}

/// A pool of objects of type `T`, recycled in place. See the [module](self) for the whole picture.
///
/// `Send + Sync`: it is shared by reference, in a `static` (it is made by a `const fn`) or in an `Arc`. Dropping it drops
/// every object in it, alive or free; owners and guards borrow it, so there are none by then. Objects that were left
/// alive without an owner, by [`Owner::into_manual`], are finalized first. All this happens in the drop, unless another
/// thread is finishing an object of the pool at that moment, on behalf of readers that have left; then that thread does it.
///
/// ```
/// use acedia_allocator::pool::{Pool, pin};
///
/// static TRAILS: Pool<Vec<[f32; 3]>> = Pool::new();
///
/// let trail = TRAILS.allocate_with(|t| { t.clear(); t.push([0.0; 3]) });
/// let key = trail.key();
/// std::thread::spawn(move || {
///     assert_eq!(TRAILS.get(key, &pin()).unwrap().len(), 1);
/// }).join().unwrap();
/// drop(trail);
/// assert!(TRAILS.get(key, &pin()).is_none());
/// // Every way in has one that says why it failed, and every way to read has one that keeps the object for longer.
/// let other = TRAILS.try_allocate().unwrap();
/// let guard = TRAILS.guard(other.key()).unwrap();
/// assert!(TRAILS.try_get(key, &pin()).is_err() && TRAILS.try_guard(key).is_err() && !TRAILS.contains(key));
/// assert_eq!(*guard, *other);
/// drop((guard, other));
/// assert_eq!(TRAILS.stats().live, 0);
/// assert!(TRAILS.collect().objects > 0);
/// ```
///
/// The value itself is small, whatever is in the pool: it may be moved.
/// ```
/// use acedia_allocator::PoolPolicy;
/// use acedia_allocator::pool::Pool;
///
/// let pool: Pool<u64> = Pool::new().keep(PoolPolicy::KeepAtMost(10)).bounded(2);
/// assert_eq!(pool.policy(), PoolPolicy::KeepAtMost(10));
/// let place = pool.reserve(); // has a key already
/// let manual = pool.allocate().into_manual();
/// assert!(pool.try_allocate().is_err() && pool.try_reserve().is_err(), "two at a time");
/// let owner = pool.reclaim(manual).unwrap();
/// owner.free();
/// assert!(pool.free(manual).is_err());
/// drop(place);
/// pool.set_policy(PoolPolicy::KeepNone).unwrap();
/// assert_eq!(pool.stats().live, 0);
/// ```
#[doc(alias = "AcediaObjectPool")]
pub struct Pool<T: 'static, H: Hooks<T> = Plain> {
    /// The pool's number in the directory; [`directory::NOBODY`] until the pool has a depot.
    number: AtomicU32,
    /// The depot's tag, marked while the hot path must not allocate alone; [`tag::NONE`] until there is a depot.
    marked_tag: AtomicU64,
    depot: OnceLock<Shared<Depot>>,
    policy: PoolPolicy,
    capacity: Option<usize>,
    /// Objects go in and come out through `&self`, so the pool, and with it owners and reservations, is invariant in `T`: as a
    /// pool of a supertype, it would take objects that are not of the type. Hooks are types, not values.
    objects: PhantomData<(T, Invariant<T>, Invariant<H>)>,
}

type Invariant<T> = fn(T) -> T;

// A panic in user code costs at most the object that it was about, which is dropped: see `allocate_with`, and `Hooks`.
impl<T: RefUnwindSafe, H: Hooks<T>> UnwindSafe for Pool<T, H> {}
impl<T: RefUnwindSafe, H: Hooks<T>> RefUnwindSafe for Pool<T, H> {}

impl<T: Default + Send + Sync + 'static> Pool<T> {
    /// An empty pool. Costs nothing until the first object is allocated.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_hooks()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Default for Pool<T, H> {
    fn default() -> Self {
        Self::with_hooks()
    }
}

impl<T: Send + Sync + 'static, H: Hooks<T>> Pool<T, H> {
    /// An empty pool whose objects are made, begun and ended by `H`.
    #[must_use]
    pub const fn with_hooks() -> Self {
        Self {
            number: AtomicU32::new(directory::NOBODY),
            marked_tag: AtomicU64::new(tag::NONE),
            depot: OnceLock::new(),
            policy: PoolPolicy::KeepAll,
            capacity: None,
            objects: PhantomData,
        }
    }

    /// The same pool, keeping so many free objects. For use before the first object is allocated and the first reader made.
    #[must_use]
    pub const fn keep(mut self, policy: PoolPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// The same pool, refusing to have more than `capacity` objects in use. For use before the first is allocated and the first
    /// reader made.
    ///
    /// Freed objects count as in use until their readers have left. A bounded pool takes a lock per operation.
    ///
    /// ```
    /// use acedia_allocator::AllocateError;
    /// use acedia_allocator::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let only = pool.allocate();
    /// assert!(matches!(pool.try_allocate(), Err(AllocateError::Full { capacity: 1, .. })));
    /// drop(only);
    /// assert!(pool.try_allocate().is_ok());
    /// ```
    #[must_use]
    pub const fn bounded(mut self, capacity: usize) -> Self {
        self.capacity = Some(capacity);
        self
    }

    // Allocation.

    /// An object for a new life: one that was freed before, as its last life left it, or a new one.
    ///
    /// # Panics
    ///
    /// If the pool is bounded and full, and if the hooks panic. Aborts, as `Box` does, if there is no memory. See
    /// [`try_allocate`](Self::try_allocate).
    #[inline]
    #[track_caller]
    #[must_use = "an object without an owner is freed at once"]
    #[doc(alias = "Allocate")]
    #[doc(alias = "Fetch")]
    pub fn allocate(&self) -> Owner<'_, T, H> {
        self.allocate_with(|_| {})
    }

    /// As [`allocate`](Self::allocate), letting `init` change the object before anybody can see it.
    ///
    /// # Panics
    ///
    /// As `allocate`, and if `init` does: the object is then dropped and its slot made anew for its next life.
    #[inline]
    #[track_caller]
    pub fn allocate_with(&self, init: impl FnOnce(&mut T)) -> Owner<'_, T, H> {
        // Not through `acquire`, whose result takes its way through memory.
        let slot = match self.take_ready() {
            Some(slot) => slot,
            None => self.acquire_or_refuse(),
        };
        Self::begin(slot, init)
    }

    /// As [`allocate_with`](Self::allocate_with) of the object that this thread freed last, if it keeps any, with `prepare` in
    /// the place of [`Hooks::begin`]: it finds what the last life left.
    #[inline]
    #[track_caller]
    pub(crate) fn reuse_with<R>(&self, prepare: impl FnOnce(&mut T) -> R) -> Option<(Owner<'_, T, H>, R)> {
        Some(Self::prepare(self.take_ready()?, prepare))
    }

    /// As [`allocate`](Self::allocate), giving an error instead of a panic or an abort.
    ///
    /// # Errors
    ///
    /// There is no memory, the pool is bounded and full, or the process has used up the numbers of slots. Nothing has
    /// changed.
    ///
    /// "Memory" is that of the objects and that of the pool's own books: some hundred bytes for its first object, some per
    /// chunk of slots, some thousand for a thread's first use of it, without which an object given now could not be freed.
    /// What aborts without memory, as `Box` does: freeing on a thread that had no use of the pool before, lists of what was
    /// freed (some bytes for each object), and the standard library's list of a thread's destructors, in which the first use
    /// of any pool stands.
    #[track_caller]
    pub fn try_allocate(&self) -> Result<Owner<'_, T, H>, AllocateError> {
        self.try_allocate_with(|_| {})
    }

    /// As [`allocate_with`](Self::allocate_with), giving an error instead of a panic or an abort.
    ///
    /// # Errors
    ///
    /// As [`try_allocate`](Self::try_allocate); `init` has not been called.
    #[track_caller]
    pub fn try_allocate_with(&self, init: impl FnOnce(&mut T)) -> Result<Owner<'_, T, H>, AllocateError> {
        let slot = self.acquire(true, Wait::Not)?;
        Ok(Self::begin(slot, init))
    }

    /// As [`try_allocate`](Self::try_allocate), with an object that had no life before. What is free stays free.
    ///
    /// # Errors
    ///
    /// As `try_allocate`.
    #[track_caller]
    pub fn try_allocate_fresh(&self) -> Result<Owner<'_, T, H>, AllocateError> {
        let slot = self.acquire(false, Wait::Not)?;
        Ok(Self::begin(slot, |_| {}))
    }

    /// As [`try_allocate`](Self::try_allocate), waiting for room in a bounded pool: for ever if `timeout` is `None`.
    ///
    /// Blocks the thread. A thread that waits while it holds the only objects in use waits for ever.
    ///
    /// ```
    /// use std::time::Duration;
    /// use acedia_allocator::pool::Pool;
    ///
    /// let pool: Pool<u64> = Pool::new().bounded(1);
    /// let only = pool.allocate();
    /// assert!(pool.allocate_waiting(Some(Duration::from_millis(1))).is_err());
    /// std::thread::scope(|s| {
    ///     let waiting = s.spawn(|| pool.allocate_waiting(None).is_ok());
    ///     drop(only);
    ///     assert!(waiting.join().unwrap());
    /// });
    /// ```
    ///
    /// # Errors
    ///
    /// As `try_allocate`: [`AllocateError::Full`] only after the timeout (in WebAssembly without threads, where nobody could make
    /// room, at once).
    #[track_caller]
    pub fn allocate_waiting(&self, timeout: Option<Duration>) -> Result<Owner<'_, T, H>, AllocateError> {
        /// Nobody else is there who could make room, and in browsers there is no clock.
        const ALONE: bool = cfg!(all(target_family = "wasm", not(target_feature = "atomics")));
        let slot = match self.acquire(true, Wait::Not) {
            Err(AllocateError::Full { .. }) if !ALONE => {
                // A timeout beyond the clock's range is for ever.
                let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
                self.acquire(true, deadline.map_or(Wait::ForEver, Wait::Until))?
            }
            found => found?,
        };
        Ok(Self::begin(slot, |_| {}))
    }

    /// A slot with a key, whose object comes later.
    ///
    /// # Errors
    ///
    /// As [`try_allocate`](Self::try_allocate).
    #[track_caller]
    pub fn try_reserve(&self) -> Result<Reserved<'_, T, H>, AllocateError> {
        let slot = self.acquire(true, Wait::Not)?;
        // SAFETY: the slot is on no list; its object was made by this pool.
        Ok(unsafe { Reserved::from_slot(slot) })
    }

    /// As [`try_reserve`](Self::try_reserve), for a pool that is not expected to refuse.
    ///
    /// # Panics
    ///
    /// As [`allocate`](Self::allocate).
    #[track_caller]
    pub fn reserve(&self) -> Reserved<'_, T, H> {
        self.try_reserve().unwrap_or_else(|error| refuse(&error))
    }

    /// A slot with an object, on no list. Its life is counted as begun.
    #[inline]
    #[track_caller]
    fn acquire(&self, reuse: bool, wait: Wait) -> Result<Slot, AllocateError> {
        match if reuse { self.take_ready() } else { None } {
            Some(slot) => Ok(slot),
            None => self.acquire_slow(reuse, wait),
        }
    }

    /// The slot that this thread freed last, if it keeps any.
    #[inline]
    #[track_caller]
    fn take_ready(&self) -> Option<Slot> {
        let slot = thread::with(|thread| thread.recent(self.marked_tag())?.begin_ready())?;
        slot.note_allocated();
        Some(slot)
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn acquire_or_refuse(&self) -> Slot {
        match self.acquire_slow(true, Wait::Not) {
            Ok(slot) => slot,
            Err(error) => refuse(&error),
        }
    }

    #[inline]
    #[track_caller]
    fn acquire_slow(&self, reuse: bool, wait: Wait) -> Result<Slot, AllocateError> {
        match self.make_next() {
            Some(slot) => Ok(slot),
            None => self.acquire_from_depot(reuse, wait),
        }
    }

    /// The next of the slots without objects that this thread took, with an object, if no other object is free: what a pool
    /// that grows does for each (`benches`, `build`).
    #[inline]
    #[track_caller]
    fn make_next(&self) -> Option<Slot> {
        let depot = self.depot.get()?;
        let slot = thread::with(|thread| {
            let local = thread.recent(self.marked_tag())?;
            let index = depot.has_nothing_for(local).then(|| local.take_fresh())??;
            let slot = Self::make(depot, Some(local), index);
            local.count_begun();
            Some(slot)
        })?;
        slot.note_allocated();
        Some(slot)
    }

    /// Makes an object in a slot without one, which is on no list.
    #[inline]
    fn make(depot: &Depot, local: Option<&Local>, index: u32) -> Slot {
        let slot = Slot::of_own_in::<T>(index);
        let still_empty = StillEmpty { depot, index };
        let object = H::make();
        std::mem::forget(still_empty);
        // SAFETY: the slot is on no list and holds no object.
        unsafe { slot.object().write(object) };
        // SAFETY: the directory has the chunks of a living pool.
        let chunk = unsafe { directory::chunk_of(index).as_ref() };
        slot.life().make(index, chunk.floor.load(Ordering::Relaxed));
        depot.count_made(local);
        slot
    }

    #[cold]
    #[inline(never)]
    #[track_caller]
    fn acquire_from_depot(&self, reuse: bool, wait: Wait) -> Result<Slot, AllocateError> {
        let depot = self.depot()?;
        let slot = thread::with(|thread| {
            let local = thread.local(depot.tag).or_else(|| thread.join(depot));
            if local.is_none() && !thread.is_gone() {
                // An object given now could not be freed: that takes what there is no memory for.
                return Err(depot.shape.no_memory(size_of::<Local>()));
            }
            let slot = match depot.acquire(local, reuse, wait)? {
                Found::Begun(slot) => return Ok(slot),
                Found::Made(index) => Slot::of_own(index),
                Found::Empty(index) => Self::make(depot, local, index),
            };
            match local {
                Some(local) => local.count_begun(),
                None => {
                    depot.numbers.begun.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(slot)
        })?;
        // Not in the closure, which does not know the caller's place.
        slot.note_allocated();
        Ok(slot)
    }

    #[inline]
    fn begin<'p>(slot: Slot, init: impl FnOnce(&mut T)) -> Owner<'p, T, H>
    where
        Self: 'p,
    {
        let (owner, ()) = Self::prepare(slot, |object| {
            H::begin(object);
            init(object);
        });
        owner
    }

    #[inline]
    fn prepare<'p, R>(slot: Slot, prepare: impl FnOnce(&mut T) -> R) -> (Owner<'p, T, H>, R)
    where
        Self: 'p,
    {
        let abandon = Abandon(slot);
        // SAFETY: the slot is on no list and its life is not visible, so nobody else can reach the object.
        let result = prepare(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
        // SAFETY: the slot's ownership passes to the owner; this pool made the object.
        (unsafe { Owner::from_slot(slot) }, result)
    }

    // Access by key.

    /// The slot that a key of this pool names, whatever life it is in.
    #[inline]
    fn find(&self, key: Key) -> Option<Slot> {
        find::<T>(key, self.number())
    }

    /// The object that `key` names, if its life goes on. Four plain loads, of which a [`reader`](Self::reader) spares three (two if
    /// there is nothing), or one among more than some thousand objects.
    #[inline]
    #[must_use]
    pub fn get<'g>(&'g self, key: Key, pinned: &'g Pinned) -> Option<&'g T> {
        read(self.find(key)?, key, pinned)
    }

    /// This pool under a pin, for many reads: see [`Reader`].
    ///
    /// # Panics
    ///
    /// If nothing was ever allocated here and the process has a hundred thousand pools already; aborts if there is no memory for
    /// the pool's first books.
    #[inline]
    #[track_caller]
    pub fn reader<'g>(&'g self, pinned: &'g Pinned) -> Reader<'g, T, H> {
        let depot = match self.depot.get() {
            Some(depot) => depot,
            None => self.first_depot(),
        };
        Reader::new(self, pinned, depot)
    }

    /// As [`get`](Self::get), saying why there is nothing.
    ///
    /// # Errors
    ///
    /// The life has ended or is out of sight, the key belongs to another pool, or it was made up.
    pub fn try_get<'g>(&'g self, key: Key, pinned: &'g Pinned) -> Result<&'g T, AccessError> {
        self.get(key, pinned).ok_or_else(|| self.explain(key, Reason::Hidden))
    }

    /// The object that `key` names, counted: to be held across threads and `await`.
    #[inline]
    #[must_use]
    pub fn guard(&self, key: Key) -> Option<Guard<'_, T>> {
        Guard::begin(self.find(key)?, key)
    }

    /// As [`guard`](Self::guard), saying why there is nothing.
    ///
    /// # Errors
    ///
    /// As [`try_get`](Self::try_get).
    pub fn try_guard(&self, key: Key) -> Result<Guard<'_, T>, AccessError> {
        self.guard(key).ok_or_else(|| self.explain(key, Reason::Hidden))
    }

    /// As [`guard`](Self::guard), keeping the pool alive too.
    #[must_use]
    pub fn guard_owned(self: &Arc<Self>, key: Key) -> Option<OwnedGuard<T, H>> {
        OwnedGuard::begin(Arc::clone(self), self.find(key)?, key)
    }

    /// Whether the life that `key` names goes on at this moment. If it does, all that came before it was made visible is in
    /// sight of this thread.
    #[must_use]
    #[doc(alias = "IsAllocated")]
    pub fn contains(&self, key: Key) -> bool {
        self.find(key).is_some_and(|slot| slot.life().snapshot().shows(key))
    }

    /// Frees a manual object ([`Owner::into_manual`]): that life, or nothing.
    ///
    /// # Errors
    ///
    /// As [`try_get`](Self::try_get), and [`Reason::Owned`] if the object is alive but not manual. Of several that free
    /// the same key at the same time, one succeeds.
    #[track_caller]
    #[doc(alias = "FreeSelf")]
    pub fn free(&self, key: Key) -> Result<(), AccessError> {
        // Called here and not by `map`, which would make this the place that is remembered.
        self.reclaim(key)?.free();
        Ok(())
    }

    /// Takes a manual object ([`Owner::into_manual`]) back into an owner.
    ///
    /// # Errors
    ///
    /// As [`free`](Self::free).
    pub fn reclaim(&self, key: Key) -> Result<Owner<'_, T, H>, AccessError> {
        // The pin keeps the slot from another life, so that the share taken is not a later life's.
        let pinned = pin();
        let slot = self.find(key).filter(|slot| slot.life().is(key));
        let taken = slot.filter(|slot| slot.readers().take_manual());
        drop(pinned);
        match (slot, taken) {
            // SAFETY: the manual share was an owner's, and is taken once.
            (_, Some(slot)) => Ok(unsafe { Owner::from_slot(slot) }),
            (Some(_), None) => Err(self.explain(key, Reason::Owned)),
            (None, None) => Err(self.explain(key, Reason::Hidden)),
        }
    }

    /// Why `key` does not lead to an object, for one that was just refused: for the reason `in_sight` if its life is in sight.
    #[cold]
    fn explain(&self, key: Key, in_sight: Reason) -> AccessError {
        let nothing = AccessError {
            reason: Reason::NeverIssued,
            type_name: std::any::type_name::<T>(),
            key,
            now: None,
            allocated: None,
            freed: None,
        };
        let Some(slot) = self.find(key) else {
            let reason = if directory::is_foreign(key.index(), self.number()) {
                Reason::Foreign
            } else {
                Reason::NeverIssued
            };
            return AccessError { reason, ..nothing };
        };
        let snapshot = slot.life().snapshot();
        // SAFETY: found, so the chunk belongs to this pool.
        let chunk = unsafe { directory::chunk_of(key.index()).as_ref() };
        let highest = slot.highest_life(chunk);
        let life = key.life().get();
        let reason = if snapshot.is_hidden(key.life()) {
            Reason::Hidden
        } else if life > highest {
            Reason::NeverIssued
        } else if life < highest {
            Reason::Reused
        } else if snapshot.current().is_some() {
            // Also one that came back into sight since it was refused.
            in_sight
        } else {
            Reason::Freed
        };
        let refused = AccessError {
            reason,
            now: snapshot.current(),
            ..nothing
        };
        #[cfg(debug_assertions)]
        if let (Reason::Freed | Reason::Reused | Reason::Owned, Some(places)) =
            (reason, chunk.site(key.index()).of(key.life()))
        {
            return AccessError {
                allocated: Some(places.allocated),
                freed: places.freed,
                ..refused
            };
        }
        refused
    }

    // Memory and numbers.

    #[inline]
    fn number(&self) -> u32 {
        // Acquire pairs with `depot` (Release): a number is used again, and who knows it must not find the chunks that the
        // pool before had entered under it.
        self.number.load(Ordering::Acquire)
    }

    /// The depot of a pool that may have none yet.
    #[cold]
    #[track_caller]
    fn first_depot(&self) -> &Depot {
        match self.depot() {
            Ok(depot) => depot,
            Err(error) => refuse(&error),
        }
    }

    #[inline]
    fn marked_tag(&self) -> u64 {
        // Relaxed: a tag never comes back, and the thread's table is its own. A change of the policy takes effect at each thread's next look.
        self.marked_tag.load(Ordering::Relaxed)
    }

    fn depot(&self) -> Result<&Shared<Depot>, AllocateError> {
        if let Some(depot) = self.depot.get() {
            return Ok(depot);
        }
        let fresh = Depot::create(Shape::of::<T, H>(), self.policy, self.capacity)?;
        Ok(self.depot.get_or_init(|| {
            // Before anybody can have a key. Nor can anybody change the policy before this is over.
            self.number.store(tag::number(fresh.tag), Ordering::Release);
            self.marked_tag.store(fresh.marked_tag(), Ordering::Relaxed);
            fresh
        }))
    }

    /// Numbers about this pool.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.depot.get().map_or_else(Stats::default, |depot| depot.stats())
    }

    /// Changes how many free objects are kept: at once for those in the depot and on this thread, for other threads'
    /// magazines when they next allocate from this pool, free an object of it, or end. What is too much is dropped, and so is
    /// what is freed while as many are kept.
    ///
    /// A thread that does none of these keeps what it has, at most 766 objects. Nobody else can take them, because a thread
    /// works on its magazines without telling anybody; [`collect`](Self::collect), called there, empties them.
    ///
    /// # Errors
    ///
    /// The process has a hundred thousand pools already, or no memory for the pool's first books.
    ///
    /// # Panics
    ///
    /// If the drop of an object that there are too many of does, or a finalizer that was waiting for readers: with the first
    /// panic, after everything else is done.
    pub fn set_policy(&self, policy: PoolPolicy) -> Result<(), AllocateError> {
        self.depot()?.set_policy(policy, self.capacity.is_some(), |tag| {
            self.marked_tag.store(tag, Ordering::Relaxed);
        });
        Ok(())
    }

    /// How many free objects are kept.
    #[must_use]
    pub fn policy(&self) -> PoolPolicy {
        self.depot.get().map_or(self.policy, |depot| depot.cold.lock().policy)
    }

    /// Drops the free objects and gives wholly free chunks back to the operating system, finishing first what waits for
    /// readers that have left. Every stale key keeps leading to nothing.
    ///
    /// Free objects in the magazines of other threads stay, at most 766 per thread, and so does what is being read. Takes
    /// time in proportion to the slots of the pool.
    ///
    /// # Panics
    ///
    /// If the drop of an object does: with the first panic, after everything else is done.
    #[doc(alias = "CollectGarbage")]
    #[doc(alias = "Clear")]
    pub fn collect(&self) -> Reclaimed {
        self.depot
            .get()
            .map_or_else(Reclaimed::default, |depot| depot.collect())
    }

    /// Moves a slot on towards its last life, to test what happens there: the object of `owner`, whose key must not have
    /// been made, will be in life `next` once it is.
    ///
    /// # Panics
    ///
    /// If the owner's key was made, it is not the only owner, or `next` is not ahead.
    #[cfg(any(test, feature = "test-lives"))]
    pub fn skip_lives(&self, owner: &mut Owner<'_, T, H>, next: crate::LifeVersion) {
        let key_made = self.contains(Key::new(owner.index(), next));
        assert!(!key_made, "the life is visible");
        assert_eq!(owner.owners(), 1, "another owner might make the life visible meanwhile");
        owner.skip_lives(next);
    }
}

/// The slot that `key` names in the pool with that number, which is one of `T`, whatever life it is in.
#[inline]
fn find<T>(key: Key, pool: u32) -> Option<Slot> {
    let origin = directory::find(key.index(), pool)?;
    slot::has_slot::<T>(key.index()).then(|| Slot::of_key::<T>(origin, key))
}

/// The object in `slot`, found for `key` in a pool of `T` that lives as long as the pin, if the life goes on that `key` names.
#[inline]
fn read<T>(slot: Slot, key: Key, pinned: &Pinned) -> Option<&T> {
    let _ = pinned;
    // SAFETY: the life is visible, so the object is initialised; the pin keeps it from being finalized and reused.
    slot.life().is(key).then(|| unsafe { slot.object().as_ref() })
}

/// Puts a slot back if its object could not be made.
struct StillEmpty<'a> {
    depot: &'a Depot,
    index: u32,
}

impl Drop for StillEmpty<'_> {
    #[cold]
    fn drop(&mut self) {
        self.depot.put_blank(self.index);
        self.depot.capacity.leave();
    }
}

#[cold]
#[track_caller]
fn refuse(error: &AllocateError) -> ! {
    if let AllocateError::Memory { bytes, .. } = error {
        if let Ok(layout) = std::alloc::Layout::from_size_align(*bytes, 16) {
            std::alloc::handle_alloc_error(layout);
        }
    }
    panic!("{error}");
}

impl<T: 'static, H: Hooks<T>> fmt::Debug for Pool<T, H> {
    /// Names the type and the numbers; never touches an object.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("type", &std::any::type_name::<T>())
            .field("stats", &self.depot.get().map(|depot| depot.stats()))
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, acedia_loom))]
mod loom_models {
    //! Frees by key.

    use super::models::{BEGUN, Beginning, Ending, both, ends, model, saw};
    use super::{Pool, pin};

    /// Of two that free the same key one wins, and a later life is not theirs to end.
    #[test]
    fn manual_free_by_two_threads() {
        model(&["here", "there"], || {
            let pool = Pool::<_, Ending>::with_hooks();
            let key = pool.allocate().into_manual();
            let (here, there) = both(
                || {
                    let won = pool.free(key).is_ok();
                    assert_eq!(pool.allocate().read(), BEGUN);
                    won
                },
                || pool.free(key).is_ok(),
            );
            assert!(here != there, "{} won", if here { "both" } else { "none" });
            saw(if here { "here" } else { "there" });
            // The loser's pin may have ended without seeing that an object waited for it; the next one looks.
            drop(pin());
            assert_eq!(ends(), 2);
            assert_eq!(pool.stats().panics, 0);
        });
    }

    /// What an owner did with the object comes before what is done by whoever frees it by key.
    #[test]
    fn manual_from_one_thread_to_another() {
        model(&["freed", "not yet"], || {
            let pool = Pool::<_, Beginning>::with_hooks();
            let owner = pool.allocate();
            let key = owner.key();
            both(
                || {
                    assert_eq!(owner.read(), BEGUN);
                    let _ = owner.into_manual();
                },
                || match pool.free(key) {
                    Ok(()) => {
                        saw("freed");
                        pool.allocate_with(|object| object.write(1));
                    }
                    Err(_) => saw("not yet"),
                },
            );
            let _ = pool.free(key);
            assert_eq!(pool.stats().live, 0);
        });
    }
}
