//! Levels of actors: the life cycle of Unreal Engine 1, 2 and 3, and references that turn to nothing.
//!
//! A [`Level`] owns its actors. Spawning and destroying one runs a sequence of events, each of which may do anything to the
//! level: spawn, destroy the actor it is for, or the one that is destroying it. All of it happens at once, in the order of
//! the engine, and whoever kept an [`ActorRef`] finds that it leads to nothing from the moment the actor is destroyed.
//!
//! ```
//! use acedia_actors::{Actor, ActorRef, ClassBuilder, Cx, Level, Rules, Spawn, Stage, actor};
//!
//! #[derive(Default)]
//! struct Turret { shots: u32, last: Option<ActorRef<Rocket>> }
//!
//! impl Actor for Turret {
//!     actor!(Turret, "Game.Turret");
//!     fn describe(class: &mut ClassBuilder<'_, Self>) {
//!         class.tick(|cx, _seconds| {
//!             cx.shots += 1;
//!             let rocket = cx.spawn::<Rocket>(Spawn::new().owned());
//!             cx.last = rocket;
//!         });
//!         class.lost_child(|cx, _rocket| cx.shots -= 1);
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Rocket;
//! impl Actor for Rocket {
//!     actor!(Rocket, "Game.Rocket");
//! }
//!
//! let mut level = Level::new(Rules::ue2());
//! level.begin_play("");
//! let turret = level.spawn::<Turret>(Spawn::new()).unwrap();
//! level.tick(0.1);
//! let rocket = level.get(turret).unwrap().last.unwrap();
//! level.destroy(rocket);
//! assert!(level.get(rocket).is_none());
//! assert_eq!(level.get(turret).unwrap().shots, 0);
//! ```
//!
//! # The nouns
//!
//! | | |
//! |---|---|
//! | [`Level`], [`Rules`] | the owner of the actors, and how it behaves: as in one of three generations, or in between |
//! | [`Actor`], [`actor!`], [`ClassBuilder`] | a Rust type that is a class: parent, properties, states, bodies of events |
//! | [`Cx`] | what a handler is given: its actor, and the way to the others |
//! | [`Stage`] | what can be done with actors, by a handler or from outside |
//! | [`load_actor_class`] | a class by its name |
//! | [`ActorRef`], [`NativeActorRef`] | who is meant; leads to nothing once the actor is destroyed |
//! | [`Cursor`] | goes through the actors of a level while it changes |
//! | [`ActorList`], [`ActorMap`], [`ActorSet`] | collections in which destroyed actors are not found |
//! | [`Trace`], [`Warning`] | what happens, step by step; what should not have been asked for |
//!
//! # Steps
//!
//! What a [`Trace`] calls a row. Not every generation has every step.
//!
//! | rows | |
//! |---|---|
//! | C0–C7 | checks before a spawn: depth, collecting, class, abstract, not an actor, static, detail, room |
//! | P1–P15 | the new actor's properties, without events |
//! | Q1–Q5 | `gained_child` on the owner; instigator; physics; states work from here; `spawned` |
//! | Q6, Q7 | `pre_begin_play`, which asks the mutators (1.6); `begin_play` |
//! | Q8, Q9 | zone and volume; collision check |
//! | Q10–Q12 | `post_begin_play`; `set_initial_state`; base |
//! | Q13–Q17 | its turn in a tick that goes on; `post_net_begin_play`; `spawn_notification`; tag; result |
//! | L1–L11 | the same for the whole map, phase by phase, when play begins |
//! | K1, K2 | it is about to be deleted; `end_state` |
//! | K3 | `destroyed` |
//! | K4, K5 | `detach` and `base_change`: its own base; those that are based on it |
//! | K6, K7 | `un_touch` on those it touches; `lost_child` on the owner |
//! | K8–K10 | what is left is cut without events; it is dead; result |
//! | 1.6–1.14 | relevancy, moving, touching, changes of state, base search, time, net |
#![forbid(unsafe_code)]

mod actor;
mod actor_list;
mod actor_map;
mod actor_ref;
mod class;
mod class_builder;
mod cursor;
mod destroy;
mod engine_classes;
mod event;
mod geometry;
mod level;
mod life_word;
mod links;
mod name;
mod native_actor_ref;
mod places;
mod play;
mod reactions;
mod registry;
mod relevancy;
mod replication;
mod rules;
mod spawn;
mod spawn_request;
mod state_stack;
mod states;
mod statics;
pub mod world;

pub use actor::{Actor, Physics, Properties, Role};
pub use actor_list::ActorList;
pub use actor_map::{ActorMap, ActorSet};
pub use actor_ref::{ActorRef, AnyActor};
pub use class::ActorClass;
pub use class_builder::{ClassBuilder, StateBuilder};
pub use cursor::Cursor;
pub use engine_classes::{
    GameInfo, LevelInfo, Mutator, Pawn, PhysicsVolume, PlayerController, PlayerPawn, SpawnNotify, ZoneInfo,
};
pub use event::{Event, SpawnResult, Verdict};
pub use geometry::{Aabb, Cylinder, Rotator, Vector};
pub use level::{
    Cx, DetailMode, EventSink, Happening, Inherited, Level, NetMode, Others, Recorder, Settings, SpawnError, Stage,
    Trace, Warning,
};
pub use name::Name;
pub use native_actor_ref::NativeActorRef;
pub use registry::{ActorClassError, load_actor_class};
pub use replication::NetDriver;
pub use rules::{Generation, Missing, NetEvent, PlayerClass, PostBeginPlaySlot, Relevancy, Rules, UnknownRules};
pub use spawn_request::{AnyClass, Spawn, SpawnEx};

/// For the expansion of this crate's macros.
#[doc(hidden)]
pub mod __private {
    pub use acedia_allocator::{__unlisted_storage, ClassStorage};
    pub use inventory;

    pub use crate::registry::Registration;
    pub use crate::statics::Statics;
}
