//! [`SavedLevel`]: a level as data.

use std::fmt;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::head::Fact;
use super::waits::{Position, Wait};
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::Properties;
use crate::value::rules::Generation;
use crate::value::saved::reader::Reader;
use crate::value::saved::tree::Tree;
use crate::value::saved::writer::Writer;
use crate::value::settings::Settings;
use crate::value::timer::Repeat;

/// A level as data, for a format of `serde`: [`Level::save`](crate::Level::save) names the formats.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedLevel {
    pub(crate) version: u32,
    pub(crate) rules: Generation,
    pub(crate) settings: Settings,
    pub(crate) options: String,
    pub(crate) begun: bool,
    pub(crate) ticks: bool,
    pub(crate) next_age: u64,
    /// Places among the actors.
    pub(crate) level_info: Option<u32>,
    pub(crate) default_volume: Option<u32>,
    pub(crate) game: Option<u32>,
    pub(crate) mutators: Vec<u32>,
    pub(crate) notifiers: Vec<u32>,
    /// By age.
    pub(crate) actors: Vec<SavedActor>,
}

impl SavedLevel {
    /// Of this crate's layout of the data.
    pub(crate) const VERSION: u32 = 1;
}

impl fmt::Debug for SavedLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SavedLevel({}, {} actors)", self.rules, self.actors.len())
    }
}

/// One actor of a saved level. All references are places among the actors.
#[derive(Clone, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(crate) struct SavedActor {
    pub(crate) class: String,
    pub(crate) age: u64,
    #[serde(default, skip_serializing_if = "is_none")]
    pub(crate) name: Name,
    #[serde(default, skip_serializing_if = "is_none")]
    pub(crate) state: Name,
    /// Those that hold.
    pub(crate) facts: Vec<Fact>,
    pub(crate) location: Vector,
    #[serde(default)]
    pub(crate) rotation: Rotator,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) owner: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) instigator: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) zone: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) volume: Option<u32>,
    /// If they are not those of the class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) properties: Option<Properties>,
    /// And whether it was sent `touch` about each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) touching: Vec<(u32, bool)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) attached: Vec<u32>,
    /// The deepest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) paused: Vec<(Name, Option<Position>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<Position>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) timers: Vec<SavedTimer>,
    pub(crate) fields: Tree,
}

impl Serialize for SavedActor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tree = Self::serialize(self, Writer::around()).map_err(S::Error::custom)?;
        tree.serialize(serializer)
    }
}

/// By way of a tree, so that an error names actor, class and field, and because some formats forget whether a value was a
/// struct or an `Option`.
impl<'de> Deserialize<'de> for SavedActor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tree: Tree = Deserialize::deserialize(deserializer)?;
        Self::deserialize(Reader(&tree)).map_err(|error| {
            let text = |key| match tree.get(key) {
                Some(Tree::Text(text)) => text.as_str(),
                _ => "",
            };
            let age = match tree.get("age") {
                Some(Tree::Int(age)) => age.to_string(),
                _ => String::new(),
            };
            let wrong = SaveError::of_actor(text("class"), &age, text("name"), error.field(), error.message());
            D::Error::custom(wrong)
        })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(name: &Name) -> bool {
    name.is_none()
}

/// A timer, of the event `timer` unless it names a function.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedTimer {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    pub(crate) wait: Wait,
    pub(crate) repeat: Repeat,
    pub(crate) is_paused: bool,
}

/// The reason why a level can't be saved or restored, with the actor, its class and the field.
///
/// ```
/// use acedia_actors::{Actor, Level, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Ghost;
/// impl Actor for Ghost {
///     actor!(Ghost, "Doc.SaveGhost");
/// }
///
/// let mut level = Level::new(Rules::ue2());
/// level.place::<Ghost>(Spawn::new()).unwrap();
/// let error = level.save().unwrap_err();
/// assert_eq!(
///     (error.actor(), error.class(), error.field()),
///     ("SaveGhost2", "Doc.SaveGhost", "")
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveError {
    pub(crate) actor: String,
    pub(crate) class: String,
    pub(crate) field: String,
    pub(crate) reason: String,
}

impl SaveError {
    /// The name of the actor. Empty if the error is not about an actor.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// The name of the actor's class.
    #[must_use]
    pub fn class(&self) -> &str {
        &self.class
    }

    /// The path of the field, such as `crew[2].name`. Empty if the error is about the whole actor.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Of a field of a saved actor. Its name is that of its class and its age, unless it was given one.
    pub(crate) fn of_actor(class: &str, age: &str, name: &str, field: String, reason: impl Into<String>) -> Self {
        let short = class.rsplit('.').next().unwrap_or_default();
        Self {
            actor: if name.is_empty() {
                format!("{short}{age}")
            } else {
                name.to_owned()
            },
            class: class.to_owned(),
            field,
            reason: reason.into(),
        }
    }

    /// Of the whole level.
    pub(crate) fn of_level(reason: impl Into<String>) -> Self {
        Self {
            actor: String::new(),
            class: String::new(),
            field: String::new(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for SaveError {
    /// ``actor Barrel7 of Game.Barrel: field `health`: invalid type: string "x", expected i32``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.actor.is_empty() {
            write!(f, "actor {} of {}: ", self.actor, self.class)?;
        }
        if !self.field.is_empty() {
            write!(f, "field `{}`: ", self.field)?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for SaveError {}
