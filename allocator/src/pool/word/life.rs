//! [`Life`]: the word that says which life a slot is in.
//!
//! ```text
//! Life (i64), written by the owner of the object only: the key of life n, written n here, or its negative
//!
//!        0            +n               −(n+1)                 −0
//!   never made    alive, and       the next life is n+1:    retired: life
//!                 handles see it   dead, or alive and no    2³¹−1 has ended
//!                                  handle made yet
//!
//!   0 ──make──► −(floor+1) ──expose──► +n ──end──► −(n+1) ──expose──► +(n+1) ──end──► …
//!                                   │   ▲
//!                                  hide expose   (exclusive access: the same life, out of sight)
//!                                   ▼   │
//!                                     −n
//! ```
//!
//! The sign of the word is the flag "a handle may exist". A look-up compares the word with a positive number, so an object that
//! was never exposed cannot be found, and freeing it needs no synchronisation.
//!
//! The word is the whole key: life number above, slot index below. So the address of a slot is enough to know its key, and
//! owners and free lists consist of bare addresses. No slot has index 0, so the word of a retired slot, which has the index only,
//! is not 0.

use std::fmt;

use crate::LifeVersion;
use crate::hint::{likely, unlikely};
use crate::pool::word::key::Key;
#[cfg(acedia_loom)]
use crate::sync::fence;
use crate::sync::{AtomicI64, Ordering, bug};

/// A slot's life word. See the drawing of the [module](self).
#[repr(transparent)]
pub(in crate::pool) struct Life(AtomicI64);

/// What ending a life found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pool) enum Ended {
    /// No handle was ever made: nobody else can be looking.
    Unseen,
    /// Handles exist: somebody may be looking.
    Seen,
    /// As `Seen`, and it was the slot's last life.
    Retired,
}

/// A life word at one moment, for diagnosis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::pool) struct Snapshot(i64);

impl Life {
    #[cfg(acedia_loom)]
    pub(in crate::pool) fn new() -> Self {
        Self(AtomicI64::new(0))
    }

    /// A new object was made in slot `index`, which had none; `floor` is the highest life that may have been issued there.
    pub(in crate::pool) fn make(&self, index: u32, floor: u32) {
        debug_assert_ne!(index, 0, "its last life would not end");
        let floor = if bug("floor_ignored") { 0 } else { floor };
        // Relaxed, both: nobody but the owner acts on a word that is not positive.
        if self.0.load(Ordering::Relaxed) == 0 {
            self.0
                .store(-Key::new(index, LifeVersion::above(floor)).word(), Ordering::Relaxed);
        }
    }

    /// Makes the current life visible to keys, and gives its key.
    ///
    /// Two owners may do this at the same time: both store the same number.
    #[inline]
    pub(in crate::pool) fn expose(&self) -> Key {
        // Relaxed: an owner sees its own object's word; owners learn of each other through the owner count.
        let word = self.0.load(Ordering::Relaxed);
        if unlikely(word > 0) {
            return key_in(word);
        }
        // Release pairs with `is` (Acquire): who sees the life sees the object as it was constructed.
        let order = if bug("relaxed_publish") {
            Ordering::Relaxed
        } else {
            Ordering::Release
        };
        self.0.store(-word, order);
        key_in(-word)
    }

    /// The key of the life that goes on, visible or not. Only for owners of the object.
    #[inline]
    pub(in crate::pool) fn key(&self) -> Key {
        // Relaxed: only an owner asks.
        key_in(self.0.load(Ordering::Relaxed).abs())
    }

    /// The slot's number, in every word but 0.
    #[inline]
    pub(in crate::pool) fn index(&self) -> u32 {
        // Relaxed: all words of a slot but 0 say the same.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert!(word != 0, "the slot never had an object");
        index_in(word)
    }

    /// Ends the current life, by its only owner.
    #[inline]
    pub(in crate::pool) fn end(&self) -> Ended {
        // Relaxed, here and below: the owner has written the word last. The fence of the refill, the scan or the registration
        // barrier orders the store before the next owner's first write to the object (see `pin`).
        let word = self.0.load(Ordering::Relaxed);
        let next = (-ONE_LIFE).wrapping_sub(word);
        // One comparison for the commonest of three: a life out of sight gives a positive number, and so, wrapped, does the last.
        if likely(next < 0) {
            let ended = if bug("life_not_bumped") { -word } else { next };
            self.0.store(ended, Ordering::Relaxed);
            return Ended::Seen;
        }
        if likely(word < 0) {
            return Ended::Unseen;
        }
        self.0.store(retired(word), Ordering::Relaxed);
        Ended::Retired
    }

    /// Ends a life whose key was given out but that never became visible.
    pub(in crate::pool) fn skip(&self) -> Ended {
        if bug("reservation_not_skipped") {
            return Ended::Unseen;
        }
        // Relaxed: as in `end`; no handle can have resolved.
        let word = self.0.load(Ordering::Relaxed);
        debug_assert!(word < 0, "only a hidden life can be skipped");
        let (next, ended) = if life_in(word) == -i32::MAX {
            (retired(word), Ended::Retired)
        } else {
            (word - ONE_LIFE, Ended::Unseen)
        };
        self.0.store(next, Ordering::Relaxed);
        ended
    }

    /// Takes a visible life back while its owner holds the object exclusively; `expose` undoes it.
    pub(in crate::pool) fn hide(&self) {
        if bug("exclusive_in_sight") {
            return;
        }
        // Relaxed: the caller fences before it looks for readers.
        let word = self.0.load(Ordering::Relaxed);
        self.0.store(-word.abs(), Ordering::Relaxed);
    }

    /// Whether the life of `key` is visible, for a reader under a pin.
    #[inline]
    pub(in crate::pool) fn is(&self, key: Key) -> bool {
        // Acquire pairs with `expose` (Release).
        let order = if bug("relaxed_read") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        self.0.load(order) == key.word()
    }

    /// A first look that spares a stale guard the locked instruction; decides nothing.
    #[inline]
    pub(in crate::pool) fn looks_like(&self, key: Key) -> bool {
        // Relaxed: `Readers::enter` is followed by `confirm`.
        self.0.load(Ordering::Relaxed) == key.word()
    }

    /// The look that decides, after `Readers::enter`.
    #[inline]
    pub(in crate::pool) fn confirm(&self, key: Key) -> bool {
        // loom does not order SeqCst accesses, only fences; the language and all hardware need no fence here.
        #[cfg(acedia_loom)]
        if !bug("guard_not_seqcst") {
            fence(Ordering::SeqCst);
        }
        self.0.load(Self::confirming()) == key.word()
    }

    /// `SeqCst`: together with the `SeqCst` increment before it and the fence of whoever frees (Dekker's pattern): either
    /// the one who frees sees the reader, or the reader sees the end of the life. Also pairs with `expose` (Release).
    #[inline]
    pub(in crate::pool::word) fn confirming() -> Ordering {
        if bug("relaxed_confirm") {
            Ordering::Relaxed
        } else if bug("guard_not_seqcst") || bug("acquire_confirm") {
            Ordering::Acquire
        } else {
            Ordering::SeqCst
        }
    }

    /// Whether handles may exist for the current life.
    pub(in crate::pool) fn is_exposed(&self) -> bool {
        // Relaxed: only an owner asks.
        self.0.load(Ordering::Relaxed) > 0
    }

    /// The word at this moment.
    pub(in crate::pool) fn snapshot(&self) -> Snapshot {
        // Acquire pairs with `expose` (Release): `Pool::contains` promises it.
        let order = if bug("relaxed_snapshot") {
            Ordering::Relaxed
        } else {
            Ordering::Acquire
        };
        Snapshot(self.0.load(order))
    }

    /// Forgets that the slot was ever used, before its page is given back. The chunk's floor remembers for it.
    pub(in crate::pool) fn forget(&self) {
        // Relaxed, both: nobody can own the slot; stale readers compare with a positive number either way. Not if it never was:
        // its page may not be there.
        if self.0.load(Ordering::Relaxed) != 0 {
            self.0.store(0, Ordering::Relaxed);
        }
    }

    /// Moves a slot that holds a free object on, so that its next life is number `next`.
    #[cfg(any(test, feature = "test-lives"))]
    pub(in crate::pool) fn set_upcoming(&self, next: LifeVersion) {
        let now = self.0.load(Ordering::Relaxed);
        assert!(now < 0 && next.word() >= -life_in(now), "lives only move forward");
        self.0.store(-Key::new(index_in(now), next).word(), Ordering::Relaxed);
    }
}

/// What a word grows by from one life to the next.
const ONE_LIFE: i64 = 1 << 32;

/// The life number in a word, with its sign: 0 if nothing was ever made, `i32::MIN` if the slot is retired.
#[inline]
const fn life_in(word: i64) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "the upper half is the life")]
    let life = (word / ONE_LIFE) as i32;
    if life == 0 && word != 0 { i32::MIN } else { life }
}

/// The slot's number in a word that is not 0.
#[inline]
const fn index_in(word: i64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is the index")]
    let index = word.unsigned_abs() as u32;
    index
}

/// The word of a slot that had that one, and has no lives left.
#[inline]
const fn retired(word: i64) -> i64 {
    -(index_in(word) as i64)
}

/// The key in the word of an object that has an owner, without its sign.
#[inline]
fn key_in(word: i64) -> Key {
    debug_assert!(life_in(word) > 0);
    // SAFETY: as long as there is an object and the slot is not retired, its word is a key or the negative of one.
    unsafe { Key::of_word(word) }
}

impl Snapshot {
    /// The visible life, if there is one.
    pub(in crate::pool) fn current(self) -> Option<LifeVersion> {
        LifeVersion::new(u32::try_from(life_in(self.0)).ok()?)
    }

    /// Whether the life that `key` names is visible.
    pub(in crate::pool) fn shows(self, key: Key) -> bool {
        self.0 == key.word()
    }

    /// The highest life that was ever visible in this slot; `floor` is the chunk's. 0 if none was.
    pub(in crate::pool) fn highest(self, floor: u32) -> u32 {
        match life_in(self.0) {
            0 => floor,
            life if life > 0 => life.unsigned_abs(),
            life => (!life).unsigned_abs(),
        }
    }

    /// Whether the slot holds a constructed object, given that it is in no list of emptied slots.
    pub(in crate::pool) fn is_made(self) -> bool {
        self.0.unsigned_abs() >= ONE_LIFE.unsigned_abs()
    }

    /// Whether `life` is one that has a key but is not (or no longer) visible: reserved, or held exclusively.
    pub(in crate::pool) fn is_hidden(self, life: LifeVersion) -> bool {
        life_in(self.0) == -life.word()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match life_in(self.0) {
            0 => f.write_str("never made"),
            i32::MIN => f.write_str("retired"),
            life if life > 0 => write!(f, "alive in life {life}"),
            life => write!(f, "next life {}", life.unsigned_abs()),
        }
    }
}

impl fmt::Debug for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.snapshot().fmt(f)
    }
}
