//! [`Trace`]: what happens in a level, step by step, for whoever wants to know.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::event::Event;
use super::name::Name;

/// One thing that happened. Printed as one line: step, event, argument, actor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// Inside of how many events.
    pub depth: u32,
    /// The step of the sequence, as in the tables of the [crate](crate#steps).
    pub row: &'static str,
    /// The name of the actor that it happened to.
    pub on: String,
    /// The state that this actor is in; no name, if in none. It says whether a step that depends on it is missing.
    pub state: Name,
    /// What happened.
    pub happening: Happening,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Happening {
    /// The actor was made.
    Made,
    /// The actor is dead from now on.
    Dead,
    /// The actor was sent an event.
    Event {
        /// Which one.
        event: Event,
        /// What it carried, if that is not nothing.
        argument: Option<String>,
    },
}

impl fmt::Display for Happening {
    /// What happened, without whom it happened to: `made`, `dead`, `Touch(Door0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Made => f.pad("made"),
            Self::Dead => f.pad("dead"),
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
            event @ Happening::Event { .. } => write!(f, "{}.{event}", self.on),
        }
    }
}

/// Is told of everything that happens in a level: [`Level::set_sink`](crate::Level::set_sink).
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
/// level.begin_play("");
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
    /// Something happened.
    fn record(&mut self, trace: &Trace);
}

/// Keeps what it is told. A clone shows and keeps the same.
///
/// ```
/// use acedia_actors::{Happening, Level, Pawn, Recorder, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.begin_play("");
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
    /// What was recorded, and forgets it.
    #[must_use]
    pub fn take(&self) -> Vec<Trace> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// As [`take`](Self::take), as lines.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.take().iter().map(ToString::to_string).collect()
    }
}

impl fmt::Debug for Recorder {
    /// The lines, which it keeps.
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
