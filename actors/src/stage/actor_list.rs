//! [`ActorList`]: a list of actors.

use std::fmt;

use super::stage::Stage;
use crate::value::actor_ref::{ActorRef, AnyActor};

/// A list of actors. Like an array in UnrealScript, it keeps its length when an actor is destroyed: the entry then resolves to
/// `None`.
///
/// ```
/// use acedia_actors::{ActorList, Level, Pawn, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let mut team: ActorList<Pawn> =
///     (0..3).filter_map(|_| level.spawn(Spawn::new())).collect();
/// let second = team.get(&level, 1).unwrap();
/// level.destroy(second);
/// assert_eq!(team.get(&level, 1), None);
/// assert_eq!((team.len(), team.alive(&level).count()), (3, 2));
/// team.push(None);
/// assert!(team.set(3, level.spawn(Spawn::new())) && !team.set(4, None));
/// team.compact(&level);
/// assert!(team.len() == 3 && !team.is_empty());
/// ```
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent, bound = "")
)]
pub struct ActorList<T = AnyActor>(Vec<Option<ActorRef<T>>>);

impl<T> ActorList<T> {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    counts!();

    /// Adds an entry at the end.
    pub fn push(&mut self, actor: Option<ActorRef<T>>) {
        self.0.push(actor);
    }

    /// Changes an entry. Returns `false` if there is no entry at `index`.
    pub fn set(&mut self, index: usize, actor: Option<ActorRef<T>>) -> bool {
        let entry = self.0.get_mut(index);
        entry.map(|entry| *entry = actor).is_some()
    }

    /// The actor at `index`. `None` if it is dead, or there is no such entry.
    pub fn get(&self, stage: &impl Stage, index: usize) -> Option<ActorRef<T>> {
        self.0.get(index).copied()?.filter(|actor| stage.is_alive(*actor))
    }

    /// The living actors, in order.
    #[doc(alias = "iter")]
    pub fn alive<'a>(&'a self, stage: &'a impl Stage) -> impl Iterator<Item = ActorRef<T>> + 'a {
        self.0.iter().copied().flatten().filter(|actor| stage.is_alive(*actor))
    }

    /// Removes the entries that resolve to `None`.
    pub fn compact(&mut self, stage: &impl Stage) {
        self.0.retain(|actor| actor.is_some_and(|actor| stage.is_alive(actor)));
    }
}

impl<T> Clone for ActorList<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> fmt::Debug for ActorList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<T> Default for ActorList<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Extend<ActorRef<T>> for ActorList<T> {
    fn extend<I: IntoIterator<Item = ActorRef<T>>>(&mut self, actors: I) {
        self.0.extend(actors.into_iter().map(Some));
    }
}

impl<T> FromIterator<ActorRef<T>> for ActorList<T> {
    fn from_iter<I: IntoIterator<Item = ActorRef<T>>>(actors: I) -> Self {
        Self(actors.into_iter().map(Some).collect())
    }
}
