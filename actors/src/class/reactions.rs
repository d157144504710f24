//! [`Reactions`]: the bodies of all events, resolved once for each class and state.

use super::actor_class::ActorClass;
use super::code::Code;
use super::function_table::FunctionTable;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Message};
use crate::value::event_set::EventSet;

/// One body of an event, and the body that it overrides.
pub(crate) struct Body {
    pub(crate) event: Event,
    pub(crate) run: Box<Run>,
    pub(crate) inherited: Option<&'static Body>,
}

impl Body {
    /// Leaked, because a class is never freed.
    pub(crate) fn leak(event: Event, run: Box<Run>, inherited: Option<&'static Self>) -> &'static Self {
        Box::leak(Box::new(Self { event, run, inherited }))
    }

    pub(crate) fn runnable(&'static self) -> Runnable {
        (&*self.run, self)
    }
}

/// It names `Inner`, of a higher layer, because a class holds bodies that act on the level, and the level holds classes. A
/// trait object instead of `Inner` would cost an indirect call for each field, and a type parameter would appear in the public
/// `ActorClass`.
pub(crate) type Run = dyn Fn(&mut Inner, ActorRef, &'static Body, &Message) -> Answer + Send + Sync;

/// A body and its closure. Storing both saves the load of the closure from the body.
pub(crate) type Runnable = (&'static Run, &'static Body);

/// The body of each event.
pub(crate) type Bodies = [Option<&'static Body>; Event::COUNT];

/// The bodies of a class's actors in one state or in no state, with overrides and inheritance resolved.
pub(crate) struct Reactions {
    pub(crate) class: &'static ActorClass,
    /// The class's [`id`](ActorClass::id). It is next to the bodies, because each access to an actor needs it.
    pub(crate) id: usize,
    /// The events that this state ignores.
    pub(crate) ignored: EventSet,
    pub(crate) bodies: Bodies,
    pub(crate) functions: FunctionTable,
    pub(crate) code: Option<&'static Code>,
    /// The body of `tick` for actors that have the class's properties. `None` if these actors do not tick.
    pub(crate) tick: Option<Runnable>,
    /// Whether a sink receives the ticks of these actors: not if the state ignores `tick`.
    pub(crate) tells_tick: bool,
}

impl Reactions {
    #[inline]
    pub(crate) fn body(&self, event: Event) -> Option<&'static Body> {
        self.bodies[event as usize]
    }
}
