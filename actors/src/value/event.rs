//! [`Event`]: one table of all events, and what an event carries and is answered.

use std::fmt;

use super::actor_ref::ActorRef;
use super::name::Name;

/// What a mutator says of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "CheckReplacement")]
pub struct Verdict {
    /// Whether the actor stays.
    pub keep: bool,
    /// Whether the game's own filters are skipped, in the first generation.
    #[doc(alias = "bSuperRelevant")]
    pub super_relevant: bool,
}

impl Verdict {
    /// The actor stays, if nobody else objects.
    pub const KEEP: Self = Self {
        keep: true,
        super_relevant: false,
    };
    /// The actor is to go.
    pub const REMOVE: Self = Self {
        keep: false,
        super_relevant: false,
    };
}

/// What an event carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Nothing,
    Seconds(f32),
    Name(Name),
    Actor(ActorRef),
}

/// What an event is answered. Fits into two registers, because only one variant has something in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer {
    Nothing,
    No,
    Yes,
    /// Yes, whatever others would say.
    Finally,
    Actor(Option<ActorRef>),
}

/// An event on its way. Travels by reference: what was stored in pieces, read as a whole, is not forwarded by the processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    /// The step that sends it.
    pub(crate) row: &'static str,
    pub(crate) event: Event,
    pub(crate) value: Value,
}

impl Message {
    /// An event without argument.
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

/// A type that fits into `V`, a [`Value`] or an [`Answer`]. What does not fit becomes the type's null value.
pub(crate) trait Packed<V>: Copy {
    fn pack(self) -> V;
    fn unpack(value: V) -> Self;
}

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
                    _ => $null,
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

/// The table of events: doc, method of the builders, variant, UnrealScript's name, argument, answer. `$use` is a macro that takes
/// the rows, so that files above make their own items of the same table.
macro_rules! event_table {
    ($use:ident) => {
        $use! {
            /// It was made during play; before anything else. First generation.
            spawned Spawned "Spawned" ();
            /// The native hook in the place of `spawned`.
            native_spawned NativeSpawned "native Spawned" ();
            /// Physics are ready from now on.
            init_physics InitPhysics "native InitPhysics" ();
            /// Play is about to begin for it. The default body asks the mutators whether it may stay.
            pre_begin_play PreBeginPlay "PreBeginPlay" ();
            /// Play begins, and the mutators have had their say.
            begin_play BeginPlay "BeginPlay" ();
            /// The engine has prepared it.
            post_begin_play PostBeginPlay "PostBeginPlay" ();
            /// The native hook after `post_begin_play`.
            native_post_begin_play NativePostBeginPlay "native PostBeginPlay" ();
            /// It is to enter its first state. The default body does so.
            set_initial_state SetInitialState "SetInitialState" ();
            /// The first variables have come, or there are none to come.
            post_net_begin_play PostNetBeginPlay "PostNetBeginPlay" ();
            /// Variables came through the net. Second generation.
            post_net_receive PostNetReceive "PostNetReceive" ();
            /// This variable came through the net. Third generation.
            replicated_event ReplicatedEvent "ReplicatedEvent" (variable: Name);
            /// It owns `child` from now on.
            gained_child GainedChild "GainedChild" (child: ActorRef);
            /// It owns `child` no longer.
            lost_child LostChild "LostChild" (child: ActorRef);
            /// `actor` leaves this zone.
            actor_leaving ActorLeaving "ActorLeaving" (actor: ActorRef);
            /// `actor` is in this zone from now on.
            actor_entered ActorEntered "ActorEntered" (actor: ActorRef);
            /// It is about to be in `zone`.
            zone_change ZoneChange "ZoneChange" (zone: ActorRef);
            /// It is about to be in `volume`.
            physics_volume_change PhysicsVolumeChange "PhysicsVolumeChange" (volume: ActorRef);
            /// `actor`, which is no pawn, is in this volume from now on.
            actor_entered_volume ActorEnteredVolume "ActorEnteredVolume" (actor: ActorRef);
            /// `pawn` is in this volume from now on.
            pawn_entered_volume PawnEnteredVolume "PawnEnteredVolume" (pawn: ActorRef);
            /// Its head is in `volume`.
            head_volume_change HeadVolumeChange "HeadVolumeChange" (volume: ActorRef);
            /// It pushed `other` away by appearing there.
            ran_into RanInto "RanInto" (other: ActorRef);
            /// It is where `other` is. `true`: it can't be, and is destroyed.
            encroaching_on EncroachingOn "EncroachingOn" (other: ActorRef) -> bool;
            /// `other` is where this is.
            encroached_by EncroachedBy "EncroachedBy" (other: ActorRef);
            /// It touches `other` from now on.
            touch Touch "Touch" (other: ActorRef);
            /// It touches `other` no longer.
            un_touch UnTouch "UnTouch" (other: ActorRef);
            /// `actor` is based on it from now on.
            attach Attach "Attach" (actor: ActorRef);
            /// `actor` is no longer based on it.
            detach Detach "Detach" (actor: ActorRef);
            /// Its base has changed.
            base_change BaseChange "BaseChange" ();
            /// It has entered a state; third generation: from `previous`.
            begin_state BeginState "BeginState" (previous: Name);
            /// It leaves a state, or is being destroyed in it; third generation: for `next`.
            end_state EndState "EndState" (next: Name);
            /// A state has been put on top of the one that it was in; sent to that one. Third generation.
            paused_state PausedState "PausedState" ();
            /// It has entered a state on top of another. Third generation.
            pushed_state PushedState "PushedState" ();
            /// It is about to leave a state for the one below. Third generation.
            popped_state PoppedState "PoppedState" ();
            /// It is back in a state that had another on top. Third generation.
            continued_state ContinuedState "ContinuedState" ();
            /// It is being destroyed.
            destroyed Destroyed "Destroyed" ();
            /// It is not wanted, but can't be deleted. Third generation.
            shut_down ShutDown "ShutDown" ();
            /// Time goes on.
            tick Tick "Tick" (seconds: f32);
            /// Of a game: the level starts.
            init_game InitGame "InitGame" ();
            /// Of the game: whether `actor` may stay. The default body asks the mutators, and then the filters. First generation.
            is_relevant IsRelevant "IsRelevant" (actor: ActorRef) -> bool;
            /// Of the first mutator in the second generation, of the game in the third: whether `actor` may stay. The default body
            /// asks all mutators.
            check_relevance CheckRelevance "CheckRelevance" (actor: ActorRef) -> bool;
            /// Of the game: its own filters, after the mutators. The default body keeps everything. First generation.
            passes_filters PassesFilters "native PassesFilters" (actor: ActorRef) -> bool;
            /// Of a mutator: whether `actor` stays without further questions. The default body says no.
            always_keep AlwaysKeep "AlwaysKeep" (actor: ActorRef) -> bool;
            /// Of a mutator: whether `actor` may stay. The default body says yes.
            check_replacement CheckReplacement "CheckReplacement" (actor: ActorRef) -> Verdict;
            /// Of a `SpawnNotify`: what is to be given instead of `actor`. First generation.
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
        /// What happens to an actor.
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

/// What a spawn gives, or nothing.
pub type SpawnResult = Option<ActorRef>;
