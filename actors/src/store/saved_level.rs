//! [`SavedLevel`]: a level as data.

use serde::{Deserialize, Serialize};

use super::head::Fact;
use super::waits::{Position, Wait};
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::Properties;
use crate::value::rules::Generation;
use crate::value::saved::tree::Tree;
use crate::value::settings::Settings;
use crate::value::timer::Repeat;

/// A level as data, for a format of `serde`: [`Level::save`](crate::Level::save) names the formats.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedLevel {
    pub(crate) version: u32,
    pub(crate) rules: Generation,
    /// A [`LevelData`]. It is a tree, so that an error can name actor, class and field, and because some formats do not keep
    /// whether a value was a struct or an `Option`.
    pub(crate) level: Tree,
    /// The actors, the oldest first.
    pub(crate) actors: Vec<SavedActor>,
}

impl SavedLevel {
    pub(crate) const VERSION: u32 = 1;
}

/// One actor of a saved level.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedActor {
    pub(crate) class: String,
    /// For error messages.
    pub(crate) name: String,
    /// An [`ActorData`].
    pub(crate) engine: Tree,
    pub(crate) fields: Tree,
}

/// The engine's part of a level. References are places among the saved actors.
#[derive(Serialize, Deserialize)]
pub(crate) struct LevelData {
    pub(crate) settings: Settings,
    pub(crate) options: String,
    pub(crate) begun: bool,
    pub(crate) next_age: u64,
    pub(crate) level_info: Option<ActorRef>,
    pub(crate) default_volume: Option<ActorRef>,
    pub(crate) game: Option<ActorRef>,
    pub(crate) mutators: Vec<ActorRef>,
    pub(crate) notifiers: Vec<ActorRef>,
}

/// The engine's part of an actor.
#[derive(Serialize, Deserialize)]
pub(crate) struct ActorData {
    pub(crate) age: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) name: Name,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) state: Name,
    pub(crate) facts: Vec<Fact>,
    pub(crate) location: Vector,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) rotation: Rotator,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<ActorRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base: Option<ActorRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) instigator: Option<ActorRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) zone: Option<ActorRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) volume: Option<ActorRef>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) properties: Option<Properties>,
    /// The actors that it touches, and whether it was sent `touch` about each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) touching: Vec<(ActorRef, bool)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attached: Vec<ActorRef>,
    /// The paused states, the lowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) paused: Vec<(Name, Option<Position>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<Position>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) timers: Vec<SavedTimer>,
}

fn is_default<T: Default + PartialEq>(it: &T) -> bool {
    *it == T::default()
}

/// A timer. It belongs to the event `timer` if it names no function.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedTimer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    pub(crate) wait: Wait,
    pub(crate) repeat: Repeat,
    pub(crate) is_paused: bool,
}
