//! [`Handle`]: eight bytes that name one life of one object. Functions of the engine that do not know the type of the object take a `Handle<()>`.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::NonZeroU64;

use crate::LifeVersion;

/// The low bits of a slot index, which number the slot in its chunk. The chunk's number is above them. A chunk of large objects uses only
/// the first few numbers. Under loom there are few, because a model constructs every word.
pub(super) const SLOT_BITS: u32 = if cfg!(acedia_loom) { 3 } else { 12 };
/// Bits of the index in a handle and in a life word. The life is above them, as in a guard word with a manual life.
pub(super) const INDEX_BITS: u32 = u32::BITS;
/// Bits of a chunk's number. With 32-bit pointers, the address space has no room for more chunks of small objects, and the tables take
/// 800 KB of it.
pub(super) const CHUNK_BITS: u32 = match usize::BITS {
    _ if cfg!(miri) => 12,
    ..64 => 16,
    _ => 20,
};
/// Whether a slot can have this index.
#[inline]
pub(super) const fn is_possible(index: u32) -> bool {
    // All bits of an index are used where pointers have 64.
    index as u64 >> (SLOT_BITS + CHUNK_BITS) == 0
}

/// The position of slot `index` in its chunk's tables.
#[inline]
pub(super) const fn offset(index: u32) -> usize {
    (index & ((1 << SLOT_BITS) - 1)) as usize
}

/// Names one life of one object, in eight bytes, and never dangles.
///
/// ```text
///  63            32 31             0
/// ┌────────────────┬────────────────┐
/// │ life 1..=2³¹-1 │ slot index     │
/// └────────────────┴────────────────┘
/// ```
///
/// A handle is a plain value: copy it, store it, send it to any thread. It is a *generational index*: it names a slot and a life
/// (its generation). As soon as the life has ended, the handle resolves to `None`, on every thread. It never resolves to a later object
/// in the same slot (the ABA problem). Unlike `Weak`, a handle cannot be upgraded. To keep an object alive, clone an existing
/// [`Owned`](crate::Owned).
///
/// A pool reads its objects by their handles. Handles of a [class](crate::Object), which has a `static` pool, also have the methods
/// themselves:
///
/// | To | Pool | Class |
/// |---|---|---|
/// | read one object | [`pool.with(handle, f)`](crate::Pool::with) | [`handle.with(f)`](Self::with) |
/// | read many on this thread | [`pool.get(handle, &pin)`](crate::Pool::get) | [`handle.get(&pin)`](Self::get) |
/// | keep it readable across threads or an `await` | [`pool.guard(handle)`](crate::Pool::guard) | [`handle.guard()`](Self::guard) |
/// | learn why there is none | [`pool.try_with(handle, f)`](crate::Pool::try_with) | [`handle.try_with(f)`](Self::try_with) |
/// | free an object without an owner | [`pool.free(handle)`](crate::Pool::free) | [`handle.free()`](Self::free) |
///
/// Its forms for other programs are [`to_bits`](Self::to_bits), [`to_safe_integer`](Self::to_safe_integer) and `{:x}`.
///
/// ```
/// use acedia::{Handle, Pool, pin};
///
/// #[derive(Default)]
/// struct Pawn { health: i32, target: Option<Handle<Pawn>> }
///
/// let pawns: Pool<Pawn> = Pool::new();
/// let enemy = pawns.allocate_with(|it| it.health = 100);
/// let pawn = pawns.allocate_with(|it| it.target = Some(enemy.handle()));
/// let target = pawn.target.unwrap();
/// assert_eq!(pawns.get(target, &pin()).unwrap().health, 100);
/// drop(enemy);
/// assert!(pawns.get(target, &pin()).is_none());
/// assert_eq!(Handle::from_bits(target.to_bits()), Some(target));
/// assert_eq!(size_of::<Option<Handle<Pawn>>>(), 8);
/// ```
///
/// Slot indices are unique among all pools of one copy of acedia, so another pool, even one of the same type, refuses the handle with
/// [`Reason::Foreign`](crate::Reason::Foreign). If a process contains two copies (in two plugins, or as two versions), the bits of a
/// handle of one copy can resolve in the other.
///
/// Handles are compared, ordered and hashed by their bits, so two handles are equal if they name the same life.
#[repr(transparent)]
pub struct Handle<T> {
    /// An index below, a life above. The index is [possible](is_possible), and the life is in `1..=i32::MAX`; look-ups rely on both.
    ///
    /// A single integer, so that it is always read and written whole: a processor does not forward two half stores to a whole load. The
    /// index is the low half, so a look-up extracts it without a shift.
    bits: NonZeroU64,
    object: PhantomData<fn() -> T>,
}

const _: () = assert!(size_of::<Handle<()>>() == 8 && size_of::<Option<Handle<()>>>() == 8);

impl<T> Handle<T> {
    #[inline]
    const fn of_bits(bits: NonZeroU64) -> Self {
        Self {
            bits,
            object: PhantomData,
        }
    }

    #[inline]
    pub(crate) fn new(index: u32, life: LifeVersion) -> Self {
        debug_assert!(is_possible(index));
        match NonZeroU64::new(u64::from(life.get()) << INDEX_BITS | u64::from(index)) {
            Some(bits) => Self::of_bits(bits),
            None => unreachable!(),
        }
    }

    /// The same handle, for another type.
    #[inline]
    pub(crate) const fn cast<U>(self) -> Handle<U> {
        Handle::of_bits(self.bits)
    }

    /// The [`life`](Self::life) that this handle names.
    #[inline]
    pub(crate) const fn version(self) -> LifeVersion {
        match LifeVersion::new((self.bits.get() >> INDEX_BITS) as u32) {
            Some(life) => life,
            None => unreachable!(),
        }
    }

    /// The slot's life word while this life is current and visible: the same bits. Positive.
    #[inline]
    pub(super) const fn word(self) -> i64 {
        #[expect(clippy::cast_possible_wrap, reason = "below 2⁶³, because of the life")]
        let word = self.bits.get() as i64;
        word
    }

    /// The handle in a slot's life word.
    ///
    /// # Safety
    /// The word is a handle's [`word`](Self::word).
    #[inline]
    pub(super) const unsafe fn of_word(word: i64) -> Self {
        // SAFETY: the caller's promise.
        Self::of_bits(unsafe { NonZeroU64::new_unchecked(word.unsigned_abs()) })
    }

    /// The number of the life that the handle names, even if it has ended: from 1 to `i32::MAX`. No two lives of a slot have the same
    /// number.
    #[inline]
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    #[doc(alias = "lifeVersion")]
    pub const fn life(self) -> u32 {
        self.version().get()
    }

    /// The number of the object's slot, unique among all pools of this copy of acedia. A slot holds at most one living object at a time.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the low half is the index")]
        let index = self.bits.get() as u32;
        index
    }

    /// The handle as a number, for storage or for an `AtomicU64`. Never 0.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.bits.get()
    }

    /// The handle for which [`to_bits`](Self::to_bits) returned these bits. `None` if no pool could issue them: the life or the index is
    /// out of range.
    ///
    /// Any number is valid input. Invented bits resolve to `None`, or to an object whose handle was issued with the same bits.
    #[inline]
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        let handle = Self::of_bits(NonZeroU64::new(bits)?);
        let life = bits >> INDEX_BITS;
        let possible = (1..=u64::from(LifeVersion::LAST.get())).contains(&life) && is_possible(handle.index());
        possible.then_some(handle)
    }
}

#[allow(clippy::expl_impl_clone_on_copy, reason = "a derive would ask for `T: Clone`")]
impl<T> Clone for Handle<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> PartialEq for Handle<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for Handle<T> {}

impl<T> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Handle<T> {
    /// Orders handles by slot, then by life.
    fn cmp(&self, other: &Self) -> Ordering {
        let in_order = |handle: &Self| handle.to_bits().rotate_left(u64::BITS - INDEX_BITS);
        in_order(self).cmp(&in_order(other))
    }
}

impl<T> Hash for Handle<T> {
    #[inline]
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.bits.hash(state);
    }
}

impl<T> fmt::Display for Handle<T> {
    /// `slot 3, life 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}, life {}", self.index(), self.life())
    }
}

impl<T> fmt::Debug for Handle<T> {
    /// `Handle(slot 3, life 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({self})")
    }
}
