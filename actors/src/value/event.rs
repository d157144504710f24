//! [`Event`]: the table of all events, their arguments and answers.

use std::fmt;

use super::actor_ref::ActorRef;
use super::name::Name;

/// A mutator's verdict on an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "CheckReplacement")]
pub struct Verdict {
    /// Whether the actor may stay.
    pub keep: bool,
    /// Whether the game's own filters are skipped, in the first generation.
    #[doc(alias = "bSuperRelevant")]
    pub super_relevant: bool,
}

impl Verdict {
    /// The actor stays, unless another mutator objects.
    pub const KEEP: Self = Self {
        keep: true,
        super_relevant: false,
    };
    /// The actor may not stay.
    pub const REMOVE: Self = Self {
        keep: false,
        super_relevant: false,
    };
}

/// The argument of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Nothing,
    Seconds(f32),
    Name(Name),
    Actor(ActorRef),
}

/// The answer to an event. Fits into two registers, because only one variant has a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    Nothing,
    No,
    Yes,
    /// Yes, without further questions.
    Finally,
    Actor(Option<ActorRef>),
}

/// An event that is being sent. Passed by reference, because a copy would be stored in parts and loaded as a whole, and store
/// forwarding fails for such a load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    /// The row of the step that sends it.
    pub(crate) row: &'static str,
    pub(crate) event: Event,
    pub(crate) value: Value,
}

impl Message {
    pub(crate) const fn new(row: &'static str, event: Event) -> Self {
        Self {
            row,
            event,
            value: Value::Nothing,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A type that fits into `V`, which is [`Value`] or [`Answer`]. A value of another type unpacks to the null value.
pub(crate) trait Packed<V>: Copy {
    fn pack(self) -> V;
    fn unpack(value: V) -> Self;
}

/// Makes the branch cold.
#[cold]
#[inline(never)]
const fn is_of_another_type() {}

macro_rules! packed {
    ($whole:ident; $($type:ty: $pattern:pat => $read:expr, or $null:expr, $it:ident => $write:expr;)*) => {$(
        impl Packed<$whole> for $type {
            #[inline]
            fn pack(self) -> $whole {
                let $it = self;
                $write
            }
            #[inline]
            fn unpack(value: $whole) -> Self {
                match value {
                    $pattern => $read,
                    _ => {
                        is_of_another_type();
                        $null
                    }
                }
            }
        }
    )*};
}

packed! {
    Value;
    f32: Value::Seconds(it) => it, or 0.0, it => Value::Seconds(it);
    Name: Value::Name(it) => it, or Name::NONE, it => Value::Name(it);
}

packed! {
    Answer;
    (): Answer::Nothing => (), or (), _it => Answer::Nothing;
    bool: Answer::Yes => true, or false, it => if it { Answer::Yes } else { Answer::No };
    Option<ActorRef>: Answer::Actor(it) => it, or None, it => Answer::Actor(it);
}

impl Packed<Answer> for Verdict {
    fn pack(self) -> Answer {
        match (self.keep, self.super_relevant) {
            (false, _) => Answer::No,
            (true, false) => Answer::Yes,
            (true, true) => Answer::Finally,
        }
    }

    fn unpack(value: Answer) -> Self {
        Self {
            keep: value != Answer::No,
            super_relevant: value == Answer::Finally,
        }
    }
}

/// The table of events: doc, method of the builders, variant, UnrealScript's name, argument, answer. `$use` is a macro that
/// takes the rows, so that higher layers generate their own items from the same table.
macro_rules! event_table {
    ($use:ident) => {
        $use! {
            /// The actor was spawned during play. Sent before all other events of the actor. First generation.
            spawned Spawned "Spawned" ();
            /// The native hook that replaces `spawned` in the second generation.
            native_spawned NativeSpawned "native Spawned" ();
            /// The actor's physics (Karma in the second generation) are initialised. Sent after the actor's instigator is set,
            /// and before it can enter states. Do not call functions of a physics engine for the actor before this event.
            init_physics InitPhysics "native InitPhysics" ();
            /// Play is about to begin for the actor. The default body asks the mutators whether the actor may stay.
            pre_begin_play PreBeginPlay "PreBeginPlay" ();
            /// Play begins for the actor. The mutators have been asked.
            begin_play BeginPlay "BeginPlay" ();
            /// The engine has prepared the actor.
            post_begin_play PostBeginPlay "PostBeginPlay" ();
            /// The native hook after `post_begin_play`.
            native_post_begin_play NativePostBeginPlay "native PostBeginPlay" ();
            /// The actor is about to enter its first state. The default body of this event enters the state.
            set_initial_state SetInitialState "SetInitialState" ();
            /// The actor's first variables have been received over the network, or none are expected.
            post_net_begin_play PostNetBeginPlay "PostNetBeginPlay" ();
            /// Variables were received over the network. Second generation.
            post_net_receive PostNetReceive "PostNetReceive" ();
            /// `variable` was received over the network. Third generation.
            replicated_event ReplicatedEvent "ReplicatedEvent" (variable: Name);
            /// The actor has become the owner of `child`.
            gained_child GainedChild "GainedChild" (child: ActorRef);
            /// The actor no longer owns `child`.
            lost_child LostChild "LostChild" (child: ActorRef);
            /// `actor` leaves this zone.
            actor_leaving ActorLeaving "ActorLeaving" (actor: ActorRef);
            /// `actor` has entered this zone.
            actor_entered ActorEntered "ActorEntered" (actor: ActorRef);
            /// The actor is about to enter `zone`.
            zone_change ZoneChange "ZoneChange" (zone: ActorRef);
            /// The actor is about to enter `volume`.
            physics_volume_change PhysicsVolumeChange "PhysicsVolumeChange" (volume: ActorRef);
            /// `actor`, which is not a pawn, has entered this volume.
            actor_entered_volume ActorEnteredVolume "ActorEnteredVolume" (actor: ActorRef);
            /// `pawn` has entered this volume.
            pawn_entered_volume PawnEnteredVolume "PawnEnteredVolume" (pawn: ActorRef);
            /// The actor's head has entered `volume`.
            head_volume_change HeadVolumeChange "HeadVolumeChange" (volume: ActorRef);
            /// The actor has appeared at the place of `other`, and has pushed `other` away.
            ran_into RanInto "RanInto" (other: ActorRef);
            /// The actor overlaps `other`, and both block. If the answer is `true`, the actor can't stay there, and is destroyed.
            encroaching_on EncroachingOn "EncroachingOn" (other: ActorRef) -> bool;
            /// `other` overlaps the actor, and both block.
            encroached_by EncroachedBy "EncroachedBy" (other: ActorRef);
            /// The actor has begun to touch `other`.
            touch Touch "Touch" (other: ActorRef);
            /// The actor no longer touches `other`.
            un_touch UnTouch "UnTouch" (other: ActorRef);
            /// The actor has become the base of `actor`.
            attach Attach "Attach" (actor: ActorRef);
            /// The actor is no longer the base of `actor`.
            detach Detach "Detach" (actor: ActorRef);
            /// The actor's base has changed.
            base_change BaseChange "BaseChange" ();
            /// The actor has entered a state. In the third generation, `previous` is the old state; otherwise it is
            /// `Name::NONE`.
            begin_state BeginState "BeginState" (previous: Name);
            /// The actor leaves a state, or is destroyed in it. In the third generation, `next` is the new state; otherwise it
            /// is `Name::NONE`.
            end_state EndState "EndState" (next: Name);
            /// A state is about to be pushed on top of the actor's state. Third generation.
            paused_state PausedState "PausedState" ();
            /// The actor has entered a pushed state. Third generation.
            pushed_state PushedState "PushedState" ();
            /// The actor is about to leave a state for the state below it. Third generation.
            popped_state PoppedState "PoppedState" ();
            /// The actor is back in a state that was paused. Third generation.
            continued_state ContinuedState "ContinuedState" ();
            /// The actor is being destroyed.
            ///
            /// As in the Unreal engine, a handler that destroys the same actor here causes this event again, and so on until
            /// the depth limit. Only the innermost destruction completes. If a handler may destroy its own actor, directly or
            /// through another actor, guard it by a field: `if !std::mem::replace(&mut cx.going, true) { cx.destroy(); }`.
            /// `is_pending_delete` cannot be the guard, because it is `true` in every call of this event.
            destroyed Destroyed "Destroyed" ();
            /// The actor may not stay, but can't be deleted. The default body switches off its physics and collisions, hides
            /// it and stops its ticks. Third generation.
            shut_down ShutDown "ShutDown" ();
            /// A frame of `seconds` has passed.
            tick Tick "Tick" (seconds: f32);
            /// The actor's timer has run out.
            timer Timer "Timer" ();
            /// The level starts. Sent to the game.
            init_game InitGame "InitGame" ();
            /// Asks the game in the first generation, and a mutator in all generations, whether `actor` may stay. The default
            /// body of the game asks the mutators, and then the game's own filters. The default body of a mutator asks its own
            /// `check_replacement`, and then the next mutator's `is_relevant`.
            is_relevant IsRelevant "IsRelevant" (actor: ActorRef) -> bool;
            /// Asks the first mutator in the second generation, and the game in the third, whether `actor` may stay. The
            /// default body asks all mutators.
            check_relevance CheckRelevance "CheckRelevance" (actor: ActorRef) -> bool;
            /// Asks the game in the first generation, after the mutators, whether its own filters let `actor` stay. The default
            /// body keeps every actor.
            passes_filters PassesFilters "native PassesFilters" (actor: ActorRef) -> bool;
            /// Asks a mutator whether `actor` stays without further questions. Without a body, the answer is no.
            always_keep AlwaysKeep "AlwaysKeep" (actor: ActorRef) -> bool;
            /// Asks a mutator whether `actor` may stay. Without a body, the answer is yes.
            check_replacement CheckReplacement "CheckReplacement" (actor: ActorRef) -> Verdict;
            /// Asks a `SpawnNotify` in the first generation which actor the spawn returns: `actor` or another one.
            spawn_notification SpawnNotification "SpawnNotification" (actor: ActorRef) -> SpawnResult;
        }
    };
}
pub(crate) use event_table;

macro_rules! define_events {
    ($(
        $(#[doc = $doc:literal])+
        $method:ident $event:ident $name:literal ($($argument:ident: $type:ident)?) $(-> $answer:ty)?;
    )+) => {
        /// An event of an actor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[allow(clippy::enum_variant_names, reason = "`ReplicatedEvent` is a name of the engine's")]
        pub enum Event {
            $( $(#[doc = $doc])+ $event, )+
        }

        impl Event {
            pub(crate) const COUNT: usize = [$(Event::$event),+].len();

            pub(crate) fn all() -> impl Iterator<Item = Self> {
                [$(Self::$event),+].into_iter()
            }

            /// The event's name in UnrealScript.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$event => $name,)+
                }
            }
        }
    };
}

event_table!(define_events);

/// The actor that a spawn returns, or `None`.
pub type SpawnResult = Option<ActorRef>;
