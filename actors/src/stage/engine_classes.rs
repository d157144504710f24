//! The engine's own classes.

use super::stage::Stage;
use crate::class::actor::Actor;
use crate::class::builder::ClassBuilder;
use crate::class::notify::SpawnNotify;
use crate::class::registry::Registration;

// The third generation's name of `LevelInfo`.
inventory::submit! { Registration::new::<LevelInfo>("Engine.WorldInfo", LevelInfo::class) }

macro_rules! plain {
    ($($(#[$doc:meta])+ $type:ident $name:literal $(($kin:ident))?, |$it:ident| $defaults:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Debug, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $type;

        impl Actor for $type {
            actor!($type, $name);

            fn describe(class: &mut ClassBuilder<'_, Self>) {
                class.defaults(|$it| $defaults);
                #[cfg(feature = "serde")]
                class.saved();
                $(class.kin(|kin| kin.$kin = true);)?
            }

            fn duplicate(&self) -> Option<Self> {
                Some(Self)
            }
        }
    )+};
}

plain! {
    /// The level itself, as its first actor. It is the zone of actors that are in no other zone, and the base of actors that
    /// stand on the ground.
    ///
    /// In the third generation the actor's [name](crate::Rules::level_name) is `WorldInfo0`.
    /// [`load_actor_class`](crate::load_actor_class) also finds the class as `Engine.WorldInfo`.
    #[doc(alias = "WorldInfo")]
    LevelInfo "Engine.LevelInfo", |it| it.is_static = true;
    /// A part of the level. A [`ZoneMap`](crate::world::ZoneMap) defines its extent.
    ZoneInfo "Engine.ZoneInfo", |it| it.is_static = true;
    /// A part of the level with physics of its own. A [`ZoneMap`](crate::world::ZoneMap) defines its extent.
    #[doc(alias = "DefaultPhysicsVolume")]
    PhysicsVolume "Engine.PhysicsVolume" (volume), |it| it.game_relevant = true;
    /// An actor that a player or a program controls. A volume is sent a separate event when a pawn enters.
    Pawn "Engine.Pawn" (pawn), |it| {
        it.collide_actors = true;
        it.collide_world = true;
        it.block_actors = true;
    };
    /// A player who is connected over the network, in the second and third generation: see
    /// [`Level::connect`](crate::Level::connect).
    PlayerController "Engine.PlayerController", |it| it.game_relevant = true;
    /// The rules of a game: see [`Level::set_game`](crate::Stage::set_game).
    GameInfo "Engine.GameInfo", |it| it.game_relevant = true;
    /// Decides whether other actors may stay: see [`Level::add_mutator`](crate::Stage::add_mutator).
    Mutator "Engine.Mutator" (mutator), |it| it.game_relevant = true;
}

/// A player who is connected over the network, in the first generation: see [`Level::connect`](crate::Level::connect).
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerPawn {
    /// The player's body.
    pub base: Pawn,
}

impl Actor for PlayerPawn {
    actor!(PlayerPawn, "Engine.PlayerPawn", parent = Pawn, in base);

    #[cfg(feature = "serde")]
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
    }

    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }
}

impl Actor for SpawnNotify {
    actor!(SpawnNotify, "Engine.SpawnNotify");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        #[cfg(feature = "serde")]
        class.saved();
        class.post_begin_play(|cx| {
            cx.others.add_notifier(cx.me());
        });
    }
}
