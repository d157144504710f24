//! [`PlainKey`]: eight bytes that name one life of one slot.

use std::cmp::Ordering;
use std::fmt;
use std::num::NonZeroU64;

/// Names one life of one slot of one [`PlainPool`](crate::PlainPool), in eight bytes.
///
/// ```text
///  63            32 31             0
/// ┌────────────────┬────────────────┐
/// │ life 1..=2³¹-1 │ slot index     │
/// └────────────────┴────────────────┘
/// ```
///
/// A key is a plain value: copy it, store it, send it to any thread, and look it up at any time. It resolves only in the pool that
/// issued it, and only during the life that it names. No two lives of the process have the same key, as long as the process has one
/// copy of this crate.
///
/// ```
/// use acedia_plain::{PlainKey, PlainPool};
///
/// let pool: PlainPool<u64> = PlainPool::new();
/// let owner = pool.insert(1);
/// let key = owner.key();
/// assert_eq!(PlainKey::from_bits(key.to_bits()), Some(key));
/// assert_eq!(size_of::<Option<PlainKey>>(), 8);
/// assert_eq!(PlainPool::new().load(key), None::<u64>);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct PlainKey(NonZeroU64);

/// The number of the last life of a slot.
pub(crate) const LAST_LIFE: u32 = u32::MAX >> 1;

impl PlainKey {
    /// The key as a number, for storage or for an `AtomicU64`. Never 0.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The key with these bits, as [`to_bits`](Self::to_bits) returned them. `None` if no pool can issue them.
    ///
    /// Any number is valid input. Invented bits resolve to nothing, or to a value whose key was issued with the same bits.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        let life = bits >> u32::BITS;
        if life == 0 || life > LAST_LIFE as u64 {
            return None;
        }
        match NonZeroU64::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The slot's number, unique among all pools of one copy of this crate. At most one living object has it at a time.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the low half is the index")]
        let index = self.0.get() as u32;
        index
    }

    /// The number of the life that the key names: 1 for the first life of the slot.
    #[inline]
    #[must_use]
    pub const fn life(self) -> u32 {
        (self.0.get() >> u32::BITS) as u32
    }
}

impl PartialOrd for PlainKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PlainKey {
    /// By slot, then by life: sorted keys are in the order of memory, in which loads are fastest.
    fn cmp(&self, other: &Self) -> Ordering {
        let in_order = |key: &Self| key.0.get().rotate_left(u32::BITS);
        in_order(self).cmp(&in_order(other))
    }
}

impl fmt::Display for PlainKey {
    /// `slot 65536, life 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}, life {}", self.index(), self.life())
    }
}

impl fmt::Debug for PlainKey {
    /// `PlainKey(slot 65536, life 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainKey({self})")
    }
}
