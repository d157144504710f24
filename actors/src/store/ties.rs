//! [`Ties`]: the actors tied to an actor, in the order in which they were added.

use std::collections::HashMap;

use crate::value::actor_ref::ActorRef;
use crate::value::keyed::Keyed;

/// Up to this number of entries, a search is linear.
const FEW: usize = 16;

/// Other actors in the order in which they were added, with a value for each.
///
/// Each operation on one entry takes amortized constant time.
pub(crate) struct Ties<V> {
    /// Once there are many entries, a removal leaves a gap. The last entry is never a gap.
    entries: Vec<Option<(ActorRef, V)>>,
    len: usize,
    /// The index of each actor, once there are many entries.
    places: Option<Box<Places>>,
}

type Places = HashMap<ActorRef, usize, Keyed>;

impl<V> Default for Ties<V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            len: 0,
            places: None,
        }
    }
}

impl<V: Copy> Ties<V> {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, actor: ActorRef) -> Option<V> {
        self.entries[self.place(actor)?].map(|(_, value)| value)
    }

    pub(crate) fn get_mut(&mut self, actor: ActorRef) -> Option<&mut V> {
        let place = self.place(actor)?;
        self.entries[place].as_mut().map(|(_, value)| value)
    }

    /// Adds an actor that is not among the entries.
    pub(crate) fn push(&mut self, actor: ActorRef, value: V) {
        self.entries.push(Some((actor, value)));
        self.len += 1;
        match &mut self.places {
            Some(places) => _ = places.insert(actor, self.entries.len() - 1),
            None if self.len > FEW => self.note_places(),
            None => {}
        }
    }

    pub(crate) fn remove(&mut self, actor: ActorRef) -> Option<V> {
        let Some(places) = &mut self.places else {
            let gone = self.entries.remove(self.place(actor)?);
            self.len -= 1;
            return gone.map(|(_, value)| value);
        };
        let place = places.remove(&actor)?;
        self.len -= 1;
        let gone = self.entries[place].take();
        while matches!(self.entries.last(), Some(None)) {
            self.entries.pop();
        }
        // At most half of the entries are left each time, so the removals amortize the cost.
        if self.len <= FEW / 2 {
            self.places = None;
            self.entries.retain(Option::is_some);
        } else if self.entries.len() > 2 * self.len {
            self.entries.retain(Option::is_some);
            self.note_places();
        }
        gone.map(|(_, value)| value)
    }

    pub(crate) fn pop(&mut self) -> Option<ActorRef> {
        let (actor, _) = (*self.entries.last()?)?;
        self.remove(actor);
        Some(actor)
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.len = 0;
        self.places = None;
    }

    /// The actors, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ActorRef> {
        self.entries.iter().flatten().map(|(actor, _)| *actor)
    }

    /// A copy of the actors, in order.
    pub(crate) fn actors(&self) -> Vec<ActorRef> {
        self.iter().collect()
    }

    fn place(&self, actor: ActorRef) -> Option<usize> {
        let is_it = |entry: &Option<(ActorRef, V)>| entry.is_some_and(|(it, _)| it == actor);
        // It is often the last entry.
        let last = self.entries.len().checked_sub(1)?;
        if is_it(&self.entries[last]) {
            return Some(last);
        }
        match &self.places {
            Some(places) => places.get(&actor).copied(),
            None => self.entries.iter().position(is_it),
        }
    }

    fn note_places(&mut self) {
        let places = self.places.get_or_insert_default();
        places.clear();
        let entries = self.entries.iter().enumerate();
        places.extend(entries.filter_map(|(place, entry)| entry.map(|(actor, _)| (actor, place))));
    }
}

#[cfg(test)]
mod tests;
