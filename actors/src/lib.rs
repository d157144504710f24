#![doc = include_str!("../README.md")]
//!
//! # What to use
//!
//! | To | Use |
//! |---|---|
//! | run a level of actors by the rules of one of three engine generations, or by a mix | [`Level`], [`Rules`] |
//! | declare a class: its parent, properties, states, and handlers | [`Actor`], [`actor!`], [`ClassBuilder`] |
//! | access actors in a handler: its own, and all others | [`Cx`] |
//! | write code that works both in handlers and outside | [`Stage`] |
//! | declare a function that child classes override | [`Function`] |
//! | find a class by its name | [`load_actor_class`] |
//! | refer to an actor until it is destroyed | [`ActorRef`]; from objects and other threads [`NativeActorRef`] |
//! | wait in the code of a state, or set a timer | [`CodeBuilder`], [`Timer`] |
//! | visit actors while the level changes | [`Cursor`] |
//! | collect actors, and skip destroyed ones | [`ActorList`], [`ActorMap`], [`ActorSet`] |
//! | save a level | `SavedLevel`, with the feature `serde` |
//! | log each step and each refused request | [`EventSink`], [`Warning`] |
//!
//! # Not supported
//!
//! * Two threads in one level at a time.
//! * Physics, movement and drawing. The program moves actors by [`Stage::set_location`], and a
//!   [`CollisionWorld`](world::CollisionWorld) finds the actors that they meet.
//! * A network protocol. A [`NetDriver`] and [`Level::receive`] connect your own protocol.
//! * UnrealScript source. Classes are Rust types.
//!
//! # Steps
//!
//! Each row of a [`Trace`] names one of these steps. [`Rules`] says which steps each generation has. Events without a named
//! recipient are sent to the actor itself.
//!
//! | Row | Events, in this order |
//! |---|---|
//! | P1 | none: the actor is made |
//! | Q1 | `gained_child` to the owner |
//! | Q3 | `init_physics` |
//! | Q5 | `spawned`, `native_spawned` |
//! | Q6 | `pre_begin_play`, whose default body asks the mutators (row 1.6) |
//! | Q7 | `begin_play` |
//! | Q8 | zone: `actor_leaving` to the old zone, `zone_change`, `actor_entered` to the new zone; volume: `physics_volume_change` to the actor; `actor_entered_volume` or `pawn_entered_volume` to the volume; for pawns, `head_volume_change` |
//! | Q9 | for each overlapping actor, if both block, the new actor gets `ran_into` (if the other was pushed away) or `encroaching_on`, whose answer can refuse the location. Then, for each overlap that has ended or begun, both actors get `un_touch` or `touch`. Then each other actor that was not pushed away gets `encroached_by` |
//! | Q10 | `post_begin_play`, `native_post_begin_play` |
//! | Q11 | `post_begin_play`, if [`Rules::post_begin_play_slot`] says so; `set_initial_state` |
//! | Q12 | `attach` to the new base (if there is an actor below), `base_change` |
//! | Q14 | `post_net_begin_play`, or `post_begin_play` instead |
//! | Q15 | `spawn_notification` to each notifier |
//! | L2 | `init_game` to the game: play begins |
//! | L3, L4 | L3: `pre_begin_play` to all actors, oldest first, as in Q6. L4: `begin_play` to all actors, oldest first, as in Q7 |
//! | L5, L6 | L5: the zone events of Q8. L6: the volume events of Q8 |
//! | L7 | `post_begin_play`, `native_post_begin_play` |
//! | L8, L9 | L8: `post_net_begin_play`. L9: `set_initial_state` |
//! | L10 | the events of Q12. An actor with an attach tag is attached to the actor with that tag or name |
//! | K2, K3 | K2: `end_state`, if the actor is in a state. K3: `destroyed` |
//! | K4 | `detach` to the base, `base_change` |
//! | K5 | for each actor that stands on this one: `detach` to this actor, `base_change` to the other one |
//! | K6 | `un_touch` to each other actor that this one touches |
//! | K7 | `lost_child` to the owner |
//! | K9 | none: the actor is dead |
//! | 1.4 | change of owner: `lost_child` to the old owner, `gained_child` to the new owner |
//! | 1.6 | relevancy: `is_relevant` or `check_relevance` to the game or to the first mutator, as [`Rules::relevancy`] says. The default handler asks the mutators. First each gets `always_keep`, until one of them keeps the actor. If none does, each gets `check_replacement`. A mutator with its own `is_relevant` gets `is_relevant` instead of `check_replacement`, and the mutators after it are not asked. In the first generation, the game then gets `passes_filters`. In the third generation, an irrelevant actor that can't be deleted gets `shut_down` |
//! | 1.7, 1.8 | a move sends first `un_touch` and `touch` (1.8), and then the events of Q8 (1.7) |
//! | 1.9 | call of a [`Function`] |
//! | 1.10 | change of state: `end_state`, `begin_state`, or the events of the state stack |
//! | 1.11 | change of base: `detach` to the old base, `attach` to the new base, `base_change` |
//! | 1.12 | frame: `tick`; the code of the state; `timer`, and functions that timers call |
//! | 1.14 | variables received over the network: `post_net_receive` or `replicated_event`; the first time, then the events of Q14 |
//!
//! All other steps send no event and are not traced. The documentation refers to them by these names:
//!
//! | Row | Step |
//! |---|---|
//! | C0–C7 | checks before a spawn: events are not nested too deeply (C0), no garbage collection is running (C1), a class is given (C2); it is not abstract (C3); it is a class of actors (C4); its actors have neither `is_static` nor `no_delete` (C5); the level of detail is high enough (C6); there is room at the location (C7) |
//! | P2–P15 | setting up the new actor: its properties are copied from its class or template (P2); its tag (P3), zone (P4) and level (P5) are set; it is marked as not having ticked (P6); its network roles (P7), its shape in the map editor (P8), location and rotation (P9, P10) are set; it enters the collision hash (P11) and a volume (P12); it has no base and no touches (P13), and no states yet (P14); neither its initialisation nor its destruction has begun (P15) |
//! | Q2, Q4 | the instigator is set (Q2); from here on states can be entered (Q4) |
//! | Q13, Q16, Q17 | the actor joins the current tick (Q13); its tag is set (Q16); the spawn returns (Q17) |
//! | L1, L11 | play is marked as begun (L1); all actors have been started (L11) |
//! | V1–V5 | checks before a destruction: the actor exists (V1), is neither static nor undeletable (V2), and is not dead already (V3); on a network client, it is under the client's authority (V4); on a server, it has no player with an open connection (V5) |
//! | K1, K8, K10 | the destruction is marked as begun (K1); the actor leaves the collision hash, and its remaining links to other actors are cut (K8); the destruction returns (K10) |
//!
//! # Decisions
//!
//! Where the documents of the engine are silent or contradict each other, this crate decides.
//!
//! | No. | Question | Decision |
//! |---|---|---|
//! | D1 | Third generation: is `post_begin_play` sent before `set_initial_state`, or instead of `post_net_begin_play`? | Instead of `post_net_begin_play`; see [`Rules::post_begin_play_slot`]. |
//! | D2 | Does a spawn send `touch` to overlapping actors that block nothing? | Yes, but no `encroaching_on`. |
//! | D3 | After which steps of a spawn does the level notice that the actor was destroyed? | After every step: a dead actor is sent no events, and the spawn fails. |
//! | D4 | What does a spawn with [`SpawnEx::no_fail`] return if a handler destroyed the actor? | A reference that resolves to `None`. If `encroaching_on` refused the place, an error. |
//! | D5 | In which order are `encroaching_on`, `ran_into`, `touch` and `encroached_by` sent? | As in row Q9. If there are several actors, the oldest comes first. |
//! | D6 | Does the new actor have its owner already when the owner is sent `gained_child`? | Yes. |
//! | D7 | When an owner or base changes, do handlers see the old value or the new one? | `detach` and `lost_child` see the old value; `base_change` sees the new one. |
//! | D8 | What is the result of destroying a dead actor? | `true` in its own handler ([`Cx::destroy`]); through a reference, `false` and a warning. |
//! | D9 | Are dead actors sent events? | No. |
//! | D10 | How deep may events nest? | 250 deep ([`Rules::depth_limit`]), or less if they use up the stack ([`Rules::stack_limit`]). A further event is dropped with a warning, and the step goes on. If this happens 100 times during one call of a method of the level, then until that call returns, handlers cannot spawn actors, and events nest at most 16 deep. The Unreal engine crashes instead. |
//! | D11 | First generation: is `post_net_begin_play` sent to actors that were spawned on this machine? | Yes. |
//! | D12 | Which actors are notifiers asked about, and in which order? What if a notifier answers `None`, or does not name the class of actors that it replaces? | They are asked in order of registration, but not about actors from the network, unless [`Rules::spawn_notify_received`] is set. `None` ends the chain. A notifier that names no class is asked about all actors, as if it named `class'Actor'` ([`SpawnNotify::actor_class`]). |
//! | D13 | Is `post_net_begin_play` a phase of the start of play? | Yes, L8, before `set_initial_state`. In a spawn it comes after `set_initial_state`. |
//! | D14 | First generation: if an actor is spawned while play begins, is it initialised twice? | Yes, the phases that follow initialise it again ([`Rules::script_initialized`]). |
//! | D15 | If an actor is spawned during a tick, does it tick in the same frame? | Yes, once, after the older actors. |
//! | D16 | What happens to the actors that a destroyed actor owned? | They have no owner, and `lost_child` is not sent. |
//! | D17 | Which actors stay in a level without a game? | All actors. [`Rules::no_game`] can select the behaviour of the engine. |
//! | D18 | When does an actor leave the collision hash? | In step K8. From K1 on, no actor begins to touch it. |
//! | D19 | Does a [list](ActorList) shrink when an actor dies? | No. The entry is `None` until `compact`. |
//! | D20 | How long does a dead actor have a name? | Until its slot is reclaimed. |
//! | D21 | What happens after a change of state inside `end_state`? | The inner change wins: `end_state` is not sent again, and the outer change is dropped. The `end_state` of a destruction (K2) belongs to no change of state: a change inside it sends its own `end_state` and `begin_state`, and K2 is not repeated for the new state. |
//! | D22 | What is the result of a spawn with a dead owner? | The actor has no owner, and a warning is logged. The Unreal engine crashes. |
//! | D23 | Which events are sent when a level is dropped? | None, but finalizers run. |
//! | D24 | Does an actor know its leaf of the map (its node in a BSP tree)? | No, because maps here are not trees. But [`Stage::zone_number`] returns the zone's number. |
//! | D25 | When do constructors and finalizers run? | A constructor at P2, even for copies of templates; a finalizer when the slot is reclaimed. Each runs once per actor. |
//! | D26 | Can a dead actor become an owner or a base? | No; a warning is logged. |
//! | D27 | What happens if a handler moves an actor during the collision step Q9? | The move has a collision step of its own. If the handler moved the new actor, the outer step ends. Otherwise the outer step goes on with the actors that still overlap the new one, and then with those that have begun to overlap it. |
//! | D28 | May an actor stay if a mutator overrides neither `is_relevant` nor `check_replacement`? | Yes. |
//! | D29 | What happens if a handler panics while play begins, or in a tick? | When play begins, all actors still complete their phases; in a tick, the other actors still tick. Then the first panic continues. |
//! | D30 | When is `post_net_begin_play` sent to an actor that came from the network before play began? | In L8, with all other actors, and not when its variables arrive. |
//! | D31 | What happens if a handler panics in a spawn? | No caller gets the actor, so it is destroyed with all events, even if its properties forbid this. Then the panic continues. |
//! | D32 | What happens if a handler panics in a destruction? | All other events are sent, and the actor dies. Then the first panic continues. |
//! | D33 | When in a frame does a timer fire, and how often if it is overdue? | After `tick` and the code of the state, as in the engine. It fires once for each period that has passed, but at most 100 times in a frame ([`Stage::set_timer`]). |
//! | D34 | When does the code of a state begin? | In the actor's next frame. But if the code of one state enters another state, the new state's code begins in the same frame. If a pushed state interrupts the code of another state, this code goes on once the pushed state is popped ([`CodeBuilder`]). |
#![doc(html_root_url = "https://docs.rs/acedia-actors/latest")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

/// The names of UnrealScript, and where the behaviour differs.
#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/porting.md")]
pub mod _porting {}
/// The rules of the three generations of Unreal Engine.
#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/rules.md")]
pub mod _rules {}
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
pub use class::request::{Spawn, SpawnEx};
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
pub use store::saved_level::SavedLevel;
pub use store::sink::{EventSink, Recorder, Step};
pub use store::warning::{SpawnError, Warning};
pub use value::actor_ref::{ActorRef, AnyActor};
pub use value::event::{Event, SpawnResult, Verdict};
pub use value::geometry::{Aabb, Cylinder, Rotator, Vector};
pub use value::name::Name;
pub use value::properties::{Physics, Properties, Role};
pub use value::rules::{Generation, Missing, NetEvent, PlayerClass, PostBeginPlaySlot, Relevancy, Rules};
#[cfg(feature = "serde")]
pub use value::saved::error::SaveError;
pub use value::settings::{DetailMode, NetMode, Settings};
pub use value::timer::{Repeat, Timer};
pub use value::trace::{Happening, Trace};
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
