//! The stack of states: pushes and pops. Third generation.

use crate::class::state_index::StateIndex;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Event, Value};
use crate::value::name::Name;

impl Inner {
    /// Returns `false`, and sends no event, if the state can't be pushed.
    pub(crate) fn push_state(&mut self, slot: usize, name: Name) -> bool {
        if !self.rules.state_stack {
            return false;
        }
        let Some(next) = self.state_to_enter(slot, name).filter(|next| !next.is_none()) else {
            return false;
        };
        let Some((me, previous)) = self.active(slot) else {
            return false;
        };
        // A state can be on the stack only once.
        if previous == next || self.paused(slot).contains(&next) {
            return false;
        }
        // If the handler changed the state, that change wins.
        if !previous.is_none() && !self.announce(me, Event::PausedState, Value::Nothing) {
            return false;
        }
        // The state and its place in the code are pushed together, and popped together.
        self.extra_mut(slot).paused.push(previous);
        self.pause_code(slot);
        self.switch_state(slot, next);
        self.start_code(slot, Name::NONE);
        self.notify("1.10", me, Event::PushedState);
        true
    }

    /// Pops the uppermost state. Returns `false`, and sends no event, if there is no state below.
    pub(crate) fn pop_state(&mut self, slot: usize) -> bool {
        let left = self.leave_uppermost(slot);
        if left {
            self.continue_state(slot);
        }
        left
    }

    /// Pops all states but the lowest.
    pub(crate) fn pop_all_states(&mut self, slot: usize) -> bool {
        let mut left = false;
        while !self.paused(slot).is_empty() {
            // A nested change of state wins, and sends its own events.
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

    /// Sends `popped_state` in the uppermost state, and then activates the state below.
    fn leave_uppermost(&mut self, slot: usize) -> bool {
        let Some((me, _)) = self.active(slot) else { return false };
        if self.paused(slot).is_empty() || !self.announce(me, Event::PoppedState, Value::Nothing) {
            return false;
        }
        if let Some(below) = self.extra_mut(slot).paused.pop() {
            self.switch_state(slot, below);
            self.continue_code(slot);
        }
        true
    }

    fn continue_state(&mut self, slot: usize) {
        if let Some((me, state)) = self.active(slot) {
            if !state.is_none() {
                self.notify("1.10", me, Event::ContinuedState);
            }
        }
    }

    /// The living actor in a slot, and its state.
    fn active(&self, slot: usize) -> Option<(ActorRef, StateIndex)> {
        let head = &self.heads[slot];
        let me = self.reference(slot).filter(|_| !head.is(Fact::Dead))?;
        Some((me, head.state))
    }

    /// The states below the active one, the uppermost first.
    pub(crate) fn paused_states(&self, slot: usize) -> Vec<Name> {
        let class = self.heads[slot].class();
        let paused = self.paused(slot).iter().rev();
        paused.map(|state| class.state_name(*state)).collect()
    }
}
