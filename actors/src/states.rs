//! States: entering and leaving them.

use crate::event::Value;
use crate::level::Inner;
use crate::{ActorRef, Event, Name, Warning};

/// The actor in a slot leaves a state, until this is dropped.
struct Leaving<'a>(&'a mut Inner, usize);

impl<'a> Leaving<'a> {
    fn enter(inner: &'a mut Inner, slot: usize) -> Self {
        inner.records[slot].leaving = true;
        Self(inner, slot)
    }
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.records[self.1].leaving = false;
    }
}

impl Inner {
    /// Changes the state of the actor in a slot. Nothing happens if it is dead, has no states yet, or is in that state.
    pub(crate) fn goto_state(&mut self, slot: usize, name: Name) {
        if let Some(next) = self.state_to_enter(slot, name) {
            self.enter_state(slot, next, false);
        }
    }

    /// As `goto_state`, with the events also if it is in that state.
    pub(crate) fn force_state(&mut self, slot: usize, name: Name) {
        if let Some(next) = self.state_to_enter(slot, name) {
            self.enter_state(slot, next, self.rules.forced_states);
        }
    }

    /// The state of this name, or `Some(None)` for no state. Nothing, and maybe a warning, if it can't be entered.
    #[allow(clippy::option_option, reason = "no such state and no state are two things")]
    pub(crate) fn state_to_enter(&mut self, slot: usize, name: Name) -> Option<Option<usize>> {
        let class = self.heads[slot].class;
        let record = &self.records[slot];
        if record.dead || !record.has_states {
            return None;
        }
        let next = if name.is_none() { None } else { class.state_index(name) };
        if next.is_none() && !name.is_none() {
            self.warn(Warning::UnknownState(class, name));
            return None;
        }
        Some(next)
    }

    /// Enters a state of the actor's class, or none; states that were paused below are forgotten.
    fn enter_state(&mut self, slot: usize, next: Option<usize>, forced: bool) {
        let class = self.heads[slot].class;
        let record = &self.records[slot];
        let previous = record.state;
        if record.dead || !record.has_states || (previous == next && !forced) {
            return;
        }
        let Some(me) = self.reference(slot) else { return };
        let argument = |known: bool, state: Option<usize>| {
            let name = state.filter(|_| known).and_then(|state| class.states.get(state));
            Value::Name(name.map_or(Name::NONE, |state| state.name))
        };
        let named = self.rules.state_arguments;
        if previous.is_some() && !self.records[slot].leaving {
            let changes = self.records[slot].state_changes;
            Leaving::enter(self, slot)
                .0
                .send("1.10", me, Event::EndState, argument(named, next));
            // Destroyed, or an inner change of state has won.
            if !self.is_alive(me) || self.records[slot].state_changes != changes {
                return;
            }
        }
        self.forget_paused(slot);
        self.switch_state(slot, next);
        if next.is_some() {
            self.send("1.10", me, Event::BeginState, argument(named, previous));
        }
    }

    /// Without events. Whoever was about to change the state finds that somebody else has.
    pub(crate) fn switch_state(&mut self, slot: usize, next: Option<usize>) {
        let record = &mut self.records[slot];
        record.state = next;
        record.state_changes = record.state_changes.wrapping_add(1);
    }

    pub(crate) fn state_name(&self, slot: usize) -> Name {
        let record = &self.records[slot];
        let state = record.state.and_then(|state| self.heads[slot].class.states.get(state));
        state.map_or(Name::NONE, |state| state.name)
    }

    pub(crate) fn reference(&self, slot: usize) -> Option<ActorRef> {
        let life = std::num::NonZeroU32::new(self.heads[slot].life)?;
        self.number.reference(slot, life)
    }
}

/// The default body of `set_initial_state`.
pub(crate) fn set_initial_state(inner: &mut Inner, me: usize, _: Value) -> Value {
    if inner.rules.script_initialized {
        inner.records[me].script_initialized = true;
    }
    let initial = inner.records[me].properties.initial_state;
    if !initial.is_none() {
        inner.goto_state(me, initial);
    } else if let Some(auto) = inner.heads[me].class.auto_state {
        inner.enter_state(me, Some(auto), false);
    }
    Value::Nothing
}
