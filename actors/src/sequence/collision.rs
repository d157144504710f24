//! Checks for collisions: at a spawn, and after a move. Rows are those of the [crate](crate#steps).

use super::destroy::By;
use crate::store::head::Fact;
use crate::store::inner::{Inner, Until};
use crate::store::warning::SpawnError;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event};
use crate::value::geometry::{Cylinder, Vector};

/// Up to this number, a search is linear.
const FEW: usize = 8;

impl Inner {
    /// The other actors that overlap an actor, the oldest first.
    fn neighbours(&mut self, me: ActorRef) -> Neighbours {
        let mut actors = std::mem::take(&mut self.nearby);
        self.look_around(me, &mut actors);
        Neighbours {
            actors,
            now: None,
            moves: self.moves,
        }
    }

    fn look_around(&self, me: ActorRef, found: &mut Vec<ActorRef>) {
        found.clear();
        if let Some(slot) = self.find(me) {
            let shape = self.properties(slot).shape;
            self.overlapping(shape, self.records[slot].location, Some(me), found);
        }
    }

    /// Whether `other` overlaps `me`. Renews `near` first, if an actor has moved since.
    fn meets(&self, me: ActorRef, other: ActorRef, near: &mut Neighbours) -> bool {
        near.renew(self, me);
        let actors = near.now.as_ref().unwrap_or(&near.actors);
        let age = |actor: &ActorRef| self.records[actor.index()].age;
        let found = || match actors.len() {
            0..=FEW => actors.contains(&other),
            _ => actors
                .binary_search_by_key(&age(&other), age)
                .is_ok_and(|place| actors[place] == other),
        };
        self.is_alive(other) && found()
    }

    /// Like `meets`, for one of `near.actors`. If no actor has moved, it needs no search.
    fn still_meets(&self, me: ActorRef, other: ActorRef, near: &mut Neighbours) -> bool {
        near.renew(self, me);
        if near.now.is_some() {
            self.meets(me, other, near)
        } else {
            self.is_alive(other)
        }
    }

    fn blocks(&self, one: ActorRef, other: ActorRef) -> bool {
        let blocks = |actor: ActorRef| self.properties(actor.index()).block_actors;
        blocks(one) && blocks(other)
    }

    /// Q9: encroachment, then touches. Ends when a handler moves the actor, because the move has its own steps.
    pub(crate) fn check_encroachment(&mut self, row: &'static str, me: ActorRef) -> Result<(), SpawnError> {
        let Some(slot) = self.find(me) else { return Ok(()) };
        if !self.properties(slot).collide_actors {
            return Ok(());
        }
        let (at, moves) = (self.records[slot].location, self.moves);
        // Out of the hash during the check, so that no handler finds an actor that may still be refused.
        self.leave_hash(me);
        let outside = Until(self, |level| level.enter_hash(me));
        let inner = &mut *outside.0;
        let mut near = inner.neighbours(me);
        let mut encroached = Vec::new();
        for place in 0..near.actors.len() {
            let other = near.actors[place];
            if !inner.stays(me, at) {
                break;
            }
            if !inner.still_meets(me, other, &mut near) || !inner.blocks(me, other) {
                continue;
            }
            // The world may push the other actor away. Then it is not encroached on.
            if inner.push_away(other, me) {
                if inner.rules.ran_into && inner.stays(me, at) && inner.is_alive(other) {
                    inner.tell(row, me, Event::RanInto, other);
                }
            } else if inner.tell(row, me, Event::EncroachingOn, other) == Answer::Yes {
                // A fatal encroachment: the actor refuses its own location.
                inner.destroy_slot(slot, By::Spawn);
                return Err(SpawnError::Encroached);
            } else {
                encroached.push(other);
            }
        }
        inner.touch_neighbours(row, me, &mut near, at);
        // Sent last, when all contacts are known, because these handlers may do most.
        for other in encroached {
            if inner.stays(me, at) && inner.still_meets(me, other, &mut near) {
                inner.tell(row, other, Event::EncroachedBy, me);
            }
        }
        let others_moved = inner.moves != moves;
        drop(outside);
        // Actors that came or went meanwhile did not find this actor.
        if others_moved && self.stays(me, at) {
            let mut near = self.neighbours(me);
            self.touch_neighbours(row, me, &mut near, at);
        }
        Ok(())
    }

    /// Whether an actor is alive, collides, and is still at `at`.
    fn stays(&self, actor: ActorRef, at: Vector) -> bool {
        let stays = |slot: usize| self.records[slot].location == at && self.properties(slot).collide_actors;
        self.find(actor).is_some_and(stays)
    }

    /// Whether an actor is out of the hash only during its own check. That check ends the actor's old pairs.
    fn is_in_check(&self, actor: ActorRef) -> bool {
        let collides = |slot: usize| self.properties(slot).collide_actors && !self.heads[slot].is(Fact::InHash);
        self.find(actor).is_some_and(collides)
    }

    /// Ends the pairs that no longer overlap, and begins those that do. Begins none after a handler has moved the actor.
    fn touch_neighbours(&mut self, row: &'static str, me: ActorRef, near: &mut Neighbours, at: Vector) {
        let Some(slot) = self.find(me) else { return };
        // Usually all pairs stay, and the list need not be copied.
        if !self.touched(slot).all(|other| self.meets(me, other, near)) {
            for other in self.touching(slot) {
                if !self.meets(me, other, near) && !self.is_in_check(other) {
                    self.end_touch(row, me, other);
                }
            }
        }
        for place in 0..near.actors.len() {
            let other = near.actors[place];
            // For an existing pair, the other actor need not be read.
            if self.contact(me, other).is_some() {
                continue;
            }
            // The handler of the first side has brought both actors together again.
            self.finish_ending(row, me, other);
            self.finish_ending(row, other, me);
            if self.stays(me, at) && self.still_meets(me, other, near) && !self.blocks(me, other) {
                self.begin_touch(row, me, other);
            }
        }
    }

    fn push_away(&mut self, other: ActorRef, from: ActorRef) -> bool {
        let (shape, at) = (self.shape(from), self.records[from.index()].location);
        let Some(spot) = self.world.push_away(other, shape, at).filter(|spot| spot.is_finite()) else {
            return false;
        };
        self.set_location(other, spot)
    }

    fn shape(&self, actor: ActorRef) -> Cylinder {
        self.properties(actor.index()).shape
    }

    /// Moves an actor, without a check for walls. Returns `false` if the actor is dead or the location is not finite.
    pub(crate) fn set_location(&mut self, actor: ActorRef, location: Vector) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        if !location.is_finite() {
            return false;
        }
        // Makes running checks look up their neighbours again.
        self.moves += 1;
        self.records[slot].location = location;
        // Read before the world, so that the processor waits for both at the same time.
        let touches = self.touched(slot).next().is_some();
        self.move_in_hash(actor);
        // Before play no event is sent. The phases of the start look up zones and volumes.
        if self.begun {
            if self.heads[slot].is(Fact::InHash) {
                let mut near = self.neighbours(actor);
                if touches || !near.actors.is_empty() {
                    self.touch_neighbours("1.8", actor, &mut near, location);
                }
                self.nearby = near.actors;
            } else if touches {
                // The actor no longer collides.
                self.end_touches("1.8", actor);
            }
            self.zone_step("1.7", actor);
            self.volume_step("1.7", actor);
        }
        true
    }
}

/// The other actors that overlap an actor.
struct Neighbours {
    /// At first.
    actors: Vec<ActorRef>,
    /// After the last move.
    now: Option<Vec<ActorRef>>,
    /// The level's number of moves at the last look-up.
    moves: u64,
}

impl Neighbours {
    /// Looks them up again, if an actor has moved.
    fn renew(&mut self, level: &Inner, me: ActorRef) {
        if self.moves != level.moves {
            self.moves = level.moves;
            level.look_around(me, self.now.get_or_insert_default());
        }
    }
}
