//! Destructions: the checks and the events. Rows are those of the [crate](crate#steps).

use acedia::__private::FirstPanic;

use crate::store::extra::Connection;
use crate::store::head::{Fact, Head};
use crate::store::inner::Inner;
use crate::store::sink::Kind;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Event, Message, Value};
use crate::value::name::Name;
use crate::value::properties::Role;
use crate::value::settings::NetMode;

/// The cause of a destruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Script,
    /// Replication code, or the end of a player's connection.
    Engine,
    /// The actor's own spawn, which failed by a fatal encroachment or a panic. No check keeps it.
    Spawn,
}

/// K2, whose argument is no state, and K3.
const AT_FIRST: [Message; 2] = [
    Message {
        row: "K2",
        event: Event::EndState,
        value: Value::Name(Name::NONE),
    },
    Message::new("K3", Event::Destroyed),
];

/// A nested destruction of the same actor has finished the sequence.
struct Done;

impl Inner {
    pub(crate) fn destroy<T>(&mut self, actor: ActorRef<T>, by: By) -> bool {
        self.command(actor, |inner, slot| inner.destroy_slot(slot, by)) // V1
    }

    /// Destroys the actor in a slot, which may be dead.
    pub(crate) fn destroy_slot(&mut self, slot: usize, by: By) -> bool {
        let properties = self.properties(slot);
        let lasting = (properties.is_static || properties.no_delete) && !self.settings.editor;
        if lasting && by != By::Spawn {
            return false; // V2
        }
        if self.heads[slot].is(Fact::Dead) {
            return true; // V3
        }
        let Some(me) = self.reference(slot) else { return true };
        if by == By::Script {
            let authority = properties.role == Role::Authority || properties.net_temporary;
            if self.settings.net_mode == NetMode::Client && !authority {
                return false; // V4
            }
            if self.settings.net_mode.is_server() && self.connection(slot) != Connection::None {
                self.start_closing(me);
                return false; // V5
            }
        }
        // A panic of a handler prevents neither the other events nor the end of the actor (D32).
        let mut panics = FirstPanic::new();
        // After an error, a nested destruction has done the rest.
        if self.destruction(me, &mut panics).is_ok() {
            self.clean_up(me, &mut panics); // K8
            if self.sink.is_some() {
                panics.catch(|| self.trace(self.nesting.depth, me, Kind::Dead));
            }
            self.end(slot); // K9
        }
        panics.resume();
        true
    }

    fn still(&self, me: ActorRef) -> Result<(), Done> {
        if self.is_alive(me) { Ok(()) } else { Err(Done) }
    }

    /// K1 to K7.
    fn destruction(&mut self, me: ActorRef, panics: &mut FirstPanic) -> Result<(), Done> {
        let slot = me.index();
        self.heads[slot].set(Fact::Pending, true); // K1
        let Head { reactions, state, .. } = self.heads[slot];
        let mut wanted = self.noticed(reactions.class);
        // An actor in no state has no state to end.
        if state.is_none() {
            wanted.remove(Event::EndState);
        }
        for message in &AT_FIRST {
            if wanted.contains(message.event) {
                panics.catch(|| self.post(me, message));
            }
        }
        self.still(me)?;
        if self.may_be_tied(me) {
            self.untie(me, panics)?;
        }
        // `owner` still names the owner while its handler runs.
        if let Some(owner) = self.living(self.heads[slot].owner()) {
            panics.catch(|| self.tell("K7", owner, Event::LostChild, me));
            self.still(me)?;
        }
        Ok(())
    }

    /// Whether the actor may have a base, a rider or a contact. Most dying actors have none.
    fn may_be_tied(&self, me: ActorRef) -> bool {
        let head = &self.heads[me.index()];
        head.is(Fact::HadBase) || self.extra(me.index()).is_some() || self.is_level_info(me)
    }

    /// K4 to K6.
    fn untie(&mut self, me: ActorRef, panics: &mut FirstPanic) -> Result<(), Done> {
        let slot = me.index();
        // Each list is a copy, because handlers change the ties. Each tie is checked again before it is cut.
        if let Some(base) = self.base_of(me) {
            self.take_off("K4", me, me, base, panics)?;
        }
        for rider in self.riders(me) {
            if self.base_of(rider) == Some(me) {
                self.take_off("K5", me, rider, me, panics)?;
            }
        }
        for other in self.touching(slot) {
            if let Some((_, true)) = self.take_contact(me, other) {
                panics.catch(|| self.tell("K6", other, Event::UnTouch, me));
                self.still(me)?;
            }
        }
        Ok(())
    }

    /// Takes `rider` off `base`. Either `rider` or `base` is `me`, the actor that is being destroyed.
    fn take_off(
        &mut self,
        row: &'static str,
        me: ActorRef,
        rider: ActorRef,
        base: ActorRef,
        panics: &mut FirstPanic,
    ) -> Result<(), Done> {
        // If `detach` panics, the tie is still cut.
        let left = panics.catch(|| self.leave_base(row, rider, base));
        if left.is_none() && self.base_of(rider) == Some(base) {
            self.cut_base(rider, base);
        }
        self.still(me)?;
        panics.catch(|| self.notify(row, rider, Event::BaseChange));
        self.still(me)
    }

    /// K8: cuts the ties that handlers have made meanwhile. Owned actors need no step, because their owner resolves to `None`.
    fn clean_up(&mut self, me: ActorRef, panics: &mut FirstPanic) {
        let slot = me.index();
        if self.heads[slot].is(Fact::InHash) {
            panics.catch(|| self.leave_hash(me));
        }
        if !self.may_be_tied(me) {
            return;
        }
        if let Some(base) = self.base_of(me) {
            self.cut_base(me, base);
        }
        if self.extra(slot).is_none() {
            return;
        }
        // The dead actor's list loses each entry, and the other side of the tie is cleared if that actor is alive.
        while let Some(rider) = self.extra_mut(slot).attached.pop() {
            if let Some(rider) = self.find(rider) {
                self.records[rider].base = None;
            }
        }
        while let Some(other) = self.contacts_mut(slot).pop() {
            self.drop_contact(other, me);
        }
    }
}
