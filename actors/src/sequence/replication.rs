//! Actors received over the network, and the end of players' connections.

use super::destroy::By;
use super::spawn::{SpawnOutcome, beginning};
use crate::class::actor_class::ActorClass;
use crate::class::request::{Spawn, SpawnEx};
use crate::store::extra::Connection;
use crate::store::head::Fact;
use crate::store::inner::{Inner, Until};
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Event, Value};
use crate::value::geometry::{Rotator, Vector};
use crate::value::name::Name;
use crate::value::properties::Role;
use crate::value::rules::NetEvent;

impl Inner {
    /// Spawns an actor that the server has sent.
    pub(crate) fn receive(
        &mut self,
        class: &'static ActorClass,
        location: Vector,
        rotation: Option<Rotator>,
    ) -> SpawnOutcome {
        let request = SpawnEx {
            spawn: Spawn::new().at(location).facing(rotation.unwrap_or_default()),
            remote_owned: true,
            ..SpawnEx::default()
        };
        self.spawn_ex(Some(class), &request)
    }

    /// Sends the events of an actor whose variables have been written.
    pub(crate) fn finish_receive(&mut self, actor: ActorRef, variables: &[Name]) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        let settled = Until(self, Self::settle);
        let inner = &mut *settled.0;
        // The rules have one event for all variables, one for each, or none.
        match inner.rules.net_event {
            NetEvent::PostNetReceive if inner.properties(slot).net_notify => {
                inner.notify("1.14", actor, Event::PostNetReceive);
            }
            NetEvent::ReplicatedEvent => {
                for &variable in variables {
                    inner.send("1.14", actor, Event::ReplicatedEvent, Value::Name(variable));
                }
            }
            _ => {}
        }
        // A handler may have destroyed the actor, but its slot is not reclaimed before the level settles.
        if inner.heads[slot].is(Fact::AwaitsVariables) {
            inner.heads[slot].set(Fact::AwaitsVariables, false);
            inner.post_each(actor, const { &beginning("1.14") }, inner.sent.when_received);
        }
        inner.is_alive(actor)
    }

    /// Sets the owner that the server sent. Clients send no `gained_child`.
    pub(crate) fn receive_owner(&mut self, actor: ActorRef, owner: Option<ActorRef>) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        let possible = owner.is_none_or(|owner| self.is_alive(owner) && !self.is_owned_by(owner, actor));
        if possible {
            self.put_owner(slot, owner);
        }
        possible
    }

    /// Destroys an actor that the server no longer sends, unless it is temporary or torn off.
    pub(crate) fn lose_relevance(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        let properties = self.properties(slot);
        let torn_off = properties.role == Role::Authority;
        !properties.net_temporary && !torn_off && self.destroy(actor, By::Engine)
    }

    pub(crate) fn tear_off(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        self.properties_mut(slot).role = Role::Authority;
        true
    }

    /// Destroys the actor of a player who has left.
    pub(crate) fn disconnect(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        if self.connection(slot) == Connection::None {
            return false;
        }
        self.extra_mut(slot).connection = Connection::None;
        self.destroy(actor, By::Engine)
    }

    /// Asks the driver, once, to close a player's connection.
    pub(crate) fn start_closing(&mut self, player: ActorRef) {
        let connection = &mut self.extra_mut(player.index()).connection;
        if std::mem::replace(connection, Connection::Closing) == Connection::Open {
            if let Some(driver) = &mut self.net {
                driver.close(player);
            }
        }
    }

    /// The role of `actor` on the machine of `viewer`.
    pub(crate) fn role_for(&self, actor: ActorRef, viewer: ActorRef) -> Option<Role> {
        let role = self.properties(self.find(actor)?).remote_role;
        match role {
            Role::None => None,
            Role::Autonomous if !self.is_owned_by(actor, viewer) => Some(Role::Simulated),
            role => Some(role),
        }
    }
}
