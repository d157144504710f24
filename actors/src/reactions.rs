//! [`Reactions`]: what actors do at each event, found once per class and state.

use crate::level::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Message};
use crate::value::event_set::EventSet;

/// One body of an event, and the one that it overrides.
pub(crate) struct Body {
    pub(crate) run: Box<Run>,
    pub(crate) inherited: Option<&'static Body>,
}

/// Runs a body for an actor.
pub(crate) type Run = dyn Fn(&mut Inner, ActorRef, &'static Body, &Message) -> Answer + Send + Sync;

pub(crate) type Bodies = [Option<&'static Body>; Event::COUNT];

/// What the actors of a class do in one state, or in none: all that overrides and inheritance come to.
pub(crate) struct Reactions {
    /// The events that nobody is told of.
    pub(crate) ignored: EventSet,
    pub(crate) bodies: Bodies,
}

impl Reactions {
    #[inline]
    pub(crate) fn body(&self, event: Event) -> Option<&'static Body> {
        self.bodies[event as usize]
    }
}
