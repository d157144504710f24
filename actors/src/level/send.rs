//! How an event is delivered.

use super::inner::Inner;
use crate::class::{Body, EventSet};
use crate::event::Value;
use crate::{ActorClass, ActorRef, Event, Happening, Name, Trace, Warning};

/// One event deeper, until it is dropped: a handler that panics leaves a usable level.
struct Deeper<'a>(&'a mut Inner);

impl<'a> Deeper<'a> {
    #[inline]
    fn enter(inner: &'a mut Inner) -> Self {
        inner.depth += 1;
        Self(inner)
    }
}

impl Drop for Deeper<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.depth -= 1;
    }
}

impl Inner {
    /// Delivers an event to a living actor. `Nothing` if it is silent. `row` is the step that sends it.
    #[inline]
    pub(crate) fn send(&mut self, row: &'static str, on: ActorRef, event: Event, value: Value) -> Value {
        let Some(head) = self.heads.get(on.index()).filter(|head| head.life == on.life()) else {
            return Value::Nothing;
        };
        let body = head.class.reactions(head.state).and_then(|it| it.body(event));
        if body.is_none() && self.sink.is_none() {
            return Value::Nothing;
        }
        self.deliver(row, on, event, &value, body)
    }

    /// Has `body` run for a living actor, if events are sent at all.
    fn deliver(
        &mut self,
        row: &'static str,
        on: ActorRef,
        event: Event,
        value: &Value,
        body: Option<&'static Body>,
    ) -> Value {
        if !self.begun {
            return Value::Nothing;
        }
        if self.sink.is_some() && self.depth < self.rules.depth_limit {
            self.trace_event(row, on.index(), event, value);
        }
        match body {
            Some(body) => self.run(on, body, event, value),
            None => Value::Nothing,
        }
    }

    /// Runs a body for an actor, dead or alive, one event deeper.
    pub(crate) fn run(&mut self, on: ActorRef, body: &'static Body, event: Event, value: &Value) -> Value {
        if self.depth >= self.rules.depth_limit {
            self.warn(Warning::Recursion);
            return Value::Nothing;
        }
        (body.run)(Deeper::enter(self).0, on, body, event, value)
    }

    /// The events that somebody may notice if they are sent to actors of a class. The others need not be sent.
    #[inline]
    pub(crate) fn noticed(&self, class: &ActorClass) -> EventSet {
        if self.sink.is_some() {
            EventSet::ALL
        } else {
            class.handled
        }
    }

    /// Sends an event without argument.
    #[inline]
    pub(crate) fn notify(&mut self, row: &'static str, on: ActorRef, event: Event) {
        self.send(row, on, event, Value::Nothing);
    }

    /// Sends an event about another actor.
    #[inline]
    pub(crate) fn tell(&mut self, row: &'static str, on: ActorRef, event: Event, about: ActorRef) -> Value {
        self.send(row, on, event, Value::Actor(Some(about)))
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
    fn trace_event(&mut self, row: &'static str, slot: usize, event: Event, value: &Value) {
        let head = &self.heads[slot];
        if head
            .class
            .reactions(head.state)
            .is_some_and(|it| it.ignored.contains(event))
        {
            return;
        }
        let argument = self.describe(*value);
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
