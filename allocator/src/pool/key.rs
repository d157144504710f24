//! [`Key`]: eight bytes that name one life of one slot.

use std::fmt;
use std::num::NonZeroU32;

use super::directory::MAX_SLOTS;
use crate::LifeVersion;

/// Names one life of one slot of one pool, in eight bytes.
///
/// ```text
///  63            32 31             0
/// ┌────────────────┬────────────────┐
/// │ life 1..=2³¹-1 │ slot index     │
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C, align(8))]
pub struct Key {
    /// Below [`MAX_SLOTS`]: look-ups rely on it.
    index: u32,
    /// In `1..=i32::MAX`.
    life: NonZeroU32,
}

const _: () = assert!(size_of::<Key>() == 8 && size_of::<Option<Key>>() == 8);

impl Key {
    pub(super) fn new(index: u32, life: LifeVersion) -> Self {
        debug_assert!(index < MAX_SLOTS);
        Self {
            index,
            life: life.to_nonzero(),
        }
    }

    /// The key as a number, for storage or for an `AtomicU64`. Never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.life.get() as u64) << 32 | self.index as u64
    }

    /// The key that [`to_bits`](Self::to_bits) gave, or `None` if no pool can ever issue these bits.
    ///
    /// Any number is legal input: bits that were made up resolve to nothing, or to an object whose key was really
    /// issued with the same bits.
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "the low half is the index")]
        let index = bits as u32;
        #[expect(clippy::cast_possible_truncation, reason = "the high half is the life")]
        let life = LifeVersion::new((bits >> 32) as u32)?;
        (index < MAX_SLOTS).then(|| Self::new(index, life))
    }

    /// The slot's number, unique among all pools of the process. At most one living object has it at a time.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The life this key names.
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub const fn life(self) -> LifeVersion {
        LifeVersion::from_nonzero(self.life)
    }

    /// The life as the slot's word shows it while that life goes on.
    #[inline]
    pub(super) const fn word(self) -> i32 {
        LifeVersion::from_nonzero(self.life).word()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key(slot {}, life {})", self.index, self.life)
    }
}
