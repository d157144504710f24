//! How an event is delivered.

use super::inner::Inner;
use crate::event::Value;
use crate::{ActorRef, Event, Happening, Name, Trace, Warning};

/// One event deeper, until it is dropped: a handler that panics leaves a usable level.
struct Deeper<'a>(&'a mut Inner);

impl<'a> Deeper<'a> {
    fn enter(inner: &'a mut Inner) -> Self {
        inner.depth += 1;
        Self(inner)
    }
}

impl Drop for Deeper<'_> {
    fn drop(&mut self) {
        self.0.depth -= 1;
    }
}

impl Inner {
    /// Delivers an event to a living actor. `Nothing` if it is silent. `row` is the step that sends it.
    #[inline]
    pub(crate) fn send(&mut self, row: &'static str, on: ActorRef, event: Event, value: Value) -> Value {
        if self.is_quiet(on, event) {
            return Value::Nothing;
        }
        self.deliver(row, on, event, value)
    }

    /// Whether sending an event to an actor does nothing at all: the common case, and a few loads.
    #[inline]
    pub(crate) fn is_quiet(&self, on: ActorRef, event: Event) -> bool {
        let Some(head) = self.heads.get(on.index()).filter(|head| head.life == on.life()) else {
            return true;
        };
        let reactions = head.class.reactions(head.state);
        !reactions.is_some_and(|it| it.handled.contains(event)) && self.sink.is_none()
    }

    /// As `send`, to a living actor.
    fn deliver(&mut self, row: &'static str, on: ActorRef, event: Event, value: Value) -> Value {
        if !self.begun {
            return Value::Nothing;
        }
        if self.depth >= self.rules.depth_limit {
            self.warn(Warning::Recursion);
            return Value::Nothing;
        }
        let slot = on.index();
        let head = &self.heads[slot];
        let Some(reactions) = head.class.reactions(head.state) else {
            return Value::Nothing;
        };
        if self.sink.is_some() && !reactions.ignored.contains(event) {
            self.trace_event(row, slot, event, value);
        }
        match reactions.bodies[event as usize] {
            Some(body) => (body.run)(Deeper::enter(self).0, slot, body, event, value),
            None => Value::Nothing,
        }
    }

    /// Sends an event without argument.
    pub(crate) fn notify(&mut self, row: &'static str, on: ActorRef, event: Event) {
        self.send(row, on, event, Value::Nothing);
    }

    /// Sends an event about another actor.
    pub(crate) fn tell(&mut self, row: &'static str, on: ActorRef, event: Event, about: ActorRef) -> Value {
        self.send(row, on, event, Value::Actor(Some(about)))
    }

    /// Runs another body for the actor in `slot`: an inherited one.
    pub(crate) fn run_inherited(
        &mut self,
        slot: usize,
        body: &'static crate::class::Body,
        event: Event,
        value: Value,
    ) -> Value {
        if self.depth >= self.rules.depth_limit {
            self.warn(Warning::Recursion);
            return Value::Nothing;
        }
        (body.run)(Deeper::enter(self).0, slot, body, event, value)
    }

    pub(crate) fn trace(&mut self, row: &'static str, slot: usize, happening: Happening) {
        if let Some(mut sink) = self.sink.take() {
            let trace = Trace {
                depth: self.depth,
                row,
                on: self.name_of_slot(slot),
                happening,
            };
            // A sink that panics is not put back.
            sink.record(&trace);
            self.sink = Some(sink);
        }
    }

    #[cold]
    fn trace_event(&mut self, row: &'static str, slot: usize, event: Event, value: Value) {
        let argument = self.describe(value);
        self.trace(row, slot, Happening::Event { event, argument });
    }

    fn describe(&self, value: Value) -> Option<String> {
        match value {
            Value::Actor(Some(actor)) => self.name(actor),
            Value::Name(name) if name != Name::NONE => Some(name.to_string()),
            Value::Seconds(seconds) => Some(seconds.to_string()),
            _ => None,
        }
    }

    #[cold]
    pub(crate) fn warn(&mut self, warning: Warning) {
        tracing::warn!(target: "acedia_actors", "{warning}");
        self.warnings.push(warning);
    }
}
