//! [`PlainHandle`]: eight bytes that name one life of one slot.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
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
/// A handle is a plain value: copy it, store it, send it to any thread, and look it up at any time. It resolves only in the pool that
/// issued it, and only during the life that it names. No two lives of the process have the same handle, as long as the process has one
/// copy of this crate.
///
/// ```
/// use acedia_plain::{PlainHandle, PlainPool};
///
/// let pool: PlainPool<u64> = PlainPool::new();
/// let owner = pool.insert(1);
/// let handle = owner.handle();
/// assert_eq!(PlainHandle::from_bits(handle.to_bits()), Some(handle));
/// assert_eq!(size_of::<Option<PlainHandle<u64>>>(), 8);
/// assert_eq!(PlainPool::new().load(handle), None);
/// ```
#[repr(transparent)]
pub struct PlainHandle<T> {
    bits: NonZeroU64,
    value: PhantomData<fn() -> T>,
}

/// The last life of a slot.
pub(crate) const LAST_LIFE: u32 = u32::MAX >> 1;

impl<T> PlainHandle<T> {
    /// The handle as a number, for storage or for an `AtomicU64`. Never 0.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.bits.get()
    }

    /// The handle with these bits, as [`to_bits`](Self::to_bits) returned them. `None` if no pool can issue them.
    ///
    /// Any number is valid input. Invented bits resolve to `None`, or to a value whose handle was issued with the same bits.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        let life = bits >> u32::BITS;
        if life == 0 || life > LAST_LIFE as u64 {
            return None;
        }
        match NonZeroU64::new(bits) {
            Some(bits) => Some(Self {
                bits,
                value: PhantomData,
            }),
            None => None,
        }
    }

    /// The slot's number, unique among all pools of one copy of this crate. At most one living object has it at a time.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the low half is the index")]
        let index = self.bits.get() as u32;
        index
    }

    /// The number of the life that the handle names: 1 for the first life of the slot.
    #[inline]
    #[must_use]
    pub const fn life(self) -> u32 {
        (self.bits.get() >> u32::BITS) as u32
    }
}

#[allow(clippy::expl_impl_clone_on_copy, reason = "a derive would ask for `T: Clone`")]
impl<T> Clone for PlainHandle<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PlainHandle<T> {}

impl<T> PartialEq for PlainHandle<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for PlainHandle<T> {}

impl<T> Hash for PlainHandle<T> {
    #[inline]
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.bits.hash(state);
    }
}

impl<T> PartialOrd for PlainHandle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for PlainHandle<T> {
    /// Orders by slot, then by life. Sorted handles are in the order of memory, in which loads are fastest.
    fn cmp(&self, other: &Self) -> Ordering {
        let in_order = |handle: &Self| handle.bits.get().rotate_left(u32::BITS);
        in_order(self).cmp(&in_order(other))
    }
}

impl<T> fmt::Display for PlainHandle<T> {
    /// Prints `slot 65536, life 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}, life {}", self.index(), self.life())
    }
}

impl<T> fmt::Debug for PlainHandle<T> {
    /// Prints `PlainHandle(slot 65536, life 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlainHandle({self})")
    }
}
