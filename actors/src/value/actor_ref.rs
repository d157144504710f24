//! [`ActorRef`]: a reference to one life of an actor, in eight bytes.

use std::any::type_name;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::atomic::{AtomicU32, Ordering};

/// An actor of any class: the default type of an [`ActorRef`].
#[derive(Debug)]
pub enum AnyActor {}

/// Names one life of an actor of a level, in eight bytes.
///
/// A plain value: copy it, store it anywhere. Once the actor is destroyed, the reference leads to nothing for ever: a
/// slot that has used up its numbers of lives is retired.
///
/// The type is the class that the actor is expected to have. Each access tests it, so a reference that was given
/// another type with [`typed`](Self::typed) leads to nothing unless the actor is of that class or one below it.
///
/// A reference is for the level that gave it. With debug assertions it carries eight bits of that level's number, and
/// leads to nothing in a level whose bits differ; without them, it may lead to an actor of another level.
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
/// assert_eq!(rocket.any().typed::<Rocket>(), rocket);
/// ```
pub struct ActorRef<T = AnyActor> {
    /// The life in the lower half; in the upper half the slot and, above [`SLOT_BITS`], the level. One word, so that it
    /// travels in one register.
    bits: NonZeroU64,
    actor: PhantomData<fn() -> T>,
}

const _: () = assert!(size_of::<Option<ActorRef>>() == 8);

/// The bits of the slot in the upper half; the rest is the level's number.
const SLOT_BITS: u32 = if cfg!(debug_assertions) { 24 } else { 32 };

const SLOT_MASK: u32 = u32::MAX >> (32 - SLOT_BITS);

/// The number of a level, modulo 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelNumber(u32);

impl LevelNumber {
    /// The next level's.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        // Relaxed: the numbers only have to differ.
        Self(NEXT.fetch_add(1, Ordering::Relaxed) % 256)
    }

    /// A reference to a slot of this level, unless the slot's number has too many bits.
    pub(crate) fn reference(self, slot: usize, life: NonZeroU32) -> Option<ActorRef> {
        let slot = u32::try_from(slot).ok().filter(|slot| *slot <= SLOT_MASK)?;
        Some(ActorRef::new(slot | self.above_slot(), life))
    }

    /// A reference to the first actor of a slot of this level.
    #[cfg(feature = "serde")]
    pub(crate) fn first_life(self, slot: usize) -> Option<ActorRef> {
        self.reference(slot, NonZeroU32::MIN)
    }

    /// Whether a reference may be of this level.
    pub(crate) const fn gave<T>(self, actor: ActorRef<T>) -> bool {
        actor.upper_half() & !SLOT_MASK == self.above_slot()
    }

    const fn above_slot(self) -> u32 {
        if SLOT_BITS < 32 { self.0 << (SLOT_BITS % 32) } else { 0 }
    }
}

impl<T> ActorRef<T> {
    pub(crate) fn new(upper_half: u32, life: NonZeroU32) -> Self {
        Self {
            bits: NonZeroU64::from(life) | u64::from(upper_half) << 32,
            actor: PhantomData,
        }
    }

    /// Leads to nothing in every level: no slot has this number and this life.
    #[cfg(feature = "serde")]
    pub(crate) const DEAD: Self = Self {
        bits: NonZeroU64::MAX,
        actor: PhantomData,
    };

    const fn upper_half(self) -> u32 {
        (self.bits.get() >> 32) as u32
    }

    pub(crate) const fn index(self) -> usize {
        (self.upper_half() & SLOT_MASK) as usize
    }

    #[allow(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    pub(crate) const fn life(self) -> u32 {
        self.bits.get() as u32
    }

    /// The same reference, without its type.
    #[must_use]
    pub const fn any(self) -> ActorRef {
        self.typed()
    }

    /// The same reference, with another type. Costs nothing: each access tests the class.
    #[must_use]
    pub const fn typed<U>(self) -> ActorRef<U> {
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
        let whole = type_name::<T>();
        if whole != type_name::<AnyActor>() {
            // Paths may be in the arguments of a type, too.
            let arguments = whole.find('<').unwrap_or(whole.len());
            let path = whole[..arguments].rfind("::").map_or(0, |colons| colons + 2);
            write!(f, "<{}>", &whole[path..])?;
        }
        write!(f, "(slot {}, life {})", self.index(), self.life())
    }
}
