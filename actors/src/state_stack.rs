//! States on top of each other: pushing and popping them, in the third generation.

use crate::level::Inner;
use crate::{ActorRef, Event, Name};

impl Inner {
    /// Puts a state on top of the active one. `false`, and no event, if that is not possible.
    pub(crate) fn push_state(&mut self, slot: usize, name: Name) -> bool {
        if !self.rules.state_stack {
            return false;
        }
        let Some(Some(next)) = self.state_to_enter(slot, name) else {
            return false;
        };
        let Some((me, previous)) = self.active(slot) else {
            return false;
        };
        let below = |inner: &Self| {
            let rare = inner.rare.of(slot);
            rare.is_some_and(|rare| rare.paused.contains(&Some(next)))
        };
        if previous == Some(next) || below(self) {
            return false;
        }
        let changes = self.records[slot].state_changes;
        if previous.is_some() {
            self.notify("1.10", me, Event::PausedState);
            // Destroyed, or an inner change of state has won.
            if !self.is_alive(me) || self.records[slot].state_changes != changes {
                return false;
            }
        }
        self.rare.entry(slot).paused.push(previous);
        self.switch_state(slot, Some(next));
        self.notify("1.10", me, Event::PushedState);
        true
    }

    /// Takes the uppermost state away. `false`, and no event, if there is none below.
    pub(crate) fn pop_state(&mut self, slot: usize) -> bool {
        let left = self.leave_uppermost(slot);
        if left {
            self.continue_state(slot);
        }
        left
    }

    /// Takes all states away but the lowest.
    pub(crate) fn pop_all_states(&mut self, slot: usize) -> bool {
        let mut left = false;
        while self.leave_uppermost(slot) {
            left = true;
        }
        if left {
            self.continue_state(slot);
        }
        left
    }

    /// `popped_state` in the uppermost state; then the one below is active.
    fn leave_uppermost(&mut self, slot: usize) -> bool {
        let paused = |inner: &Self| inner.rare.of(slot).map_or(0, |rare| rare.paused.len());
        let Some((me, _)) = self.active(slot) else { return false };
        if paused(self) == 0 {
            return false;
        }
        let changes = self.records[slot].state_changes;
        self.notify("1.10", me, Event::PoppedState);
        // Destroyed, or an inner change of state has won.
        if !self.is_alive(me) || self.records[slot].state_changes != changes {
            return false;
        }
        if let Some(below) = self.rare.of_mut(slot).and_then(|rare| rare.paused.pop()) {
            self.switch_state(slot, below);
        }
        true
    }

    fn continue_state(&mut self, slot: usize) {
        if let Some((me, Some(_))) = self.active(slot) {
            self.notify("1.10", me, Event::ContinuedState);
        }
    }

    /// The living actor in a slot, and the state that it is in.
    fn active(&self, slot: usize) -> Option<(ActorRef, Option<usize>)> {
        let record = &self.records[slot];
        let me = self.reference(slot).filter(|_| !record.dead)?;
        Some((me, record.state))
    }

    pub(crate) fn forget_paused(&mut self, slot: usize) {
        if let Some(rare) = self.rare.of_mut(slot) {
            rare.paused.clear();
        }
    }

    /// The states below the active one, the uppermost first.
    pub(crate) fn paused_states(&self, slot: usize) -> Vec<Name> {
        let states = &self.heads[slot].class.states;
        let name = |state: &Option<usize>| {
            state
                .and_then(|state| states.get(state))
                .map_or(Name::NONE, |it| it.name)
        };
        let rare = self.rare.of(slot);
        rare.map_or_else(Vec::new, |rare| rare.paused.iter().rev().map(name).collect())
    }
}
