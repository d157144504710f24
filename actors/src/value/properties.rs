//! [`Properties`]: what the engine keeps of each actor, and what a class says of its actors in advance.

use super::geometry::Cylinder;
use super::name::Name;

/// Who decides about an actor in a game over a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "ENetRole")]
pub enum Role {
    /// It does not exist there.
    None,
    /// It is only shown.
    Dumb,
    /// It is shown and continued.
    Simulated,
    /// A player moves it.
    Autonomous,
    /// What happens here is what happens.
    #[default]
    Authority,
}

/// How an actor moves by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "EPhysics")]
pub enum Physics {
    /// It does not.
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
    /// It flies on, faster or slower.
    Projectile,
}

/// What the engine knows of an actor, and what a class can say of its actors in advance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct Properties {
    /// For finding it. The class's name until the spawn is done.
    pub tag: Name,
    /// The tag of what it is based on when the level starts.
    pub attach_tag: Name,
    /// The state it enters first, instead of the class's auto state.
    pub initial_state: Name,
    /// Can't be spawned or destroyed during play, and never ticks.
    #[doc(alias = "bStatic")]
    pub is_static: bool,
    /// Can't be spawned or destroyed during play.
    #[doc(alias = "bNoDelete")]
    pub no_delete: bool,
    /// Is left out where details are.
    #[doc(alias = "bHighDetail")]
    pub high_detail: bool,
    /// Mutators are not asked.
    #[doc(alias = "bGameRelevant")]
    pub game_relevant: bool,
    /// Actors find it. Looked at when the actor is spawned.
    #[doc(alias = "bCollideActors")]
    pub collide_actors: bool,
    /// It can't be where another one is that blocks.
    #[doc(alias = "bBlockActors")]
    pub block_actors: bool,
    /// It can't be in walls.
    #[doc(alias = "bCollideWorld")]
    pub collide_world: bool,
    /// It can't be spawned in walls.
    #[doc(alias = "bCollideWhenPlacing")]
    pub collide_when_placing: bool,
    /// It is given a base when it is spawned.
    #[doc(alias = "bShouldBaseAtStartup")]
    pub should_base_at_startup: bool,
    /// Lives on by itself on clients.
    #[doc(alias = "bNetTemporary")]
    pub net_temporary: bool,
    /// Wants `post_net_receive`.
    #[doc(alias = "bNetNotify")]
    pub net_notify: bool,
    /// Its first rotation travels through the net.
    #[doc(alias = "bNetInitialRotation")]
    pub net_initial_rotation: bool,
    /// How it moves.
    pub physics: Physics,
    /// Who decides here.
    pub role: Role,
    /// Who decides on the other side.
    pub remote_role: Role,
    /// What it collides as.
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
            physics: Physics::None,
            role: Role::Authority,
            remote_role: Role::Dumb,
            shape: Cylinder::default(),
            brush: None,
        }
    }
}
