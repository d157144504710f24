//! [`EventSink`]: receives the steps of a level.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Event, Message, Value};
use crate::value::name::Name;
use crate::value::trace::{Happening, Trace};

/// Receives every step of a level: [`Level::set_sink`](crate::Level::set_sink).
///
/// ```
/// use acedia_actors::{Actor, Event, EventSink, Level, Rules, Spawn, Stage, Step, actor};
/// use std::sync::mpsc::{Sender, channel};
///
/// /// Sends the names of the actors whose play begins.
/// struct Arrivals(Sender<String>);
/// impl EventSink for Arrivals {
///     fn record(&mut self, step: &Step<'_>) {
///         if step.event() == Some(Event::PostBeginPlay) {
///             self.0.send(step.trace().on).ok();
///         }
///     }
/// }
///
/// #[derive(Default)]
/// struct Smoke;
/// impl Actor for Smoke {
///     actor!(Smoke, "Doc.Smoke");
/// }
///
/// let mut level = Level::new(Rules::ue3());
/// level.start();
/// let (sender, arrivals) = channel();
/// level.set_sink(Arrivals(sender));
/// level.spawn::<Smoke>(Spawn::new());
/// assert_eq!(arrivals.try_iter().collect::<Vec<_>>(), ["Smoke2"]);
/// ```
///
/// # Cost
///
/// One call through a pointer for each step. [`Step::trace`] also allocates strings.
pub trait EventSink: Send + 'static {
    /// Receives one step.
    fn record(&mut self, step: &Step<'_>);
}

/// A step of a level, as its sink receives it.
pub struct Step<'a> {
    level: &'a Inner,
    depth: u32,
    on: ActorRef,
    kind: Kind<'a>,
}

/// The kind of a [`Step`].
#[derive(Clone, Copy)]
pub(crate) enum Kind<'a> {
    Made,
    Dead,
    Event(&'a Message),
    /// A call of the function with this name.
    Call(&'static str),
}

impl Step<'_> {
    /// The row of the step, as in the tables of the [crate](crate#steps).
    #[must_use]
    pub const fn row(&self) -> &'static str {
        match self.kind {
            Kind::Made => "P1",
            Kind::Dead => "K9",
            Kind::Event(message) => message.row,
            Kind::Call(_) => "1.9",
        }
    }

    /// The actor.
    #[must_use]
    pub const fn on(&self) -> ActorRef {
        self.on
    }

    /// The event that the actor was sent, if the step is an event.
    #[must_use]
    pub const fn event(&self) -> Option<Event> {
        match self.kind {
            Kind::Event(message) => Some(message.event),
            _ => None,
        }
    }

    /// The step as data with the names of the actors.
    #[must_use]
    pub fn trace(&self) -> Trace {
        let slot = self.on.index();
        Trace {
            depth: self.depth,
            row: self.row(),
            on: self.level.name_of_slot(slot),
            state: self.level.state_name(slot),
            happening: match self.kind {
                Kind::Made => Happening::Made,
                Kind::Dead => Happening::Dead,
                Kind::Call(function) => Happening::Call { function },
                Kind::Event(message) => Happening::Event {
                    event: message.event,
                    argument: self.argument(message.value),
                },
            },
        }
    }

    fn argument(&self, value: Value) -> Option<String> {
        match value {
            Value::Actor(actor) => self.level.name(actor),
            Value::Name(name) if name != Name::NONE => Some(name.to_string()),
            Value::Seconds(seconds) => Some(seconds.to_string()),
            _ => None,
        }
    }
}

impl Inner {
    /// Passes a step to the sink.
    #[inline]
    pub(crate) fn trace(&mut self, depth: u32, on: ActorRef, kind: Kind<'_>) {
        // Usually there is no sink: then this function stores nothing.
        if self.sink.is_none() {
            return;
        }
        // A sink that panics is not put back.
        let Some(mut sink) = self.sink.take() else { return };
        let level = &*self;
        sink.record(&Step { level, depth, on, kind });
        self.sink = Some(sink);
    }
}

impl fmt::Debug for Step<'_> {
    /// Prints the [trace](Self::trace).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Step({})", self.trace())
    }
}

/// A sink that keeps the steps it receives. Clones share them.
///
/// ```
/// use acedia_actors::{Happening, Level, Pawn, Recorder, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
/// let recorder = Recorder::default();
/// level.set_sink(recorder.clone());
/// let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
/// assert_eq!(recorder.take()[0].happening, Happening::Made);
/// level.destroy(pawn);
/// assert!(recorder.lines().iter().any(|line| line.contains("Pawn")));
/// assert!(recorder.lines().is_empty(), "taken already");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Vec<Trace>>>);

impl Recorder {
    /// Returns the steps recorded so far, and removes them from the recorder and its clones.
    #[must_use]
    pub fn take(&self) -> Vec<Trace> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Like [`take`](Self::take), but each step is printed as a line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.take().iter().map(ToString::to_string).collect()
    }
}

impl EventSink for Recorder {
    fn record(&mut self, step: &Step<'_>) {
        let trace = step.trace();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(trace);
    }
}
