//! [`Life`]: the word that stores the current life of a slot.
//!
//! ```text
//! Life (i64): the handle of life n, drawn as n, or its negative. Written by the owner of the object, or by a thread that alone has the slot
//!
//!        0            +n               −(n+1)                 −0
//!   never made    alive, and       the next life is n+1:    worn: life
//!                 handles see it   dead, or alive and no    2³¹−1 has ended
//!                                  handle made yet
//!
//!   0 ──make──► −(floor+1) ──expose──► +n ──end──► −(n+1) ──expose──► +(n+1) ──end──► …
//!                                   │   ▲
//!                                  hide expose   (exclusive access: the same life, hidden)
//!                                   ▼   │
//!                                     −n
//! ```
//!
//! The sign of the word is the flag "a handle may exist". A look-up compares the word with a positive number. So a
//! look-up cannot find an object that was never exposed, and freeing such an object needs no synchronisation.
//!
//! The word contains the whole handle: the life number in the upper half, the slot index in the lower half. So the address
//! of a slot gives its handle, and owners and free lists store bare addresses. No slot has index 0, so the word of a
//! worn slot, which contains only the index, is not 0.
//!
//! [`Guards`]: the word that counts the guards of a slot. [`MoreOwners`]: the count of its owners beyond the first.
//!
//! ```text
//! Guards (u64), changed by guards, by `into_manual` and frees by handle, and by a thread that finishes an object
//!
//!     63            32  31       30       29                          0
//! ┌───────────────────┬────────┬────────┬─────────────────────────────┐
//! │ manual life       │ CLOSED │ MANUAL │ guards that may be reading  │
//! └───────────────────┴────────┴────────┴─────────────────────────────┘
//! ```
//!
//! While MANUAL is set, the bits above it are the life of the manual share. An operation by handle compares that life and takes the
//! share in one step, so it needs no pin. The share of a later life does not match.
//!
//! CLOSED is set once the life and the pins under which the object may be read have ended. The manual share has been taken by then, so
//! MANUAL and CLOSED are never both set.

use crate::LifeVersion;
use crate::hint::{likely, unlikely};
use crate::pool::handle::{Handle, INDEX_BITS};
#[cfg(acedia_loom)]
use crate::sync::fence;
use crate::sync::{AtomicI64, AtomicU32, AtomicU64, Ordering};

/// A slot's life word. See the drawing of the [module](self).
#[repr(transparent)]
pub(super) struct Life(AtomicI64);

/// The result of ending a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// No other thread can be reading: no handle was made, or the caller has made sure (`end_alone`, `skip`).
    Unseen,
    /// Handles exist: another thread may be reading.
    Seen,
    /// As `Seen`, and it was the slot's last life.
    Worn,
}

/// The highest life that may have been issued, 0 if none was: lives begin above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Floor(pub(super) u32);

impl Floor {
    /// Above it there are no lives.
    pub(super) const LAST: Self = Self(LifeVersion::LAST.get());
}

/// The value of a life word at one moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Snapshot(i64);

impl Life {
    #[cfg(acedia_loom)]
    pub(super) fn new() -> Self {
        Self(AtomicI64::new(0))
    }

    /// Records that an object was constructed in slot `index`, which had none. `floor` is the chunk's.
    pub(super) fn make(&self, index: u32, floor: Floor) {
        debug_assert_ne!(index, 0, "its last life would not end");
        // Relaxed, both: only the owner acts on a word that is not positive. A look-up by a stale handle, or an iteration, may load the
        // word meanwhile. It looks for a positive number, so 0 and the new word mean the same to it.
        if self.0.load(Ordering::Relaxed) == 0 {
            self.0.store(
                -Handle::<()>::new(index, LifeVersion::above(floor.0)).word(),
                Ordering::Relaxed,
            );
        }
    }

    /// Makes the current life visible to handles, and returns its handle.
    ///
    /// Two owners may call this at the same time: both store the same number.
    #[inline]
    pub(super) fn expose(&self) -> Handle<()> {
        // Relaxed: an owner sees its own object's word. Owners synchronise through the owner count. The word that another thread left at
        // the end of the last life came with the slot: the lists between threads (`stock.rs`) order its store before this load.
        let word = self.0.load(Ordering::Relaxed);
        if unlikely(word > 0) {
            return handle_in(word);
        }
        // Release pairs with `is`, `confirm` and `snapshot` (Acquire): a thread that sees the life sees the constructed object. A thread with a
        // reserved handle, with the handle of a life that `hide` hid, or in an iteration may load the word before this store: it finds no object.
        self.0.store(-word, Ordering::Release);
        handle_in(-word)
    }

    /// The handle of the current life, visible or not. Only for owners of the object.
    #[inline]
    pub(super) fn handle(&self) -> Handle<()> {
        // Relaxed: only an owner calls this.
        handle_in(self.0.load(Ordering::Relaxed).abs())
    }

    /// The slot's index. Every word other than 0 contains it.
    #[inline]
    pub(super) fn index(&self) -> u32 {
        // Relaxed: every word of a slot other than 0 contains the same index.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert!(word != 0, "the slot never had an object");
        index_in(word)
    }

    /// Ends the current life. The caller is the only owner.
    #[inline]
    pub(super) fn end(&self) -> Ended {
        // Relaxed, here and below: the owner wrote the word last. A reader may load the word at any time. If it loads the new one, it
        // finds no object. If it has loaded the old one, it may be using the object, so the caller looks for its pin or guard before
        // the slot is reused. The fence before that look (`fence_before_look` in `pins.rs`), or the fence on all threads when a
        // thread begins to read (`Threads::include`, there), orders this store before the look.
        let word = self.0.load(Ordering::Relaxed);
        let next = (-ONE_LIFE).wrapping_sub(word);
        // One comparison selects the most frequent of three cases. `next` is positive for a hidden life and, after
        // wrapping, for the last life.
        if likely(next < 0) {
            self.0.store(next, Ordering::Relaxed);
            return Ended::Seen;
        }
        if likely(word < 0) {
            // No store: no handle has the number of this life, so the next life takes it.
            return Ended::Unseen;
        }
        // No handle names a worn slot, and `make` begins no life in it: the word is neither positive nor 0.
        self.0.store(worn(word), Ordering::Relaxed);
        Ended::Worn
    }

    /// Like [`end`](Self::end), for the visible life that `handle` names, in a pool that the caller borrows mutably: no other thread reads, so
    /// the life ends as one that no thread has seen.
    #[inline]
    pub(super) fn end_alone(&self, handle: Handle<()>) -> Ended {
        // Relaxed, both: no other thread uses the pool, and the caller's `&mut` orders their earlier and later
        // accesses.
        let next = (-ONE_LIFE).wrapping_sub(handle.word());
        if unlikely(next >= 0) {
            self.0.store(worn(handle.word()), Ordering::Relaxed);
            return Ended::Worn;
        }
        self.0.store(next, Ordering::Relaxed);
        Ended::Unseen
    }

    /// Ends a life whose handle was issued but which never became visible.
    pub(super) fn skip(&self) -> Ended {
        // Relaxed: a thread with the handle may load the word before or after the store. It finds no object either way, because neither word
        // is positive. If the life was visible before (`hide`), it has no readers left.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert!(word < 0, "only a hidden life can be skipped");
        let (next, ended) = if life_in(word) == -i32::MAX {
            (worn(word), Ended::Worn)
        } else {
            (word - ONE_LIFE, Ended::Unseen)
        };
        self.0.store(next, Ordering::Relaxed);
        ended
    }

    /// Hides a visible life while its owner holds the object exclusively. `expose` reverses it.
    pub(super) fn hide(&self) {
        // Relaxed: the caller (`hide_unread` in `owned.rs`) fences before it checks for readers. A look-up whose pin or guard this check
        // misses finds the life hidden. If the check finds a pin or a guard, its look-up may have come first, and the caller shows the life
        // again.
        let word = self.0.load(Ordering::Relaxed);
        self.0.store(-word.abs(), Ordering::Relaxed);
    }

    /// Whether the life of `handle` is visible. For a reader under a pin.
    #[inline]
    pub(super) fn is(&self, handle: Handle<()>) -> bool {
        // Acquire pairs with `expose` (Release). If this finds the life although another thread ends it, the fence of the pin came first,
        // and that thread sees the pin's flag. If that thread does not see the flag, or does not look because of the mode, this load finds
        // the end of the life.
        self.0.load(Ordering::Acquire) == handle.word()
    }

    /// Like [`is`](Self::is), but for a caller that borrows the pool mutably.
    #[inline]
    pub(super) fn is_alone(&self, handle: Handle<()>) -> bool {
        // Relaxed: the caller's `&mut` orders all accesses of other threads before.
        self.0.load(Ordering::Relaxed) == handle.word()
    }

    /// The early check of a guard: if it fails, the guard is refused without an atomic read-modify-write.
    #[inline]
    pub(super) fn looks_like(&self, handle: Handle<()>) -> bool {
        // Relaxed: after `true`, `Guards::enter` and `confirm` follow, and `confirm` decides. After `false`, the life has ended, is hidden,
        // or becomes visible at this moment.
        self.0.load(Ordering::Relaxed) == handle.word()
    }

    /// The check that decides, after `Guards::enter`.
    #[inline]
    pub(super) fn confirm(&self, handle: Handle<()>) -> bool {
        // loom does not order SeqCst accesses, only fences; the language and all hardware need no fence here.
        #[cfg(acedia_loom)]
        fence(Ordering::SeqCst);
        // SeqCst: forms Dekker's pattern with the SeqCst increment before it and the fence of the freeing thread. Either the freeing
        // thread sees the reader, or the reader sees the end of the life. Also pairs with `expose` (Release).
        self.0.load(Ordering::SeqCst) == handle.word()
    }

    /// Whether handles may exist for the current life.
    #[inline]
    pub(super) fn is_exposed(&self) -> bool {
        // Relaxed: only an owner calls this.
        self.0.load(Ordering::Relaxed) > 0
    }

    /// The word at this moment.
    #[inline]
    pub(super) fn snapshot(&self) -> Snapshot {
        // Acquire pairs with `expose` (Release): the documentation of `Pool::contains` promises it.
        Snapshot(self.0.load(Ordering::Acquire))
    }

    /// Resets the word to "never made" before its page is returned. The chunk's floor keeps the highest life.
    pub(super) fn reset(&self) {
        // Relaxed, both: the slot has no owner, and is on no list. A look-up by a stale handle compares the word with a positive number: it
        // finds no object before the store, after it, or in the page of zeros that follows. A word that is already 0 is not written:
        // its page may not be resident.
        if self.0.load(Ordering::Relaxed) != 0 {
            self.0.store(0, Ordering::Relaxed);
        }
    }

    /// Advances the lives of a slot whose current life is not visible, so that the next handle has the number
    /// `next`.
    pub(super) fn set_upcoming(&self, next: LifeVersion) {
        // Relaxed, both: the slot is on no list, and only its owner acts on a word that is not positive.
        let now = self.0.load(Ordering::Relaxed);
        assert!(now < 0 && next.word() >= -life_in(now), "lives only move forward");
        self.0
            .store(-Handle::<()>::new(index_in(now), next).word(), Ordering::Relaxed);
    }
}

/// The difference between the words of successive lives.
const ONE_LIFE: i64 = 1 << INDEX_BITS;

/// The life number in a word, with its sign. 0 if no object was ever made, `i32::MIN` if the slot is worn.
#[inline]
const fn life_in(word: i64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "the upper half is the life")]
    let life = (word / ONE_LIFE) as i32;
    if life == 0 && word != 0 { i32::MIN } else { life }
}

/// The slot index in a word that is not 0.
#[inline]
const fn index_in(word: i64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is the index")]
    let index = word.unsigned_abs() as u32;
    index
}

/// The word that marks the slot of `word` as worn.
#[inline]
const fn worn(word: i64) -> i64 {
    -(index_in(word) as i64)
}

/// The handle in the life word of an owned object. The sign is ignored.
#[inline]
fn handle_in(word: i64) -> Handle<()> {
    debug_assert!(life_in(word) > 0);
    // SAFETY: while the slot has an object and is not worn, its word is a handle or the negative of one.
    unsafe { Handle::of_word(word) }
}

impl Snapshot {
    /// The visible life, if there is one.
    pub(super) fn current(self) -> Option<LifeVersion> {
        self.handle().map(Handle::version)
    }

    /// The handle of the visible life, if there is one.
    #[inline]
    pub(super) fn handle(self) -> Option<Handle<()>> {
        (self.0 > 0).then(|| handle_in(self.0))
    }

    /// Whether the life that `handle` names is visible.
    pub(super) fn shows(self, handle: Handle<()>) -> bool {
        self.0 == handle.word()
    }

    /// The highest life of this slot that is visible or has ended. `floor` is the chunk's.
    pub(super) fn highest(self, floor: Floor) -> Floor {
        match life_in(self.0) {
            0 => floor,
            life if life > 0 => Floor(life.unsigned_abs()),
            life => Floor((!life).unsigned_abs()),
        }
    }

    /// Whether the slot ever had an object, and is neither worn nor reset.
    pub(super) fn has_lives(self) -> bool {
        self.0.unsigned_abs() >= ONE_LIFE.unsigned_abs()
    }

    /// Whether `life` has a handle but is not visible at present: it is reserved, or held exclusively.
    pub(super) fn is_hidden(self, life: LifeVersion) -> bool {
        life_in(self.0) == -life.word()
    }
}

/// A slot's guard word. See the drawing of the [module](self).
#[repr(transparent)]
pub(super) struct Guards(pub(super) AtomicU64);

const CLOSED: u64 = 1 << 31;
const MANUAL: u64 = 1 << 30;
pub(super) const COUNT: u64 = MANUAL - 1;

/// The bits of the manual share of the life that `handle` names.
#[inline]
const fn share(handle: Handle<()>) -> u64 {
    handle.to_bits() >> INDEX_BITS << INDEX_BITS | MANUAL
}

impl Guards {
    #[cfg(acedia_loom)]
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Announces a guard. `Life::confirm` must follow, unless the caller has a guard of the object already. If it fails, `leave` must follow.
    #[inline]
    pub(super) fn enter(&self) {
        // The thread that frees reads this count in `quiet` or `close`, after a fence. If it misses this guard, `confirm` finds the life
        // ended. If `confirm` finds the life, that thread sees the guard, and leaves the object to it.
        let before = self.0.fetch_add(1, Ordering::SeqCst);
        if before & COUNT > COUNT / 2 {
            // As in `Arc`: reachable only by leaking half a billion guards of one object.
            std::process::abort();
        }
    }

    /// Withdraws a guard. `true` if the object waited for this guard only: the caller must then finish it.
    #[inline]
    pub(super) fn leave(&self) -> bool {
        // Release pairs with `quiet` and `claim` (Acquire): the guard's reads happen before the next owner's writes. If `close` came first
        // and no other guard is counted, this thread finishes the object. If this comes first, `close` finds one guard less, and if it
        // finds none, its caller finishes the object.
        self.0.fetch_sub(1, Ordering::Release) == CLOSED | 1 && self.claim()
    }

    /// Whether the object has no guards. `true` is certain if a fence came between the end of its life and this call, on this thread or on
    /// one that this thread has synchronised with. Otherwise it may be wrong, and the caller needs another reason to trust it.
    #[inline]
    pub(super) fn quiet(&self) -> bool {
        // Acquire pairs with `leave` (Release): the reads of the guards that have left happen before the reuse. A guard that enters
        // later does not find the life, and leaves without a read.
        self.0.load(Ordering::Acquire) & (CLOSED | COUNT) == 0
    }

    /// Defers the object to its last guard. `true` if no guard is left: the caller must finish it itself. The caller has made sure that
    /// every pin under which the object may be read has ended, because guards do not look at pins.
    pub(super) fn close(&self) -> bool {
        // Release pairs with `claim` (Acquire): the finishing thread sees the owner's writes, and comes after the reads under the pins that
        // this thread found ended. A guard whose `leave` comes later finds the
        // bit. If none is counted, only a guard that fails to confirm can enter: it may leave, and claim, before this thread does.
        self.0.fetch_or(CLOSED, Ordering::Release) & COUNT == 0 && self.claim()
    }

    /// Whether the object is deferred to its last guard. Only for a dropped pool: every guard that remains was
    /// forgotten.
    pub(super) fn is_closed(&self) -> bool {
        // Relaxed: no other thread uses the pool.
        self.0.load(Ordering::Relaxed) & CLOSED != 0
    }

    /// Selects the thread that finishes the object among those that saw the last guard leave.
    fn claim(&self) -> bool {
        // Acquire pairs with `leave` and `close` (Release). The exchange fails if another thread has claimed the object, or if a guard
        // that will not confirm has entered: then that guard's `leave` claims it.
        self.0
            .compare_exchange(CLOSED, 0, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    /// Converts an owner's share into the manual share of the life that `handle` names. `false` if the object already has a manual share.
    pub(super) fn set_manual(&self, handle: Handle<()>) -> bool {
        // Release pairs with `take_manual` (Acquire): the thread that frees by handle sees the owner's writes. A free by handle that comes
        // before this finds no share, and returns an error; one that comes after owns the object.
        self.0
            .fetch_update(Ordering::Release, Ordering::Relaxed, |word| {
                (word & MANUAL == 0).then_some(word | share(handle))
            })
            .is_ok()
    }

    /// Like [`set_manual`](Self::set_manual), but for a new object, in a pool that the caller borrows mutably.
    #[inline]
    pub(super) fn set_manual_alone(&self, handle: Handle<()>) {
        // Relaxed, both: no other thread uses the pool, and the caller's `&mut` orders the others before.
        debug_assert_eq!(
            self.0.load(Ordering::Relaxed),
            0,
            "a new object has no guards and no manual share"
        );
        self.0.store(share(handle), Ordering::Relaxed);
    }

    /// Like [`take_manual`](Self::take_manual), but for an object without guards, in a pool that the caller borrows mutably.
    #[inline]
    pub(super) fn take_manual_alone(&self, handle: Handle<()>) -> bool {
        // Relaxed, both: as in `set_manual_alone`. The life of `handle` is visible, so the share belongs to that life. There are no guards, so the
        // word without the share is 0.
        let word = self.0.load(Ordering::Relaxed);
        let has_share = word & (CLOSED | MANUAL | COUNT) == MANUAL;
        if has_share {
            debug_assert_eq!(word, share(handle), "a manual share ends with its life");
            self.0.store(0, Ordering::Relaxed);
        }
        has_share
    }

    /// Takes the manual share of the life that `handle` names. `false` if there is none.
    pub(super) fn take_manual(&self, handle: Handle<()>) -> bool {
        // Of two threads that take the share, the exchange of one succeeds. The other finds no share, or that of another life. The
        // exchange also fails if a guard enters or leaves meanwhile, so it never changes the count.
        let without = |word: u64| (word & !(CLOSED | COUNT) == share(handle)).then_some(word & (CLOSED | COUNT));
        // Acquire pairs with `set_manual` (Release).
        self.0
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, without)
            .is_ok()
    }
}

/// Owners beyond the first. Counted outside the slot, because few objects ever have any.
#[repr(transparent)]
#[derive(Debug)]
pub(super) struct MoreOwners(pub(super) AtomicU32);

impl MoreOwners {
    #[cfg(acedia_loom)]
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Counts one more owner.
    pub(super) fn add(&self) {
        // Relaxed: the new owner comes from an existing one, as with `Arc`. A thread that drops another owner at this moment finds at
        // least the existing one in the count, in either order, and so does not end the life.
        if self.0.fetch_add(1, Ordering::Relaxed) > i32::MAX.unsigned_abs() {
            std::process::abort();
        }
    }

    /// Whether the caller is the only owner.
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        // Acquire pairs with `remove` (Release): what the other owners did happens before the caller ends the life or changes the object.
        self.0.load(Ordering::Acquire) == 0
    }

    /// Counts one owner less. `true` if the caller was the last one: it then owns the object alone.
    pub(super) fn remove(&self) -> bool {
        if self.is_none() {
            return true;
        }
        // Release pairs with `is_none` and the load below (Acquire): every owner's accesses happen before the end.
        if self.0.fetch_sub(1, Ordering::Release) == 0 {
            // Another owner left between the check and the subtraction, so the caller is the only owner, and the count has wrapped
            // below 0. Acquire pairs with the Release above in that owner. It is a load and not a fence, because ThreadSanitizer does
            // not model fences. A free by handle may load the count before the store (`Untyped::take_last_share`). It finds no manual
            // share, and returns an error.
            self.0.load(Ordering::Acquire);
            self.0.store(0, Ordering::Relaxed);
            return true;
        }
        false
    }

    /// The current number of owners beyond the first.
    pub(super) fn count(&self) -> usize {
        // Relaxed: informational.
        self.0.load(Ordering::Relaxed) as usize
    }
}

#[cfg(all(test, acedia_loom))]
mod models;

#[cfg(all(test, unix, not(any(miri, acedia_loom))))]
mod tests;
