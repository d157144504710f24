//! [`Trace`]: one step of a level, as text.

use std::fmt;

use super::event::Event;
use super::name::Name;

/// One step of a sequence. It prints as one line: row, actor, event, argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trace {
    /// The nesting depth.
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
    /// The actor was spawned or placed.
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

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, on, .. } = self;
        match &self.happening {
            Happening::Made => write!(f, "{row} + {on}"),
            Happening::Dead => write!(f, "{row} - {on}"),
            Happening::Call { function } => write!(f, "{row} {on}.{function}()"),
            Happening::Event { event, argument } => {
                write!(f, "{row} {on}.{event}({})", argument.as_deref().unwrap_or_default())
            }
        }
    }
}
