//! [`References`]: how references between actors are kept while their level is saved or restored.

use std::cell::RefCell;
use std::collections::HashMap;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::value::actor_ref::{ActorRef, LevelNumber};

/// The actors that references of this thread are about.
pub(crate) enum References {
    /// Their places among the saved actors.
    Saving(HashMap<ActorRef, u32>),
    /// The level in which so many actors are made, from the first slot on, each in its first life.
    Restoring(LevelNumber, u32),
}

thread_local! {
    static CURRENT: RefCell<Option<References>> = const { RefCell::new(None) };
}

/// Until this is dropped, references are written and read by its actors.
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

/// The place of an actor among those that are saved; none, if it is dead.
impl<T> Serialize for ActorRef<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = CURRENT.with(|current| match &*current.borrow() {
            Some(References::Saving(places)) => Some(places.get(&self.any()).copied()),
            _ => None,
        });
        let place =
            place.ok_or_else(|| S::Error::custom("a reference to an actor can be saved with its level only"))?;
        place.serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for ActorRef<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let place = Option::<u32>::deserialize(deserializer)?;
        CURRENT.with(|current| match (&*current.borrow(), place) {
            (Some(References::Restoring(..)), None) => Ok(Self::DEAD),
            (Some(References::Restoring(level, count)), Some(place)) if place < *count => {
                let found = level.first_life(place as usize);
                found
                    .map(ActorRef::typed)
                    .ok_or_else(|| D::Error::custom("too many actors"))
            }
            (Some(References::Restoring(_, count)), Some(place)) => Err(D::Error::custom(format_args!(
                "a reference to actor {place}, but there are {count}"
            ))),
            _ => Err(D::Error::custom(
                "a reference to an actor can be restored with its level only",
            )),
        })
    }
}
