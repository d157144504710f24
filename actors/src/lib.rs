#![doc = include_str!("../README.md")]
//!
//! # What to use
//!
//! | To | Use |
//! |---|---|
//! | own actors, by the rules of one of three engine generations or a mix | [`Level`], [`Rules`] |
//! | make a class of a Rust type: parent, properties, states, bodies of events | [`Actor`], [`actor!`], [`ClassBuilder`] |
//! | act in a handler | [`Cx`]: its actor, and access to all others |
//! | act on actors from outside, too | [`Stage`] |
//! | declare a function that child classes override | [`Function`] |
//! | find a class by its name | [`load_actor_class`] |
//! | refer to an actor until it is destroyed | [`ActorRef`]; from objects and other threads [`NativeActorRef`] |
//! | wait in the code of a state, or set a timer | [`CodeBuilder`], [`Timer`] |
//! | visit the actors of a level that changes meanwhile | [`Cursor`] |
//! | collect actors, without those that are destroyed | [`ActorList`], [`ActorMap`], [`ActorSet`] |
//! | save a level | `SavedLevel`, with the feature `serde` |
//! | see each step, and each request that was refused | [`Trace`], [`Warning`] |
//!
//! # Not supported
//!
//! * Two threads in one level at a time.
//! * Physics, movement and drawing: the program moves actors by [`Stage::set_location`]; a
//!   [`CollisionWorld`](world::CollisionWorld) answers what they meet.
//! * A network protocol: a [`NetDriver`] and [`Level::receive`] connect yours.
//! * UnrealScript source: classes are Rust types.
//!
//! # Steps
//!
//! Each row of a [`Trace`] names one of these steps. [`Rules`] says which generation has which step.
//!
//! | row | the events, in this order |
//! |---|---|
//! | P1 | the actor is made |
//! | Q1 | `gained_child` on the owner |
//! | Q3 | `init_physics`: Karma's initialization, after the instigator is set and before states can be entered |
//! | Q5 | `spawned`, `native_spawned` |
//! | Q6 | `pre_begin_play`, whose default body has the mutators asked: 1.6 |
//! | Q7 | `begin_play` |
//! | Q8 | `actor_leaving` on the old zone, `zone_change`, `actor_entered` on the new one; `physics_volume_change`, `actor_entered_volume` or `pawn_entered_volume` on the volume, for pawns `head_volume_change` |
//! | Q9 | `ran_into` or `encroaching_on` for each actor in the way; `un_touch`; `touch` on both; `encroached_by` on the others |
//! | Q10 | `post_begin_play`, `native_post_begin_play` |
//! | Q11 | `post_begin_play`, if the rules have it here; `set_initial_state` |
//! | Q12 | `attach` on the base that was found, `base_change` |
//! | Q14 | `post_net_begin_play`, or `post_begin_play` instead |
//! | Q15 | `spawn_notification` on each notifier |
//! | L2 | `init_game` on the game: play begins |
//! | L3, L4 | `pre_begin_play`; `begin_play`: each on all actors by age, as in the rows below |
//! | L5, L6 | as Q8: zones; volumes |
//! | L7 | `post_begin_play`, `native_post_begin_play` |
//! | L8, L9 | `post_net_begin_play`; `set_initial_state` |
//! | L10 | as Q12, or for the base that the attach tag names |
//! | K2, K3 | `end_state`, in a state; `destroyed` |
//! | K4 | `detach` on the base, `base_change` |
//! | K5 | `detach`, `base_change` on the other: for each that is based on it |
//! | K6 | `un_touch` on each that it touches |
//! | K7 | `lost_child` on the owner |
//! | K9 | it is dead |
//! | 1.4 | a change of owner: `lost_child` on the old one, `gained_child` on the new one |
//! | 1.6 | relevancy: `is_relevant` or `check_relevance`, in which `always_keep` on all mutators, then on each `is_relevant`, if it overrides that, and `check_replacement`, and `passes_filters` on the game; for those that can't be deleted `shut_down` |
//! | 1.7, 1.8 | a move: first 1.8, `un_touch` and `touch`; then 1.7, as Q8 |
//! | 1.9 | a call of a function of one's own: [`Function`] |
//! | 1.10 | a change of state: `end_state`, `begin_state`, or those of the state stack |
//! | 1.11 | a change of base: `detach` on the old one, `attach` on the new one, `base_change` |
//! | 1.12 | `tick`; the code of the state; `timer`, and functions that timers call |
//! | 1.14 | what came through the net: `post_net_receive` or `replicated_event`, then as Q14 |
//!
//! Steps without events are in no trace. The documentation refers to them by these names:
//!
//! | row | |
//! |---|---|
//! | C0–C7 | checks before a spawn: depth, collecting, class given, abstract, an actor, static or lasting, detail, room |
//! | P2–P15 | the new actor's properties: copied from its class or template (P2), tag (P3), zone (P4), level (P5), not ticked yet (P6), roles (P7), brush (P8), place (P9, P10), collision hash (P11), volume (P12), no links (P13), no states yet (P14), nothing begun (P15) |
//! | Q2, Q4 | instigator; states can be entered from here on |
//! | Q13, Q16, Q17 | its turn in a tick that goes on; tag; result |
//! | L1, L11 | play has begun; the start is over |
//! | V1–V5 | checks before a destruction: none, lasting, dead already, no authority, a player |
//! | K1, K8, K10 | about to be deleted; links that are left are cut; result |
//!
//! # Decisions
//!
//! Where the documents of the engine are silent or contradict each other, this crate decides.
//!
//! | # | question | here |
//! |---|---|---|
//! | D1 | third generation: `post_begin_play` before `set_initial_state`, or in the place of `post_net_begin_play`? | the latter; [`Rules::post_begin_play_slot`] |
//! | D2 | does the collision check of a spawn touch actors that block nothing? | yes; they are not encroached on |
//! | D3 | after which steps of a spawn does the level notice that the actor was destroyed? | all: a dead actor is sent nothing, and the spawn fails |
//! | D4 | the result of a spawn that must not fail, if a handler destroyed the actor | a reference that resolves to `None`; after a fatal encroachment, an error |
//! | D5 | the order of `encroaching_on`, `ran_into`, `touch`, `encroached_by` | as in row Q9; others by age |
//! | D6 | is the owner set when it is sent `gained_child`? | yes |
//! | D7 | old or new values? | `detach` and `lost_child` find the old ones, `base_change` the new one |
//! | D8 | the result of destroying the dead | `true` for the actor itself ([`Cx::destroy`]), `false` and a warning through a reference |
//! | D9 | are dead actors sent events? | no |
//! | D10 | how deep may events nest? | 250 ([`Rules::depth_limit`]), fewer if they use up the stack ([`Rules::stack_limit`]); one more is dropped with a warning, and the step goes on. After 100 such in one call of the level, its handlers spawn nothing. The engine crashes |
//! | D11 | first generation: is `post_net_begin_play` sent to actors that were spawned here? | yes |
//! | D12 | notifiers: actors from the net? their order? the answer `None`? a notifier without a class? | not shown ([`Rules::spawn_notify_received`]); in which they registered; ends the chain; shown all, as by the engine's default `class'Actor'` ([`SpawnNotify::actor_class`]) |
//! | D13 | start of play: is `post_net_begin_play` a phase? | yes, L8, before `set_initial_state`; in a spawn it comes after |
//! | D14 | first generation: are actors that are spawned during the start initialised twice? | yes: the phases still to come ([`Rules::script_initialized`]) |
//! | D15 | does an actor that is spawned in a tick tick in this frame? | yes, once, after the older ones |
//! | D16 | the actors that a destroyed actor owned | have no owner, and no `lost_child` is sent |
//! | D17 | a level without a game | all actors stay; [`Rules::no_game`] can have it as in the engine |
//! | D18 | when does an actor leave the collision hash? | when it dies, K8; from K1 on no actor begins to touch it |
//! | D19 | does a [list](ActorList) shrink when an actor dies? | no, the entry is none until `compact` |
//! | D20 | how long does a dead actor have a name? | until it is reclaimed |
//! | D21 | a change of state inside `end_state` | wins; there is no second `end_state`, and the outer change is dropped |
//! | D22 | a spawn with a dead owner | the actor has no owner, and there is a warning. The engine crashes |
//! | D23 | events when a level is dropped | none; finalizers run |
//! | D24 | the region's leaf | not kept: maps here are no trees. The zone's number is: [`Stage::zone_number`] |
//! | D25 | when do constructors and finalizers run? | at P2, also for copies of templates; at reclamation. Each once per actor |
//! | D26 | a dead actor as new owner or base | refused, with a warning |
//! | D27 | a handler moves an actor in the middle of a step | the move has steps of its own. If it moved the step's actor, the outer step ends; if another, the outer step goes on with the actors that still overlap |
//! | D28 | a mutator has no body for the question whether an actor may stay | the actor may stay |
//! | D29 | a handler panics while play begins, or in a tick | all actors have all their phases, or the others tick; then the first panic goes on |
//! | D30 | `post_net_begin_play` of an actor from the net that came before play began | sent in L8, with all others, and not when its variables come |
//! | D31 | a handler panics in a spawn | no caller gets the actor, so it is destroyed with all events, whatever its properties; then the panic goes on |
//! | D32 | a handler panics in a destruction | all other events are sent, and the actor dies; then the first panic goes on |
//! | D33 | where in a frame do timers run out? how often? | after `tick` and the code of the state, as in the engine; when the count reaches the rate, as often as it did ([`Stage::set_timer`]) |
//! | D34 | the code of a state | begins in the actor's next frame; after a change of state by the code itself, in the same frame; goes on after a pushed state is popped ([`CodeBuilder`]) |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod class;
#[cfg(doctest)]
mod compile_fail;
mod sequence;
mod stage;
mod store;
mod value;

pub use class::actor::Actor;
pub use class::actor_class::ActorClass;
pub use class::builder::{ClassBuilder, StateBuilder};
pub use class::errors::ActorClassError;
pub use class::function::Function;
pub use class::notify::SpawnNotify;
pub use class::registry::load_actor_class;
pub use class::request::{AnyClass, Spawn, SpawnEx};
pub use stage::actor_list::ActorList;
pub use stage::actor_map::{ActorMap, ActorSet};
pub use stage::code_builder::CodeBuilder;
pub use stage::cursor::Cursor;
pub use stage::cx::Cx;
pub use stage::engine_classes::{
    GameInfo, LevelInfo, Mutator, Pawn, PhysicsVolume, PlayerController, PlayerPawn, ZoneInfo,
};
pub use stage::inherited::Inherited;
pub use stage::level::Level;
pub use stage::native_actor_ref::NativeActorRef;
pub use stage::others::Others;
pub use stage::stage::Stage;
pub use store::net::NetDriver;
#[cfg(feature = "serde")]
pub use store::saved_level::{SaveError, SavedLevel};
pub use store::warning::{SpawnError, Warning};
pub use value::actor_ref::{ActorRef, AnyActor};
pub use value::event::{Event, SpawnResult, Verdict};
pub use value::geometry::{Aabb, Cylinder, Rotator, Vector};
pub use value::name::Name;
pub use value::properties::{Physics, Properties, Role};
pub use value::rules::{Generation, Missing, NetEvent, PlayerClass, PostBeginPlaySlot, Relevancy, Rules, UnknownRules};
pub use value::settings::{DetailMode, NetMode, Settings};
pub use value::timer::{Repeat, Timer};
pub use value::trace::{EventSink, Happening, Recorder, Trace};
pub use value::world;

/// For the expansion of this crate's macros.
#[doc(hidden)]
pub mod __private {
    pub use acedia::{__unlisted_storage, ClassStorage};
    pub use inventory;

    pub use crate::class::describing::describe;
    pub use crate::class::registry::Registration;
    pub use crate::class::statics::Statics;
}
