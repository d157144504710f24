//! [`ActorMap`] and [`ActorSet`]: hash tables keyed by actors.

use std::collections::HashMap;
use std::fmt;

use super::stage::Stage;
use crate::value::actor_ref::{ActorRef, AnyActor};
use crate::value::keyed::Keyed;

/// A map from actors to values. The entry of a destroyed actor is no longer found, but it is counted until
/// [`compact`](Self::compact).
///
/// ```
/// use acedia_actors::{ActorMap, Level, Pawn, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
/// let mut scores: ActorMap<u32, Pawn> = ActorMap::new();
/// scores.insert(pawn, 7);
/// assert_eq!(scores.get(&level, pawn), Some(&7));
/// *scores.get_mut(&level, pawn).unwrap() += 1;
/// assert_eq!(scores.alive(&level).next(), Some((pawn, &8)));
/// level.destroy(pawn);
/// assert_eq!((scores.get(&level, pawn), scores.len()), (None, 1));
/// scores.compact(&level);
/// assert!(scores.is_empty() && scores.remove(pawn).is_none());
/// ```
pub struct ActorMap<V, T = AnyActor>(HashMap<ActorRef<T>, V, Keyed>);

impl<V, T> ActorMap<V, T> {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self(HashMap::default())
    }

    counts!();

    /// Stores a value, and returns the old one.
    pub fn insert(&mut self, actor: ActorRef<T>, value: V) -> Option<V> {
        self.0.insert(actor, value)
    }

    /// Removes and returns the value of an actor, which may be dead.
    pub fn remove(&mut self, actor: ActorRef<T>) -> Option<V> {
        self.0.remove(&actor)
    }

    /// The value of a living actor.
    pub fn get(&self, stage: &impl Stage, actor: ActorRef<T>) -> Option<&V> {
        self.0.get(&actor).filter(|_| stage.is_alive(actor))
    }

    /// Like [`get`](Self::get), but mutable.
    pub fn get_mut(&mut self, stage: &impl Stage, actor: ActorRef<T>) -> Option<&mut V> {
        self.0.get_mut(&actor).filter(|_| stage.is_alive(actor))
    }

    /// The living actors and their values, in any order.
    pub fn alive<'a>(&'a self, stage: &'a impl Stage) -> impl Iterator<Item = (ActorRef<T>, &'a V)> + 'a {
        let entries = self.0.iter().map(|(actor, value)| (*actor, value));
        entries.filter(|(actor, _)| stage.is_alive(*actor))
    }

    /// Removes the entries of destroyed actors. Takes time proportional to the capacity of the map.
    pub fn compact(&mut self, stage: &impl Stage) {
        self.0.retain(|actor, _| stage.is_alive(*actor));
    }
}

impl<V, T> Default for ActorMap<V, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Clone, T> Clone for ActorMap<V, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V: fmt::Debug, T> fmt::Debug for ActorMap<V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of actors. A destroyed actor is no longer found, but it is counted until [`compact`](ActorMap::compact).
///
/// ```
/// use acedia_actors::{ActorSet, Level, Pawn, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
/// let mut seen = ActorSet::default();
/// assert!(seen.insert(pawn, ()).is_none() && seen.insert(pawn, ()).is_some());
/// assert!(seen.get(&level, pawn).is_some());
/// level.destroy(pawn);
/// assert!(seen.get(&level, pawn).is_none());
/// ```
pub type ActorSet<T = AnyActor> = ActorMap<(), T>;

#[cfg(feature = "serde")]
mod saved {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Serialize, Serializer};

    use super::ActorMap;
    use crate::value::actor_ref::ActorRef;
    use crate::value::saved::references::saved_as;

    /// A list of pairs in the order of the saved actors, dead ones last.
    impl<V: Serialize, T> Serialize for ActorMap<V, T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut pairs: Vec<_> = self.0.iter().collect();
            // `saved_as` numbers dead actors in call order.
            pairs.sort_unstable_by_key(|(actor, _)| (actor.index(), actor.life()));
            pairs.sort_by_cached_key(|(actor, _)| saved_as(actor.any()));
            serializer.collect_seq(pairs)
        }
    }

    impl<'de, V: Deserialize<'de>, T> Deserialize<'de> for ActorMap<V, T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let pairs = Vec::<(ActorRef<T>, V)>::deserialize(deserializer)?;
            Ok(Self(pairs.into_iter().collect()))
        }
    }
}
