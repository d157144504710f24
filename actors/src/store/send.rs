//! The delivery of one event to one actor.

use super::inner::Inner;
use super::sink::Kind;
use super::warning::Warning;
use crate::class::actor_class::ActorClass;
use crate::class::reactions::Body;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Message, Value};
use crate::value::event_set::EventSet;

/// Increases the depth by one until it is dropped, even by a panic of a handler.
pub(crate) struct Deeper<'a>(pub(crate) &'a mut Inner);

impl<'a> Deeper<'a> {
    #[inline]
    pub(crate) fn enter(inner: &'a mut Inner) -> Self {
        inner.nesting.depth += 1;
        Self(inner)
    }
}

impl Drop for Deeper<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.nesting.depth -= 1;
    }
}

impl Inner {
    /// Delivers an event to a living actor, for the step `row`. Without a body, the answer is `Nothing`.
    #[inline]
    pub(crate) fn send(&mut self, row: &'static str, on: ActorRef, event: Event, value: Value) -> Answer {
        self.post(on, &Message { row, event, value })
    }

    /// Like [`send`](Self::send), but for a message that is sent to many actors.
    pub(crate) fn post(&mut self, on: ActorRef, message: &Message) -> Answer {
        let Some(head) = self.head(on) else {
            return Answer::Nothing;
        };
        let body = head.reactions.body(message.event);
        let is_ignored = head.reactions.ignored.contains(message.event);
        if self.sink.is_some() && self.begun && !is_ignored && !self.is_too_deep() {
            self.trace(self.nesting.depth, on, Kind::Event(message));
        }
        match body {
            Some(body) if self.begun => self.run(on, body, message),
            None if self.begun && self.is_too_deep() => self.drop_event(),
            _ => Answer::Nothing,
        }
    }

    /// Whether each event must be traced or refused, because there is a sink or a limit of depth is reached. A handler can't
    /// change that.
    #[inline]
    pub(crate) fn is_watched(&mut self) -> bool {
        self.sink.is_some() || self.is_too_deep()
    }

    /// Sends those of `messages` that are `wanted`, in order, while the actor is alive.
    #[inline]
    pub(crate) fn post_each<const N: usize>(
        &mut self,
        on: ActorRef,
        messages: &'static [Message; N],
        wanted: EventSet,
    ) {
        if self.is_watched() {
            return self.post_each_watched(on, messages, wanted);
        }
        if !self.begun {
            return;
        }
        // Like `post`, but conditions that no handler can change are tested only once.
        let deeper = Deeper::enter(self);
        for (place, message) in messages.iter().enumerate() {
            if !wanted.contains(message.event) {
                continue;
            }
            // Events that run away lower the limit.
            if deeper.0.nesting.has_refused() {
                drop(deeper);
                return self.post_each_watched(on, &messages[place..], wanted);
            }
            let Some(head) = deeper.0.head(on) else { return };
            if let Some(body) = head.reactions.body(message.event) {
                (body.run)(deeper.0, on, body, message);
            }
        }
    }

    /// `post_each` for a [watched](Self::is_watched) level.
    #[cold]
    fn post_each_watched(&mut self, on: ActorRef, messages: &'static [Message], wanted: EventSet) {
        for message in messages {
            if wanted.contains(message.event) {
                self.post(on, message);
            }
        }
    }

    #[inline]
    pub(crate) fn is_too_deep(&mut self) -> bool {
        self.nesting.is_too_deep(&self.rules)
    }

    /// Warns once of a tick or call before play, but not in an editor, where play never begins.
    #[cold]
    pub(crate) fn warn_not_begun(&mut self) {
        if !self.settings.editor && !std::mem::replace(&mut self.told_not_begun, true) {
            self.warn(Warning::NotBegun);
        }
    }

    /// Runs a body for an actor, dead or alive, one level deeper.
    #[inline]
    pub(crate) fn run(&mut self, on: ActorRef, body: &'static Body, message: &Message) -> Answer {
        if self.is_too_deep() {
            return self.drop_event();
        }
        (body.run)(Deeper::enter(self).0, on, body, message)
    }

    #[cold]
    pub(crate) fn drop_event(&mut self) -> Answer {
        self.nesting.refuse();
        self.warn(Warning::Recursion);
        Answer::Nothing
    }

    /// The events that must be sent to actors of a class: those that have a body, or all if the level is
    /// [watched](Self::is_watched), because each is then traced or refused.
    #[inline]
    pub(crate) fn noticed(&mut self, class: &ActorClass) -> EventSet {
        if self.is_watched() {
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
    pub(crate) fn tell(&mut self, row: &'static str, on: ActorRef, event: Event, about: ActorRef) -> Answer {
        self.send(row, on, event, Value::Actor(about))
    }
}
