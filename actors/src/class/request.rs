//! [`Spawn`], [`SpawnEx`]: the parameters of a spawn.

use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;

/// The parameters of UnrealScript's `Spawn`.
///
/// ```
/// use acedia_actors::{Rotator, Spawn, Vector};
///
/// let spawn = Spawn::new()
///     .at(Vector::new(0.0, 0.0, 64.0))
///     .facing(Rotator::new(0, 16384, 0))
///     .tag("Guard");
/// // As a copy of another actor, owned by it, and placed whether or not there is room.
/// use acedia_actors::{Level, Pawn, Rules, Stage};
///
/// let mut level = Level::new(Rules::ue3());
/// level.start();
/// let guard = level.spawn::<Pawn>(spawn).unwrap();
/// let copy = level
///     .spawn::<Pawn>(Spawn::new().template(guard).owned_by(guard).no_collision_fail())
///     .unwrap();
/// assert_eq!(level.owner(copy), Some(guard.any()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use = "a description spawns nothing by itself"]
pub struct Spawn {
    pub(crate) owner: Option<ActorRef>,
    pub(crate) tag: Name,
    pub(crate) location: Option<Vector>,
    pub(crate) rotation: Option<Rotator>,
    pub(crate) template: Option<ActorRef>,
    pub(crate) no_collision_fail: bool,
}

impl Spawn {
    /// A spawn without an owner, by default at the location of the handler's actor and with its rotation; outside of handlers,
    /// at the origin.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the location.
    pub const fn at(mut self, location: Vector) -> Self {
        self.location = Some(location);
        self
    }

    /// Sets the rotation.
    pub const fn facing(mut self, rotation: Rotator) -> Self {
        self.rotation = Some(rotation);
        self
    }

    /// Sets the owner, for instance `cx.me()`.
    pub const fn owned_by<T>(mut self, owner: ActorRef<T>) -> Self {
        self.owner = Some(owner.any());
        self
    }

    /// Sets the tag, in the last step of the spawn.
    #[doc(alias = "SpawnTag")]
    pub fn tag(mut self, tag: impl Into<Name>) -> Self {
        self.tag = tag.into();
        self
    }

    /// Makes the actor a copy of `template`. Rules without [`spawn_parameters`](crate::Rules::spawn_parameters) ignore this.
    #[doc(alias = "ActorTemplate")]
    pub const fn template<T>(mut self, template: ActorRef<T>) -> Self {
        self.template = Some(template.any());
        self
    }

    /// Skips the check for room and the collision step (Q9), so that the spawn succeeds even if there is no room. Rules without
    /// [`spawn_parameters`](crate::Rules::spawn_parameters) ignore this.
    #[doc(alias = "bNoCollisionFail")]
    pub const fn no_collision_fail(mut self) -> Self {
        self.no_collision_fail = true;
        self
    }
}

/// The parameters of the Unreal engine's `SpawnActor`.
#[derive(Clone, Copy, Debug, Default)]
#[doc(alias = "SpawnActor")]
pub struct SpawnEx {
    /// The actor's name, which need not be unique. [`Name::NONE`] stands for the name of the class and a number.
    #[doc(alias = "InName")]
    pub name: Name,
    /// The parameters of UnrealScript's `Spawn`. No rules ignore `template` and `no_collision_fail` here.
    pub spawn: Spawn,
    /// The actor that is responsible for the new actor.
    pub instigator: Option<ActorRef>,
    /// Whether the actor came over the network. Only replication code sets this.
    #[doc(alias = "bRemoteOwned")]
    pub remote_owned: bool,
    /// Whether the spawn succeeds even if the class is static or a detail, and even if the actor is destroyed during the spawn.
    #[doc(alias = "bNoFail")]
    pub no_fail: bool,
}

impl From<Spawn> for SpawnEx {
    fn from(spawn: Spawn) -> Self {
        let request = Self::default();
        Self { spawn, ..request }
    }
}
