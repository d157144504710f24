//! [`References`]: how references between actors are kept while their level is saved or restored.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::mem::ManuallyDrop;
use std::num::NonZeroU32;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::value::actor_ref::{ActorRef, NEVER};
use crate::value::keyed::Keyed;

/// How this thread saves or restores references.
pub(crate) enum References {
    Saving {
        /// The place of each living actor among the saved actors.
        places: HashMap<ActorRef, u32, Keyed>,
        /// The number of each dead actor that was met.
        dead: HashMap<ActorRef, u32, Keyed>,
    },
    Restoring(Restoring),
}

#[derive(Clone, Copy)]
pub(crate) struct Restoring {
    /// The life of all actors in the new level.
    pub(crate) life: NonZeroU32,
    /// The number of actors, which fill the slots from 0 on.
    pub(crate) count: u32,
    /// The level's own data has no references to dead actors.
    pub(crate) may_be_dead: bool,
}

thread_local! {
    /// `None` while no level is saved or restored. It has no destructor, because destructors of other thread-locals may save a
    /// level.
    static CURRENT: ManuallyDrop<RefCell<Option<References>>> = const { ManuallyDrop::new(RefCell::new(None)) };
}

/// Restores the old `CURRENT` when it is dropped.
pub(crate) struct Current(Option<References>);

impl Current {
    pub(crate) fn new(references: References) -> Self {
        Self(CURRENT.with(|current| current.replace(Some(references))))
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        CURRENT.with(|current| current.replace(self.0.take()));
    }
}

/// The prefix of a dead actor's number. A missing reference is null.
const DEAD: &str = "dead ";

/// How a reference is saved. Sorted collections use this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SavedRef {
    /// The place of a living actor among those that are saved.
    Place(u32),
    /// The number of a dead actor, in order of appearance.
    Dead(u32),
}

/// How a reference is saved. `None` if no level is being saved.
pub(crate) fn saved_as(actor: ActorRef) -> Option<SavedRef> {
    CURRENT.with(|current| match &mut *current.borrow_mut() {
        Some(References::Saving { places, dead }) => Some(if let Some(place) = places.get(&actor) {
            SavedRef::Place(*place)
        } else {
            // More do not fit into memory.
            let next = u32::try_from(dead.len()).unwrap_or(u32::MAX);
            SavedRef::Dead(*dead.entry(actor).or_insert(next))
        }),
        _ => None,
    })
}

impl<T> Serialize for ActorRef<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match saved_as(self.any()) {
            Some(SavedRef::Place(place)) => serializer.serialize_u32(place),
            Some(SavedRef::Dead(number)) => serializer.collect_str(&format_args!("{DEAD}{number}")),
            None => Err(S::Error::custom(
                "a reference to an actor can be saved only with its level",
            )),
        }
    }
}

impl<'de, T> Deserialize<'de> for ActorRef<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Place).map(ActorRef::typed)
    }
}

struct Place;

impl Visitor<'_> for Place {
    type Value = ActorRef;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the index of an actor, or `dead` and a number")
    }

    fn visit_i64<E: Error>(self, place: i64) -> Result<ActorRef, E> {
        let Restoring { life, count, .. } = restoring()?;
        match u32::try_from(place) {
            Ok(place) if place < count => Ok(ActorRef::new(place, life)),
            _ => Err(E::custom(format_args!(
                "no actor {place}: the level has {count} actors"
            ))),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ActorRef, E> {
        let Restoring { may_be_dead, .. } = restoring()?;
        let number = text.strip_prefix(DEAD).and_then(|number| number.parse().ok());
        match number.filter(|_| may_be_dead) {
            Some(number) => Ok(ActorRef::new(number, NEVER)),
            None => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}

fn restoring<E: Error>() -> Result<Restoring, E> {
    CURRENT.with(|current| match &*current.borrow() {
        Some(References::Restoring(restoring)) => Ok(*restoring),
        _ => Err(E::custom("a reference to an actor can be restored only with its level")),
    })
}
