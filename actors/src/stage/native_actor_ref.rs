//! [`NativeActorRef`]: a pooled object that refers to an actor, for all threads.

use std::fmt;

use acedia::{Handle, Object, Owned, PoolPolicy, class};

use super::stage::Stage;
use crate::class::actor_class::ActorClass;
use crate::class::token::Life;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::life_word::LifeWord;

/// Refers to an actor from outside of its level: from an object, a service, or another thread.
///
/// A `NativeActorRef` is a pooled object, and equal only to itself. Once the actor is destroyed, the reference is empty on every
/// thread. Freeing the reference does not affect the actor.
///
/// ```
/// use acedia_actors::{Actor, Level, NativeActorRef, Pawn, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
/// let reference = NativeActorRef::new(&mut level, Some(pawn.any()));
/// assert_eq!(reference.get(), Some(pawn.any()));
/// let other = NativeActorRef::new(&mut level, None);
/// assert!(!other.holds_same(&reference));
/// other.set(&mut level, Some(pawn.any()));
/// assert!(other.holds_same(&reference));
/// other.clear();
/// assert!(other.is_none());
/// level.destroy(pawn);
/// assert!(reference.is_none());
/// ```
///
/// # Cost
///
/// The first reference to an actor allocates an object that represents the actor's life. All references to the actor hold a
/// handle to that object. So the cost of destroying the actor does not depend on the number of references.
#[derive(Default)]
#[doc(alias = "ActorRef")]
#[doc(alias = "ActorService")]
#[doc(alias = "UnrealAPI")]
pub struct NativeActorRef {
    /// The bits of a `Handle<Life>`.
    life: LifeWord,
}

impl Object for NativeActorRef {
    class!(NativeActorRef, "Acedia.NativeActorRef");
    const POOL: PoolPolicy = PoolPolicy::KeepAll;

    fn constructor(&mut self) {
        self.life = LifeWord::default();
    }
}

impl NativeActorRef {
    /// A reference to an actor of `level`, or an empty one.
    #[doc(alias = "AddActor")]
    pub fn new(level: &mut impl Stage, actor: Option<ActorRef>) -> Owned<Self> {
        let reference = Self::allocate();
        reference.set(level, actor);
        reference
    }

    /// Sets the reference to an actor of `level`, or makes it empty if `actor` is `None` or dead.
    #[doc(alias = "Set")]
    #[doc(alias = "UpdateActor")]
    pub fn set(&self, level: &mut impl Stage, actor: Option<ActorRef>) {
        let life = actor.and_then(|actor| level.inner_mut().life_of(actor));
        self.life.set(life.map_or(0, Handle::to_bits));
    }

    /// Makes the reference empty.
    #[doc(alias = "RemoveActor")]
    pub fn clear(&self) {
        self.life.set(0);
    }

    /// The actor, if it is alive.
    #[must_use]
    #[doc(alias = "Get")]
    #[doc(alias = "GetActor")]
    pub fn get(&self) -> Option<ActorRef> {
        self.actor().map(|(actor, _)| actor)
    }

    /// Whether the reference is empty, or refers to a dead actor.
    #[must_use]
    #[doc(alias = "is_alive")]
    pub fn is_none(&self) -> bool {
        self.handle().is_none_or(|life| !life.is_allocated())
    }

    /// Whether both references refer to the same living actor, or neither refers to a living actor.
    #[must_use]
    pub fn holds_same(&self, other: &Self) -> bool {
        self.get() == other.get()
    }

    fn actor(&self) -> Option<(ActorRef, &'static ActorClass)> {
        self.handle()?.with(|life| life.actor)?
    }

    fn handle(&self) -> Option<Handle<Life>> {
        Handle::from_bits(self.life.bits())
    }
}

impl fmt::Debug for NativeActorRef {
    /// Prints the actor's class, slot and life, or `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.actor() {
            Some((actor, class)) => {
                let (slot, life) = (actor.index(), actor.life());
                write!(f, "NativeActorRef({}, slot {slot}, life {life})", class.short_name())
            }
            None => f.write_str("NativeActorRef(none)"),
        }
    }
}

impl Inner {
    /// The object that represents the life of an actor, allocated at the first call.
    fn life_of(&mut self, actor: ActorRef) -> Option<Handle<Life>> {
        let slot = self.find(actor)?;
        let class = self.heads[slot].class();
        let token = self
            .extra_mut(slot)
            .token
            .get_or_insert_with(|| Life::allocate_with(|it| it.actor = Some((actor, class))));
        Some(token.handle())
    }
}
