//! [`Rules`]: the differences between the generations of the engine.

use std::fmt;

/// The behaviour of a level. There are three presets, and each field of a preset can be changed.
///
/// ```
/// use acedia_actors::{PostBeginPlaySlot, Rules};
///
/// assert!(Rules::ue1().begin_play && Rules::ue2().begin_play);
/// let mut rules = Rules::ue3();
/// rules.post_begin_play_slot = PostBeginPlaySlot::BeforeInitialState; // as UDK's pages say
/// assert!(!rules.begin_play);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub struct Rules {
    /// The generation that the rules were taken from.
    pub generation: Generation,
    /// Whether actors spawned during play are sent `spawned`.
    pub spawned: bool,
    /// Whether the native hook `native_spawned` runs.
    pub native_spawned: bool,
    /// Whether `begin_play` is sent.
    pub begin_play: bool,
    /// The step that sends `post_begin_play`.
    pub post_begin_play_slot: PostBeginPlaySlot,
    /// Whether `post_net_begin_play` is sent.
    pub post_net_begin_play: bool,
    /// Whether the native hook `native_post_begin_play` runs.
    pub native_post_begin_play: bool,
    /// Whether actors know their zone.
    pub zones: bool,
    /// Whether actors know their physics volume.
    pub volumes: bool,
    /// Whether the native hook `init_physics` runs.
    pub physics_init: bool,
    /// Whether `SpawnNotify` actors may replace spawned actors.
    pub spawn_notify: bool,
    /// Whether `SpawnNotify` actors are also asked about actors received over the network.
    pub spawn_notify_received: bool,
    /// Whether `set_initial_state` marks the actor as initialised, so that the start of play skips it.
    pub script_initialized: bool,
    /// The actor and the event that decide whether a new actor may stay.
    pub relevancy: Relevancy,
    /// Whether [`Verdict::super_relevant`](crate::Verdict::super_relevant) takes effect.
    pub super_relevant: bool,
    /// The fate of a new actor if there is a game, but no mutator.
    pub no_base_mutator: Missing,
    /// The fate of a new actor if there is no game.
    pub no_game: Missing,
    /// Whether static actors are exempt from relevancy.
    pub static_is_relevant: bool,
    /// Whether an irrelevant actor that can't be deleted is sent `shut_down`.
    pub shut_down: bool,
    /// Whether [`Spawn::template`](crate::Spawn::template) and [`Spawn::no_collision_fail`](crate::Spawn::no_collision_fail)
    /// take effect.
    pub spawn_parameters: bool,
    /// Whether a spawn at a place without room logs a warning.
    pub warn_no_room: bool,
    /// Whether `ran_into` is sent.
    pub ran_into: bool,
    /// The greatest number of actors that one actor touches at a time.
    pub touch_limit: Option<usize>,
    /// Whether `begin_state` and `end_state` get the other state as their argument.
    pub state_arguments: bool,
    /// Whether states can be pushed on each other and popped again.
    pub state_stack: bool,
    /// Whether an actor has a timer for each function, in addition to the timer of the event `timer`.
    pub named_timers: bool,
    /// Whether `force_state` sends the events even if the actor is in the state already.
    pub forced_states: bool,
    /// The event that [`Level::finish_receive`](crate::Level::finish_receive) sends.
    pub net_event: NetEvent,
    /// Whether actors received over the network without [`net_initial_rotation`](crate::Properties::net_initial_rotation) start
    /// unrotated.
    pub net_initial_rotation: bool,
    /// The class of actors that represent players.
    pub player_class: PlayerClass,
    /// The name of the level's own actor, before its number. The class of this actor is [`LevelInfo`](crate::LevelInfo)
    /// under all rules.
    pub level_name: &'static str,
    /// The greatest number of nested events. In the Unreal engine it is 250.
    ///
    /// An event beyond the limit is dropped with a [warning](crate::Warning::Recursion), and a spawn is refused. After 100 such
    /// events and spawns during one call of a method of the level, handlers can't spawn actors, and events nest at most 16
    /// deep, until that call returns.
    pub depth_limit: u32,
    /// The greatest size of the stack that nested events use, in bytes, measured from the fourth nested event. An event
    /// beyond this limit is dropped, as with [`depth_limit`](Self::depth_limit).
    ///
    /// The default is 512 KiB, half of the smallest stack that a main thread usually has. One nested event takes about 4.5 KiB in
    /// a debug build and 1.3 KiB in a release build, without the variables of the handler itself. If you raise the limit, give
    /// the thread a larger stack.
    pub stack_limit: usize,
    /// If more actors than this are dead, they are reclaimed.
    pub min_dead: usize,
}

/// A generation of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Generation {
    /// Unreal, Unreal Tournament.
    Ue1,
    /// Unreal Tournament 2004, Killing Floor.
    Ue2,
    /// Unreal Tournament 3, UDK.
    Ue3,
}

impl fmt::Display for Generation {
    /// Prints `ue1`, `ue2` or `ue3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ue1 => "ue1",
            Self::Ue2 => "ue2",
            Self::Ue3 => "ue3",
        })
    }
}

/// The step that sends `post_begin_play`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PostBeginPlaySlot {
    /// After the collision check.
    AfterCollisionCheck,
    /// Just before `set_initial_state`, where UDK's pages put it. Under rules without `post_net_begin_play`, an actor from the
    /// network is sent `post_begin_play` after its first variables.
    BeforeInitialState,
    /// Instead of `post_net_begin_play`.
    InsteadOfPostNetBeginPlay,
}

/// The actor that decides whether a new actor may stay, and the event that asks it. The default body of the event asks
/// all mutators; a game or a mutator that overrides the body decides alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Relevancy {
    /// The game, by `is_relevant`.
    GameIsRelevant,
    /// The first mutator, by `check_relevance`.
    BaseMutator,
    /// The game, by `check_relevance`.
    GameCheckRelevance,
}

/// The fate of a new actor if the game or the mutator that would decide about it is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Missing {
    /// The actor is kept.
    Keep,
    /// The warning [`AccessedNone`](crate::Warning::AccessedNone) is logged, and the actor may not stay.
    AccessedNone,
}

/// The class of actors that represent players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayerClass {
    /// [`PlayerPawn`](crate::PlayerPawn): the player is in the game as a body.
    PlayerPawn,
    /// [`PlayerController`](crate::PlayerController): the player has a body, or has none.
    PlayerController,
}

/// The event that an actor is sent when its variables have been received over the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NetEvent {
    /// No event.
    None,
    /// `post_net_receive`, if the actor has [`net_notify`](crate::Properties::net_notify).
    PostNetReceive,
    /// `replicated_event`, once for each named variable.
    ReplicatedEvent,
}

impl Rules {
    /// The first generation: zones, `SpawnNotify`, `spawned`, at most four touches per actor.
    #[must_use]
    pub const fn ue1() -> Self {
        Self {
            generation: Generation::Ue1,
            spawned: true,
            native_spawned: false,
            native_post_begin_play: false,
            volumes: false,
            physics_init: false,
            spawn_notify: true,
            script_initialized: false,
            relevancy: Relevancy::GameIsRelevant,
            super_relevant: true,
            ran_into: false,
            touch_limit: Some(4),
            net_event: NetEvent::None,
            net_initial_rotation: false,
            player_class: PlayerClass::PlayerPawn,
            ..Self::ue2()
        }
    }

    /// The second generation: zones and physics volumes.
    #[must_use]
    pub const fn ue2() -> Self {
        Self {
            generation: Generation::Ue2,
            spawned: false,
            native_spawned: true,
            begin_play: true,
            post_begin_play_slot: PostBeginPlaySlot::AfterCollisionCheck,
            post_net_begin_play: true,
            native_post_begin_play: true,
            zones: true,
            volumes: true,
            physics_init: true,
            spawn_notify: false,
            spawn_notify_received: false,
            script_initialized: true,
            relevancy: Relevancy::BaseMutator,
            super_relevant: false,
            no_base_mutator: Missing::AccessedNone,
            no_game: Missing::Keep,
            static_is_relevant: false,
            shut_down: false,
            spawn_parameters: false,
            warn_no_room: false,
            ran_into: true,
            touch_limit: None,
            state_arguments: false,
            state_stack: false,
            named_timers: false,
            forced_states: false,
            net_event: NetEvent::PostNetReceive,
            net_initial_rotation: true,
            player_class: PlayerClass::PlayerController,
            level_name: "LevelInfo",
            depth_limit: 250,
            stack_limit: 512 << 10,
            min_dead: 0,
        }
    }

    /// The third generation: physics volumes, templates, fewer events.
    #[must_use]
    pub const fn ue3() -> Self {
        Self {
            generation: Generation::Ue3,
            native_spawned: false,
            begin_play: false,
            post_begin_play_slot: PostBeginPlaySlot::InsteadOfPostNetBeginPlay,
            post_net_begin_play: false,
            zones: false,
            relevancy: Relevancy::GameCheckRelevance,
            no_base_mutator: Missing::Keep,
            static_is_relevant: true,
            shut_down: true,
            spawn_parameters: true,
            warn_no_room: true,
            state_arguments: true,
            state_stack: true,
            named_timers: true,
            forced_states: true,
            net_event: NetEvent::ReplicatedEvent,
            level_name: "WorldInfo",
            ..Self::ue2()
        }
    }
}

impl Default for Rules {
    /// The second generation.
    fn default() -> Self {
        Self::ue2()
    }
}
