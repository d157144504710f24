//! The classes that the sequences know by name.

use super::stage::Stage;
use crate::class::actor::Actor;
use crate::class::builder::ClassBuilder;
use crate::class::notify::SpawnNotify;
use crate::class::registry::Registration;

// Its name in the third generation.
inventory::submit! { Registration::new::<LevelInfo>("Engine.WorldInfo", LevelInfo::class) }

macro_rules! plain {
    ($($(#[$doc:meta])+ $type:ident $name:literal $(($kin:ident))?, |$it:ident| $defaults:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Debug, Default)]
        pub struct $type;

        impl Actor for $type {
            actor!($type, $name);

            fn describe(class: &mut ClassBuilder<'_, Self>) {
                class.defaults(|$it| $defaults);
                $(class.kin(|kin| kin.$kin = true);)?
            }

            fn duplicate(&self) -> Option<Self> {
                Some(Self)
            }
        }
    )+};
}

plain! {
    /// The level itself, its first actor; the zone of all that is in no other, and the base of what stands on the ground.
    ///
    /// In the third generation its actor is [called](crate::Rules::level_name) `WorldInfo0`, and
    /// [`load_actor_class`](crate::load_actor_class) finds the class as `Engine.WorldInfo`, too; the class is still called
    /// `Engine.LevelInfo`.
    #[doc(alias = "WorldInfo")]
    LevelInfo "Engine.LevelInfo", |it| it.is_static = true;
    /// A part of the level. Where it is, a [`ZoneMap`](crate::world::ZoneMap) knows.
    ZoneInfo "Engine.ZoneInfo", |it| it.is_static = true;
    /// A part of the level with physics of its own. Where it is, a [`ZoneMap`](crate::world::ZoneMap) knows.
    PhysicsVolume "Engine.PhysicsVolume" (volume), |it| it.game_relevant = true;
    /// Who acts in the level. Volumes treat pawns in their own way.
    Pawn "Engine.Pawn" (pawn), |it| {
        it.collide_actors = true;
        it.collide_world = true;
        it.block_actors = true;
    };
    /// Somebody who plays over the net, in the second and third generation: what [`Level::connect`](crate::Level::connect)
    /// is given.
    PlayerController "Engine.PlayerController", |it| it.game_relevant = true;
    /// The rules of a game: what [`Level::set_game`](crate::Stage::set_game) is given.
    GameInfo "Engine.GameInfo", |it| it.game_relevant = true;
    /// Decides about other actors: what [`Level::add_mutator`](crate::Stage::add_mutator) is given.
    Mutator "Engine.Mutator" (mutator), |it| it.game_relevant = true;
}

/// Somebody who plays over the net, in the first generation: what [`Level::connect`](crate::Level::connect) is given.
#[derive(Clone, Debug, Default)]
pub struct PlayerPawn {
    /// The player's body.
    pub base: Pawn,
}

impl Actor for PlayerPawn {
    actor!(PlayerPawn, "Engine.PlayerPawn", parent = Pawn, in base);

    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }
}

impl Actor for SpawnNotify {
    actor!(SpawnNotify, "Engine.SpawnNotify");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.post_begin_play(|cx| {
            let me = cx.me();
            cx.others().add_notifier(me);
        });
    }
}
