//! [`Handle`]: eight bytes that name one life of one object.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::LifeVersion;
use crate::pool::key::Key;

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
/// A pool reads its objects by their handles. The handles of a [class](crate::Object), which is a `static` pool with a name, also read by
/// themselves: see the methods of `Handle<T>` where `T: Object`.
///
/// ```
/// use acedia::pool::Pool;
/// use acedia::{Handle, pin};
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
pub struct Handle<T> {
    key: Key,
    object: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    #[inline]
    pub(crate) const fn of_key(key: Key) -> Self {
        Self {
            key,
            object: PhantomData,
        }
    }

    /// The handle without the type of the object.
    #[inline]
    pub(crate) const fn key(self) -> Key {
        self.key
    }

    /// The life that the handle names, even if it has ended.
    #[inline]
    #[must_use]
    #[doc(alias = "GetLifeVersion")]
    pub const fn life(self) -> LifeVersion {
        self.key.life()
    }

    /// The number of the object's slot, unique among all pools of this copy of acedia. A slot holds at most one living object at a time.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.key.index()
    }

    /// The handle as a number, for storage or for an `AtomicU64`. Never 0.
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.key.to_bits()
    }

    /// The handle for which [`to_bits`](Self::to_bits) returned these bits. `None` if no pool could issue them: the life or the index is
    /// out of range.
    ///
    /// Any number is valid input. Invented bits resolve to nothing, or to an object whose handle was issued with the same bits.
    #[inline]
    #[must_use]
    pub fn from_bits(bits: u64) -> Option<Self> {
        Key::from_bits(bits).map(Self::of_key)
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
        self.key == other.key
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
        self.key.cmp(&other.key)
    }
}

impl<T> Hash for Handle<T> {
    #[inline]
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.key.hash(state);
    }
}

impl<T> fmt::Display for Handle<T> {
    /// `slot 3, life 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

impl<T> fmt::Debug for Handle<T> {
    /// `Handle(slot 3, life 7)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({self})")
    }
}
