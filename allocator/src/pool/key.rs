//! [`Key`]: eight bytes that name one life of one slot.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;

use super::directory::MAX_SLOTS;
use crate::LifeVersion;

/// Names one life of one slot of one pool, in eight bytes.
///
/// ```text
///  63            32 31             0
/// ┌────────────────┬────────────────┐
/// │ slot index     │ life 1..=2³¹-1 │
/// └────────────────┴────────────────┘
/// ```
///
/// A key is a plain value: it may be copied, stored, sent to any thread, written to disk as bits, and asked about for
/// ever. It resolves only in the pool that issued it and only while that very life goes on. Slot indices are unique
/// among all pools of the process, so pools of one type are told apart too.
///
/// ```
/// use acedia_allocator::pool::{Key, Pool};
///
/// let pool: Pool<u64> = Pool::new();
/// let owner = pool.allocate();
/// let key = owner.key();
/// assert_eq!(Key::from_bits(key.to_bits()), Some(key));
/// assert_eq!(size_of::<Option<Key>>(), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Key(
    /// One number and not two, so that it is always read and written whole: a processor forwards a store only to a load
    /// of the same width. The index is below [`MAX_SLOTS`], the life in `1..=i32::MAX`; look-ups rely on both. The life is the
    /// low half, because it is compared, stored and counted up more often than the index is asked for.
    NonZeroU64,
);

const _: () = assert!(size_of::<Key>() == 8 && size_of::<Option<Key>>() == 8);

impl Key {
    #[inline]
    pub(super) fn new(index: u32, life: LifeVersion) -> Self {
        debug_assert!(index < MAX_SLOTS);
        // Not zero: the life is not.
        Self(NonZeroU64::from(life.to_nonzero()) | u64::from(index) << 32)
    }

    /// The key as a number, for storage or for an `AtomicU64`. Never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The key that [`to_bits`](Self::to_bits) gave, or `None` if no pool can ever issue these bits.
    ///
    /// Any number is legal input: bits that were made up resolve to nothing, or to an object whose key was really
    /// issued with the same bits.
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        let key = Self(NonZeroU64::new(bits)?);
        let life = bits & u64::from(u32::MAX);
        let possible = (1..=u64::from(LifeVersion::LAST.get())).contains(&life) && key.index() < MAX_SLOTS;
        possible.then_some(key)
    }

    /// The slot's number, unique among all pools of the process. At most one living object has it at a time.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        (self.0.get() >> 32) as u32
    }

    /// The life this key names.
    #[inline]
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub const fn life(self) -> LifeVersion {
        #[expect(clippy::cast_possible_truncation, reason = "the low half is the life")]
        let life = self.0.get() as u32;
        match LifeVersion::new(life) {
            Some(life) => life,
            None => unreachable!(),
        }
    }

    /// The slot's life word as long as this life goes on and is visible: the same bits. Positive.
    #[inline]
    pub(super) const fn word(self) -> i64 {
        #[expect(clippy::cast_possible_wrap, reason = "below 2⁶², because of the index")]
        let word = self.0.get() as i64;
        word
    }

    /// The key in a slot's life word.
    ///
    /// # Safety
    /// The word is a key's [`word`](Self::word).
    #[inline]
    pub(super) const unsafe fn of_word(word: i64) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { NonZeroU64::new_unchecked(word.unsigned_abs()) })
    }
}

impl Hash for Key {
    /// The slot lowest: some hashers only multiply, and tables look at the low bits first.
    fn hash<S: Hasher>(&self, state: &mut S) {
        state.write_u64(self.0.get().rotate_left(32));
    }
}

impl fmt::Display for Key {
    /// `slot 3, life 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}, life {}", self.index(), self.life())
    }
}

impl fmt::Debug for Key {
    /// `Key(slot 3, life 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}
