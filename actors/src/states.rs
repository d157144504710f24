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
        let class = self.heads[slot].class;
        let next = if name.is_none() { None } else { class.state_index(name) };
        let record = &self.records[slot];
        if next.is_none() && !name.is_none() && !record.dead && record.has_states {
            self.warn(Warning::UnknownState(class, name));
            return;
        }
        self.enter_state(slot, next);
    }

    /// As `goto_state`, to a state of the actor's class or to none.
    fn enter_state(&mut self, slot: usize, next: Option<usize>) {
        let class = self.heads[slot].class;
        let record = &self.records[slot];
        let previous = record.state;
        if record.dead || !record.has_states || previous == next {
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
        let record = &mut self.records[slot];
        record.state = next;
        record.state_changes = record.state_changes.wrapping_add(1);
        if next.is_some() {
            self.send("1.10", me, Event::BeginState, argument(named, previous));
        }
    }

    pub(crate) fn state_name(&self, slot: usize) -> Name {
        let record = &self.records[slot];
        let state = record.state.and_then(|state| self.heads[slot].class.states.get(state));
        state.map_or(Name::NONE, |state| state.name)
    }

    pub(crate) fn reference(&self, slot: usize) -> Option<ActorRef> {
        let life = std::num::NonZeroU32::new(self.heads[slot].life)?;
        Some(ActorRef::new(u32::try_from(slot).ok()?, life))
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
        inner.enter_state(me, Some(auto));
    }
    Value::Nothing
}
