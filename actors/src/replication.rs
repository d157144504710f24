//! Actors that come through the net, and players.

use crate::destroy::By;
use crate::level::{Connection, Inner};
use crate::spawn::SpawnOutcome;
use crate::{ActorClass, ActorRef, AnyClass, Event, Name, NetEvent, Rotator, Spawn, SpawnEx, Vector};

impl Inner {
    /// An actor that the server has sent, until its variables come.
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
        self.spawn_ex(Some(AnyClass::Actor(class)), &request)
    }

    /// Its first variables have been applied; those named want an event.
    pub(crate) fn finish_receive(&mut self, actor: ActorRef, variables: &[Name]) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        match self.rules.net_event {
            NetEvent::PostNetReceive if self.properties(slot).net_notify => {
                self.notify("1.14", actor, Event::PostNetReceive);
            }
            NetEvent::ReplicatedEvent => {
                for &variable in variables {
                    self.send(
                        "1.14",
                        actor,
                        Event::ReplicatedEvent,
                        crate::event::Value::Name(variable),
                    );
                }
            }
            _ => {}
        }
        self.post_net_begin_play("1.14", actor);
        let alive = self.is_alive(actor);
        self.settle();
        alive
    }

    /// The server sends an actor no longer: it goes, unless it lives on by itself.
    pub(crate) fn lose_relevance(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        let properties = self.properties(slot);
        let torn_off = properties.role == crate::Role::Authority;
        !properties.net_temporary && !torn_off && self.destroy(actor, By::Engine)
    }

    /// A player is behind `actor` from now on.
    pub(crate) fn connect(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        self.extra_mut(slot).connection = Connection::Open;
        true
    }

    /// The player has gone, and the actor goes too.
    pub(crate) fn disconnect(&mut self, actor: ActorRef) -> bool {
        let Some(slot) = self.find(actor) else { return false };
        let connected = self.connection(slot) != Connection::None;
        self.extra_mut(slot).connection = Connection::None;
        connected && self.destroy(actor, By::Engine)
    }
}
