//! Contact: the collision hash, and the pairs of actors that touch. Rows are those of the [crate](crate#steps).

use crate::store::head::Fact;
use crate::store::inner::{Inner, Until};
use crate::store::ties::Ties;
use crate::value::actor_ref::ActorRef;
use crate::value::event::Event;
use crate::value::geometry::{Cylinder, Vector};

impl Inner {
    pub(crate) fn enter_hash(&mut self, actor: ActorRef) {
        let Some(slot) = self.find(actor) else { return };
        let properties = self.properties(slot);
        if properties.collide_actors && !self.heads[slot].is(Fact::InHash) {
            let shape = properties.shape;
            self.heads[slot].set(Fact::InHash, true);
            self.moves += 1;
            self.world.insert(actor, shape, self.records[slot].location);
        }
    }

    /// Updates the hash after a move. The properties may have changed, too: another shape, or no more collisions.
    pub(crate) fn move_in_hash(&mut self, actor: ActorRef) {
        let slot = actor.index();
        let properties = self.extras.properties(&self.heads[slot]);
        if properties.collide_actors && self.heads[slot].is(Fact::InHash) {
            self.world
                .relocate(actor, properties.shape, self.records[slot].location);
        } else {
            self.leave_hash(actor);
            self.enter_hash(actor);
        }
    }

    pub(crate) fn leave_hash(&mut self, actor: ActorRef) {
        let head = &mut self.heads[actor.index()];
        if head.is(Fact::InHash) {
            head.set(Fact::InHash, false);
            self.world.remove(actor);
        }
    }

    /// Inserts all actors of the old world into the new one.
    pub(crate) fn fill_world(&mut self) {
        for &actor in &self.order {
            if let Some(slot) = self.find(actor).filter(|slot| self.heads[*slot].is(Fact::InHash)) {
                let shape = self.properties(slot).shape;
                self.world.insert(actor, shape, self.records[slot].location);
            }
        }
    }

    /// Whether `from` was sent `touch` about `to`. `None` if `from` has no contact with `to`.
    pub(crate) fn contact(&self, from: ActorRef, to: ActorRef) -> Option<bool> {
        self.contacts(self.find(from)?)?.get(to)
    }

    /// Removes the contact of one side.
    pub(crate) fn drop_contact(&mut self, from: ActorRef, to: ActorRef) -> Option<bool> {
        let slot = self.find(from)?;
        self.contacts_mut(slot).remove(to)
    }

    /// Ends a pair on both sides. Returns whether each side was sent `touch`.
    pub(crate) fn take_contact(&mut self, one: ActorRef, other: ActorRef) -> Option<(bool, bool)> {
        let ours = self.contact(one, other)?;
        let theirs = self.drop_contact(other, one)?;
        self.drop_contact(one, other);
        Some((ours, theirs))
    }

    /// Begins a pair, unless a side is dead, pending or full, or they touch already.
    pub(crate) fn begin_touch(&mut self, row: &'static str, one: ActorRef, other: ActorRef) {
        let limit = self.rules.touch_limit.unwrap_or(usize::MAX);
        let ready = |actor| {
            self.find(actor).is_some_and(|slot| {
                let touching = self.contacts(slot).map_or(0, Ties::len);
                !self.heads[slot].is(Fact::Pending) && touching < limit
            })
        };
        if one == other || !ready(one) || !ready(other) || self.contact(one, other).is_some() {
            return;
        }
        // Both sides get the contact before the first event, so that its handler sees the whole pair.
        for (from, to) in [(one, other), (other, one)] {
            self.contacts_mut(from.index()).push(to, false);
        }
        for (from, to) in [(one, other), (other, one)] {
            // The first event may have ended the pair.
            let Some(slot) = self.find(from) else { return };
            match self.contacts_mut(slot).get_mut(to) {
                Some(told) if !*told => *told = true,
                _ => return,
            }
            self.tell(row, from, Event::Touch, to);
        }
    }

    /// Ends a pair. A side that was sent `touch` is sent `un_touch`.
    pub(crate) fn end_touch(&mut self, row: &'static str, one: ActorRef, other: ActorRef) {
        let Some((we_know, they_know)) = self.take_contact(one, other) else {
            return;
        };
        self.ending.extend(they_know.then_some((other, one)));
        let ending = Until(self, |level| _ = level.take_ending(other, one));
        if we_know {
            ending.0.tell(row, one, Event::UnTouch, other);
        }
        ending.0.finish_ending(row, other, one);
    }

    /// Sends `un_touch` to the second side of a pair, unless it has been sent already.
    pub(crate) fn finish_ending(&mut self, row: &'static str, from: ActorRef, to: ActorRef) {
        if !self.ending.is_empty() && self.take_ending(from, to) {
            self.tell(row, from, Event::UnTouch, to);
        }
    }

    fn take_ending(&mut self, from: ActorRef, to: ActorRef) -> bool {
        let place = self.ending.iter().position(|it| *it == (from, to));
        place.map(|place| self.ending.remove(place)).is_some()
    }

    /// Ends all pairs of an actor that is out of the hash. Stops when a handler puts it back.
    pub(crate) fn end_touches(&mut self, row: &'static str, actor: ActorRef) {
        let slot = actor.index();
        for other in self.touching(slot) {
            if !self.heads[slot].is(Fact::InHash) {
                self.end_touch(row, actor, other);
            }
        }
    }

    /// Finds the actors in the collision hash that overlap a shape, except the actor `without`, the oldest first.
    pub(crate) fn overlapping(
        &self,
        shape: Cylinder,
        at: Vector,
        without: Option<ActorRef>,
        found: &mut Vec<ActorRef>,
    ) {
        self.world.overlaps(shape, at, found);
        let left_out = [without, self.level_info];
        found.retain(|actor| !left_out.contains(&Some(*actor)) && self.is_alive(*actor));
        found.sort_by_key(|actor| self.records[actor.index()].age);
        found.dedup();
    }
}
