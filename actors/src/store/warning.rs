//! [`Warning`] and [`SpawnError`]: the entries of a level's log, and the errors of a spawn.

use std::fmt;

use crate::class::actor_class::ActorClass;
use crate::class::errors::ActorClassError;
use crate::value::name::Name;

/// A request that was refused or did nothing. The level continues.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// An actor was accessed through a reference that resolves to `None`.
    AccessedNone,
    /// A living actor of the first class was accessed through a reference to an actor of the second class. A
    /// [`SpawnNotify`](crate::SpawnNotify) may have replaced the spawned actor.
    OtherClass(&'static ActorClass, &'static ActorClass),
    /// Events nested too deeply. An event was dropped, or a spawn refused.
    Recursion,
    /// A spawn without a class.
    NoClass,
    /// A spawn of an abstract class.
    Abstract(&'static ActorClass),
    /// A spawn by a name that is not the name of a class.
    UnknownClass(ActorClassError),
    /// A spawn of a class of objects.
    NotAnActor(&'static str),
    /// A spawn of a class whose actors can only be [placed](crate::Level::place).
    StaticOrNoDelete(&'static ActorClass),
    /// A spawn at a place without room.
    NoRoom(&'static ActorClass),
    /// A spawn at a place that is not finite.
    NotFinite(&'static ActorClass),
    /// A spawn of a class, or from a template, whose [`role`](crate::Properties::role) is not `Authority`. The Unreal engine
    /// asserts the role of each new actor, and would end the program.
    NoAuthority(&'static ActorClass),
    /// A spawn from a template that is dead, is of another class, or can't be copied.
    NoTemplate(&'static ActorClass),
    /// A change to a state that the class lacks.
    UnknownState(&'static ActorClass, Name),
    /// A tick or a call before play. Only the first one is logged.
    NotBegun,
    /// A change to a label that the state's code lacks. The code has ended.
    UnknownLabel(&'static ActorClass, Name, Name),
    /// The code of a state has run too many steps in one frame without a wait. It continues in the next frame.
    RunawayCode(&'static ActorClass, Name),
    /// A call of a function on an actor whose class does not have it.
    NoFunction(&'static ActorClass, &'static str),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AccessedNone => f.write_str("Accessed None: the reference resolves to no living actor; check it with `is_alive`"),
            Self::OtherClass(its, wanted) => write!(f, "the reference refers to an actor of the class {its}, not of {wanted}; convert it with `cast`"),
            Self::Recursion => f.write_str("events are nested too deeply, so this event or spawn was refused; the limits are in `Rules`"),
            Self::NoClass => f.write_str("spawn failed because no class was specified"),
            Self::Abstract(class) => write!(f, "spawn failed because class {class} is abstract; spawn a child class"),
            Self::UnknownClass(error) => write!(f, "spawn failed because {error}"),
            Self::NotAnActor(class) => write!(f, "spawn failed because {class} is not an actor class"),
            Self::StaticOrNoDelete(class) => {
                write!(
                    f,
                    "class {class} is static or no-delete; make its actors with `Level::place`"
                )
            }
            Self::NoRoom(class) => write!(f, "spawn failed because there is no room for a {class}; spawn it elsewhere, or with `no_collision_fail`"),
            Self::NotFinite(class) => write!(f, "spawn failed because the location of a {class} is not finite; check it for NaN"),
            Self::NoAuthority(class) => {
                write!(
                    f,
                    "spawn failed because the role of the new {class} would not be Authority; set `role` in its defaults"
                )
            }
            Self::NoTemplate(class) => {
                write!(
                    f,
                    "spawn failed because the template for a {class} is dead, of another class, or can't be copied"
                )
            }
            Self::UnknownState(class, state) => write!(f, "class {class} has no state {state}"),
            Self::NotBegun => f.write_str(
                "nothing ticks, no event is sent and no function runs, because play has not begun: call `start` or `begin_play` first",
            ),
            Self::UnknownLabel(class, state, label) => {
                write!(f, "the code of state {state} of {class} has no label {label}")
            }
            Self::RunawayCode(class, state) => write!(
                f,
                "the code of state {state} of {class} runs too many steps in one frame without a wait, and continues in the next frame; add a `sleep` to the loop"
            ),
            Self::NoFunction(class, function) => write!(f, "class {class} has no function {function}"),
        }
    }
}

/// The reason why a spawn failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpawnError {
    /// The request was wrong. The log has the same warning.
    Refused(Warning),
    /// The level is being garbage-collected.
    Collecting,
    /// The class is a detail class, and the level leaves details out.
    Detail,
    /// There is no room.
    NoRoom,
    /// The actor was destroyed before it was complete.
    Destroyed,
    /// The actor encroached fatally on another, and was destroyed.
    Encroached,
    /// A notifier replaced the actor with no actor, or with a dead actor.
    Replaced,
    /// The level has no slot number left for another actor.
    Full,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(warning) => warning.fmt(f),
            Self::Collecting => f.write_str("spawn failed because the level is being garbage-collected"),
            Self::Detail => {
                f.write_str("spawn failed because the class is a detail class, and the level leaves details out")
            }
            Self::NoRoom => f.write_str("spawn failed because there is no room"),
            Self::Destroyed => f.write_str("spawn failed because the actor was destroyed while it was being spawned"),
            Self::Encroached => f.write_str("spawn failed because the actor overlaps another actor and was destroyed"),
            Self::Replaced => f.write_str("spawn failed because a `SpawnNotify` returned no actor or a dead actor"),
            Self::Full => f.write_str("spawn failed because the level has no slot number left for another actor"),
        }
    }
}

impl std::error::Error for SpawnError {}
