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
        let before = self.active(slot);
        let Some((me, previous, _)) = before else { return false };
        let rare = self.rare.of(slot);
        let below = rare.is_some_and(|rare| rare.paused.contains(&Some(next)));
        if previous == Some(next) || below {
            return false;
        }
        if previous.is_some() {
            self.notify("1.10", me, Event::PausedState);
            // Destroyed, or an inner change of state has won.
            if self.active(slot) != before {
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
        while let Some((_, _, 1..)) = self.active(slot) {
            if !self.leave_uppermost(slot) {
                return left;
            }
            left = true;
        }
        if left {
            self.continue_state(slot);
        }
        left
    }

    /// `popped_state` in the uppermost state; then the one below is active.
    fn leave_uppermost(&mut self, slot: usize) -> bool {
        let before = self.active(slot);
        let Some((me, _, 1..)) = before else { return false };
        self.notify("1.10", me, Event::PoppedState);
        // Destroyed, or an inner change of state has won.
        if self.active(slot) != before {
            return false;
        }
        if let Some(below) = self.rare.of_mut(slot).and_then(|rare| rare.paused.pop()) {
            self.switch_state(slot, below);
        }
        true
    }

    fn continue_state(&mut self, slot: usize) {
        if let Some((me, Some(_), _)) = self.active(slot) {
            self.notify("1.10", me, Event::ContinuedState);
        }
    }

    /// The living actor in a slot, the state that it is in, and how many are below.
    fn active(&self, slot: usize) -> Option<(ActorRef, Option<usize>, usize)> {
        let record = &self.records[slot];
        let me = self.reference(slot).filter(|_| !record.dead)?;
        let below = self.rare.of(slot).map_or(0, |rare| rare.paused.len());
        Some((me, record.state, below))
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
