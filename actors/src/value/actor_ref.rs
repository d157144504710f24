//! [`ActorRef`]: a generational reference to an actor.

use std::any::type_name;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::{NonZeroU32, NonZeroU64};

/// An actor of any class: the default type of an [`ActorRef`].
#[expect(clippy::exhaustive_enums, reason = "it has no values")]
#[derive(Debug)]
pub enum AnyActor {}

/// A reference to an actor of a level, in eight bytes.
///
/// Once the actor is destroyed, the reference resolves to `None` forever, even if another actor reuses its slot. A slot whose
/// life numbers are used up is never reused.
///
/// `T` is the class that the actor is expected to have. [`upcast`](Self::upcast) converts to the type of an ancestor class, and
/// [`Stage::cast`](crate::Stage::cast) tests the class of the actor. Each access tests the class again, because in the first
/// generation a notifier may replace a new actor with an actor of another class.
///
/// A reference belongs to the level that returned it. It resolves to `None` in every other level of the process, even in one
/// that is restored from the same saved data, because no two levels give the same life number to a slot.
///
/// A process has a million blocks of 4,096 life numbers. A level takes a block, and another one whenever its most reused slot
/// has used up the last one. A dropped level returns the unused rest of its last block. Once no block is left, all spawns in a
/// new level fail.
///
/// ```
/// use acedia_actors::{Actor, ActorRef, Level, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Rocket { fuel: i32 }
/// impl Actor for Rocket {
///     actor!(Rocket, "Doc.Rocket");
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let rocket: ActorRef<Rocket> = level.spawn(Spawn::new()).unwrap();
/// assert_eq!(level.get(rocket).unwrap().fuel, 0);
/// level.destroy(rocket);
/// assert!(level.get(rocket).is_none());
/// ```
pub struct ActorRef<T = AnyActor> {
    /// The life in the lower half, the slot in the upper half. One word, so that it is passed in one register.
    bits: NonZeroU64,
    actor: PhantomData<fn() -> T>,
}

const _: () = assert!(size_of::<Option<ActorRef>>() == 8);

/// The life of restored references to dead actors. No level gives it to an actor.
#[cfg(feature = "serde")]
pub(crate) const NEVER: NonZeroU32 = NonZeroU32::MAX;

impl<T> ActorRef<T> {
    pub(crate) fn new(slot: u32, life: NonZeroU32) -> Self {
        Self {
            bits: NonZeroU64::from(life) | u64::from(slot) << 32,
            actor: PhantomData,
        }
    }

    /// Like [`new`](Self::new), but returns `None` if the slot's number has too many bits.
    pub(crate) fn of(slot: usize, life: NonZeroU32) -> Option<Self> {
        u32::try_from(slot).ok().map(|slot| Self::new(slot, life))
    }

    #[allow(clippy::cast_possible_truncation, reason = "the upper half is meant")]
    pub(crate) const fn slot(self) -> u32 {
        (self.bits.get() >> 32) as u32
    }

    pub(crate) const fn index(self) -> usize {
        self.slot() as usize
    }

    #[allow(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    pub(crate) const fn life(self) -> u32 {
        self.bits.get() as u32
    }

    /// The same reference without its type.
    #[must_use]
    pub const fn any(self) -> ActorRef {
        self.typed()
    }

    /// The same reference with another type. Unchecked, because each access tests the class.
    pub(crate) const fn typed<U>(self) -> ActorRef<U> {
        ActorRef {
            bits: self.bits,
            actor: PhantomData,
        }
    }
}

impl<T> Clone for ActorRef<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ActorRef<T> {}

impl<T, U> PartialEq<ActorRef<U>> for ActorRef<T> {
    fn eq(&self, other: &ActorRef<U>) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for ActorRef<T> {}

impl<T> Hash for ActorRef<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.bits.get());
    }
}

impl<T> fmt::Debug for ActorRef<T> {
    /// The slot, the life, and the type of the reference. The level knows the actor's name and class:
    /// [`Stage::name`](crate::Stage::name), [`Stage::class`](crate::Stage::class).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ActorRef")?;
        let path = type_name::<T>();
        if path != type_name::<AnyActor>() {
            write!(f, "<{}>", path.rsplit("::").next().unwrap_or(path))?;
        }
        write!(f, "(slot {}, life {})", self.index(), self.life())
    }
}
