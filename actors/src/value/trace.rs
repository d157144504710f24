//! [`Trace`]: one step of a level, as its sink sees it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::event::Event;
use super::name::Name;

/// One step of a sequence. It prints as one line: row, actor, event, argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// The number of events around this one.
    pub depth: u32,
    /// The row of the step, as in the tables of the [crate](crate#steps).
    pub row: &'static str,
    /// The name of the actor.
    pub on: String,
    /// The actor's state. [`Name::NONE`] if it is in no state.
    pub state: Name,
    /// The kind of step.
    pub happening: Happening,
}

/// A kind of step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Happening {
    /// The actor was made.
    Made,
    /// The actor died.
    Dead,
    /// The actor was sent an event.
    Event {
        /// The event.
        event: Event,
        /// The argument of the event, if it has one.
        argument: Option<String>,
    },
    /// A function of the actor was called.
    Call {
        /// The name of the function.
        function: &'static str,
    },
}

impl fmt::Display for Happening {
    /// Prints the step without the actor: `made`, `dead`, `Touch(Door0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Made => f.pad("made"),
            Self::Dead => f.pad("dead"),
            Self::Call { function } => write!(f, "{function}()"),
            Self::Event { event, argument } => write!(f, "{event}({})", argument.as_deref().unwrap_or_default()),
        }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.row)?;
        match &self.happening {
            Happening::Made => write!(f, "+ {}", self.on),
            Happening::Dead => write!(f, "- {}", self.on),
            called @ (Happening::Event { .. } | Happening::Call { .. }) => write!(f, "{}.{called}", self.on),
        }
    }
}

/// Receives every step of a level: [`Level::set_sink`](crate::Level::set_sink).
///
/// ```
/// use acedia_actors::{Actor, Level, Recorder, Rules, Spawn, Stage, actor};
///
/// #[derive(Default)]
/// struct Smoke;
/// impl Actor for Smoke {
///     actor!(Smoke, "Doc.Smoke");
/// }
///
/// let mut level = Level::new(Rules::ue3());
/// level.start();
/// let recorder = Recorder::default();
/// level.set_sink(recorder.clone());
/// level.spawn::<Smoke>(Spawn::new().tag("Fog"));
/// assert_eq!(recorder.lines(), [
///     "P1 + Smoke2",
///     "Q3 Smoke2.native InitPhysics()",
///     "Q6 Smoke2.PreBeginPlay()",
///     "Q10 Smoke2.native PostBeginPlay()",
///     "Q11 Smoke2.SetInitialState()",
///     "Q14 Smoke2.PostBeginPlay()",
/// ]);
/// ```
pub trait EventSink: Send + 'static {
    /// Receives one step.
    fn record(&mut self, trace: &Trace);
}

/// Keeps the steps that it receives. Clones share them.
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
#[derive(Clone, Default)]
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

impl fmt::Debug for Recorder {
    /// Prints the steps as lines, and keeps them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_list().entries(kept.iter().map(ToString::to_string)).finish()
    }
}

impl EventSink for Recorder {
    fn record(&mut self, trace: &Trace) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(trace.clone());
    }
}
