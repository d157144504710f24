//! [`Reactions`]: what actors do at each event, found once per class and state.

use crate::event::{Answer, Message};
use crate::level::Inner;
use crate::{ActorRef, Event};

/// One body of an event, and the one that it overrides.
pub(crate) struct Body {
    pub(crate) run: Box<Run>,
    pub(crate) inherited: Option<&'static Body>,
}

/// Runs a body for an actor.
pub(crate) type Run = dyn Fn(&mut Inner, ActorRef, &'static Body, &Message) -> Answer + Send + Sync;

pub(crate) type Bodies = [Option<&'static Body>; Event::COUNT];

/// A set of events.
#[derive(Clone, Copy, Default)]
pub(crate) struct EventSet(u64);

const _: () = assert!(Event::COUNT <= 64, "an event is a bit");

impl EventSet {
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// The events that are `true`.
    pub(crate) fn of(events: &[(Event, bool)]) -> Self {
        let mut set = Self::default();
        for (event, _) in events.iter().filter(|(_, there)| *there) {
            set.insert(*event);
        }
        set
    }

    /// Those that are in both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn insert(&mut self, event: Event) {
        self.0 |= 1 << event as u64;
    }

    pub(crate) const fn remove(&mut self, event: Event) {
        self.0 &= !(1 << event as u64);
    }

    #[inline]
    pub(crate) const fn contains(self, event: Event) -> bool {
        self.0 & (1 << event as u64) != 0
    }
}

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
