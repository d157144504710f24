//! [`Tracer`]: the sink of a level, and the step that it received last.

use crate::value::actor_ref::ActorRef;
use crate::value::event::Event;
use crate::value::name::Name;
use crate::value::trace::{EventSink, Happening, Trace};

/// The sink of a level, and the step that it received last.
///
/// Successive steps are often about one actor, and successive ticks often have the same argument. So the texts of the last step
/// are used again: writing them takes longer than a sink that does nothing.
pub(crate) struct Tracer {
    sink: Box<dyn EventSink>,
    last: Trace,
    /// The actor of the last step.
    actor: Option<ActorRef>,
    /// The argument of the last tick.
    seconds: f32,
}

impl Tracer {
    pub(crate) fn new(sink: impl EventSink) -> Self {
        Self {
            sink: Box::new(sink),
            last: Trace {
                depth: 0,
                row: "",
                on: String::new(),
                state: Name::NONE,
                happening: Happening::Made,
            },
            actor: None,
            seconds: f32::NAN,
        }
    }

    /// The next step is one of `actor`. `write` writes its name.
    pub(crate) fn set_actor(&mut self, actor: ActorRef, write: impl FnOnce(&mut String)) {
        if self.actor != Some(actor) {
            self.last.on.clear();
            write(&mut self.last.on);
            self.actor = Some(actor);
        }
    }

    /// Gives a step to the sink.
    pub(crate) fn record(&mut self, depth: u32, row: &'static str, state: Name, happening: Happening) {
        let last = &mut self.last;
        (last.depth, last.row, last.state, last.happening) = (depth, row, state, happening);
        self.sink.record(last);
    }

    /// The argument of a tick as text. If the last step was a tick of as many seconds, its text is used again.
    pub(crate) fn seconds(&mut self, seconds: f32) -> String {
        let before = std::mem::replace(&mut self.seconds, seconds);
        match &mut self.last.happening {
            Happening::Event {
                event: Event::Tick,
                argument: Some(argument),
            } if before.to_bits() == seconds.to_bits() => std::mem::take(argument),
            _ => seconds.to_string(),
        }
    }
}
