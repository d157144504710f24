//! [`Properties`]: the engine's own fields of an actor.

use super::geometry::Cylinder;
use super::name::Name;

/// The role of a machine in the simulation of an actor, in a networked game.
#[expect(clippy::exhaustive_enums, reason = "no generation of the engine has another role")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "ENetRole")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Role {
    /// The actor does not exist on that machine.
    None,
    /// The actor is only shown.
    Dumb,
    /// The actor is shown, and its movement continues between updates.
    Simulated,
    /// A player on that machine moves the actor.
    Autonomous,
    /// This machine decides about the actor.
    #[default]
    Authority,
}

/// An actor's way of moving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "EPhysics")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Physics {
    /// The actor does not move.
    #[default]
    None,
    /// The actor walks.
    Walking,
    /// The actor falls.
    Falling,
    /// The actor flies.
    Flying,
    /// The actor turns on the spot.
    Rotating,
    /// The actor moves as a projectile, with its own acceleration.
    Projectile,
}

/// The engine's own fields of an actor. A class sets their defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "each is a property of its own")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Properties {
    /// A name to find actors by. By default, the short name of the class.
    pub tag: Name,
    /// The tag or name of the actor that becomes this actor's base when play begins.
    pub attach_tag: Name,
    /// The state that the actor enters first, instead of the class's auto state.
    pub initial_state: Name,
    /// Whether the actor can't be spawned or destroyed during play, and never ticks.
    #[doc(alias = "bStatic")]
    pub is_static: bool,
    /// Whether the actor can't be spawned or destroyed during play.
    #[doc(alias = "bNoDelete")]
    pub no_delete: bool,
    /// Whether the actor is not spawned in low detail, under [`drop_detail`](crate::Settings::drop_detail), or on a dedicated
    /// server.
    #[doc(alias = "bHighDetail")]
    pub high_detail: bool,
    /// Whether the actor stays without the game or the mutators being asked.
    #[doc(alias = "bGameRelevant")]
    pub game_relevant: bool,
    /// Whether other actors find and touch it. A change takes effect at its next move.
    #[doc(alias = "bCollideActors")]
    pub collide_actors: bool,
    /// Whether the actor blocks. Blocking actors do not touch: a spawn sends `encroaching_on` instead.
    #[doc(alias = "bBlockActors")]
    pub block_actors: bool,
    /// Whether the spawn keeps the actor out of walls.
    #[doc(alias = "bCollideWorld")]
    pub collide_world: bool,
    /// Like [`collide_world`](Self::collide_world), but without effect on clients.
    #[doc(alias = "bCollideWhenPlacing")]
    pub collide_when_placing: bool,
    /// Whether an actor with `collide_world` and the physics `None` or `Rotating` looks for a base when it is spawned.
    #[doc(alias = "bShouldBaseAtStartup")]
    #[doc(alias = "bShouldBaseOnStartup")]
    #[doc(alias = "FindBase")]
    pub should_base_at_startup: bool,
    /// Whether clients keep the actor when the server no longer sends it.
    #[doc(alias = "bNetTemporary")]
    pub net_temporary: bool,
    /// Whether the actor is sent `post_net_receive`.
    #[doc(alias = "bNetNotify")]
    pub net_notify: bool,
    /// Whether the server sends the actor's first rotation over the network.
    #[doc(alias = "bNetInitialRotation")]
    pub net_initial_rotation: bool,
    /// Whether the actor is not shown. Only code that draws reads the field.
    #[doc(alias = "bHidden")]
    pub hidden: bool,
    /// Whether the actor never ticks.
    #[doc(alias = "bTickIsDisabled")]
    #[doc(alias = "SetTickIsDisabled")]
    pub tick_is_disabled: bool,
    /// The actor's way of moving.
    pub physics: Physics,
    /// The actor's role on this machine.
    pub role: Role,
    /// The actor's role on the other machine.
    pub remote_role: Role,
    /// The actor's shape in collisions.
    pub shape: Cylinder,
    /// The brush of the map from which the actor was made. Never copied.
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
    /// Whether a frame skips actors with these properties.
    #[inline]
    pub(crate) const fn is_without_ticks(&self) -> bool {
        self.is_static | self.tick_is_disabled
    }
}
