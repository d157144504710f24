//! [`Properties`]: the engine's own fields of an actor.

use super::geometry::Cylinder;
use super::name::Name;

/// The role that a machine has in the simulation of an actor, in a game over a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "ENetRole")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Role {
    /// The actor does not exist there.
    None,
    /// The actor is only shown.
    Dumb,
    /// The actor is shown, and its movement continues between updates.
    Simulated,
    /// A player there moves the actor.
    Autonomous,
    /// This machine decides about the actor.
    #[default]
    Authority,
}

/// An actor's way of moving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "EPhysics")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Physics {
    /// It does not move.
    #[default]
    None,
    /// It walks.
    Walking,
    /// It falls.
    Falling,
    /// It flies.
    Flying,
    /// It turns on the spot.
    Rotating,
    /// It flies on, with its own acceleration.
    Projectile,
}

/// The engine's own fields of an actor. A class sets their defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "each is a property of its own")]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Properties {
    /// A name to find actors by. Until the spawn is complete, it is the name of the class.
    pub tag: Name,
    /// The tag of the actor that becomes its base when play begins.
    pub attach_tag: Name,
    /// The state that it enters first, instead of the class's auto state.
    pub initial_state: Name,
    /// Can't be spawned or destroyed during play, and never ticks.
    #[doc(alias = "bStatic")]
    pub is_static: bool,
    /// Can't be spawned or destroyed during play.
    #[doc(alias = "bNoDelete")]
    pub no_delete: bool,
    /// Is not spawned where details are left out.
    #[doc(alias = "bHighDetail")]
    pub high_detail: bool,
    /// It stays without a question to the game or the mutators.
    #[doc(alias = "bGameRelevant")]
    pub game_relevant: bool,
    /// Whether other actors find and touch it. The value counts when the actor is spawned.
    #[doc(alias = "bCollideActors")]
    pub collide_actors: bool,
    /// It can't overlap another actor that blocks.
    #[doc(alias = "bBlockActors")]
    pub block_actors: bool,
    /// It can't be in walls.
    #[doc(alias = "bCollideWorld")]
    pub collide_world: bool,
    /// It can't be spawned in walls.
    #[doc(alias = "bCollideWhenPlacing")]
    pub collide_when_placing: bool,
    /// It looks for a base when it is spawned.
    #[doc(alias = "bShouldBaseAtStartup")]
    pub should_base_at_startup: bool,
    /// Clients keep it when the server no longer sends it.
    #[doc(alias = "bNetTemporary")]
    pub net_temporary: bool,
    /// Is sent `post_net_receive`.
    #[doc(alias = "bNetNotify")]
    pub net_notify: bool,
    /// Its first rotation travels through the net.
    #[doc(alias = "bNetInitialRotation")]
    pub net_initial_rotation: bool,
    /// It is not shown. This crate does not read the field. It is for the code that draws.
    #[doc(alias = "bHidden")]
    pub hidden: bool,
    /// It never ticks.
    #[doc(alias = "bTickIsDisabled")]
    #[doc(alias = "SetTickIsDisabled")]
    pub tick_is_disabled: bool,
    /// Its way of moving.
    pub physics: Physics,
    /// Its role on this machine.
    pub role: Role,
    /// Its role on the other machine.
    pub remote_role: Role,
    /// Its shape in collisions.
    pub shape: Cylinder,
    /// The brush of the map that it was made from. Never copied.
    pub brush: Option<u32>,
}

impl Default for Properties {
    fn default() -> Self {
        Self {
            tag: Name::NONE,
            attach_tag: Name::NONE,
            initial_state: Name::NONE,
            is_static: false,
            no_delete: false,
            high_detail: false,
            game_relevant: false,
            collide_actors: false,
            block_actors: false,
            collide_world: false,
            collide_when_placing: false,
            should_base_at_startup: false,
            net_temporary: false,
            net_notify: false,
            net_initial_rotation: false,
            hidden: false,
            tick_is_disabled: false,
            physics: Physics::None,
            role: Role::Authority,
            remote_role: Role::Dumb,
            shape: Cylinder::default(),
            brush: None,
        }
    }
}

impl Properties {
    /// Whether an actor with these is left out of a frame.
    #[inline]
    pub(crate) const fn is_without_ticks(&self) -> bool {
        self.is_static | self.tick_is_disabled
    }
}
