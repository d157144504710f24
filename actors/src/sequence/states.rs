//! Changes of state.

use crate::class::state_index::StateIndex;
use crate::store::head::Fact;
use crate::store::inner::{Inner, Until};
use crate::store::warning::Warning;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Value};
use crate::value::name::Name;

impl Inner {
    pub(crate) fn goto_state(&mut self, slot: usize, name: Name) {
        self.goto_label(slot, name, Name::NONE);
    }

    /// Like `goto_state`, but the code begins at a label.
    pub(crate) fn goto_label(&mut self, slot: usize, name: Name, label: Name) {
        if let Some(next) = self.state_to_enter(slot, name) {
            self.enter_state(slot, next, label, false);
        }
    }

    /// Like `goto_state`, but sends the events even if the actor is in that state already.
    pub(crate) fn force_state(&mut self, slot: usize, name: Name) {
        if let Some(next) = self.state_to_enter(slot, name) {
            self.enter_state(slot, next, Name::NONE, self.rules.forced_states);
        }
    }

    /// The state with this name, or no state for [`Name::NONE`]. `None` if the state can't be entered. Logs a warning if the
    /// class lacks the state.
    pub(crate) fn state_to_enter(&mut self, slot: usize, name: Name) -> Option<StateIndex> {
        let head = &self.heads[slot];
        let class = head.class();
        if !head.can_change_state() {
            return None;
        }
        if name.is_none() {
            return Some(StateIndex::NONE);
        }
        let next = class.state_index(name);
        if next.is_none() {
            self.warn(Warning::UnknownState(class, name));
        }
        next
    }

    /// Enters a state of the actor's class, or no state, and puts its code at a label. Clears the paused states.
    ///
    /// If the actor is in that state already, only the code begins anew, unless `forced`.
    fn enter_state(&mut self, slot: usize, next: StateIndex, label: Name, forced: bool) {
        let head = &self.heads[slot];
        let (class, previous) = (head.class(), head.state);
        if !head.can_change_state() {
            return;
        }
        if previous == next && !forced {
            self.start_code(slot, label);
            return;
        }
        let Some(me) = self.reference(slot) else { return };
        let named = self.rules.state_arguments;
        let argument = |state| Value::Name(if named { class.state_name(state) } else { Name::NONE });
        // A handler of `end_state` may change the state, too. Then the actor is not sent `end_state` again.
        if !previous.is_none() && !head.is(Fact::Leaving) {
            self.heads[slot].set(Fact::Leaving, true);
            let leaving = Until(self, |level| level.heads[slot].set(Fact::Leaving, false));
            if !leaving.0.announce(me, Event::EndState, argument(next)) {
                return;
            }
        }
        // Only a push keeps the states below.
        if !self.paused(slot).is_empty() {
            let extra = self.extra_mut(slot);
            extra.paused.clear();
            extra.waits.paused.clear();
        }
        // The code is set before `begin_state`, so that its handler can go to another label.
        self.switch_state(slot, next);
        self.start_code(slot, label);
        if !next.is_none() {
            self.send("1.10", me, Event::BeginState, argument(previous));
        }
    }

    /// Sends a living actor the event before a change of its state. Returns `false` if the handler destroyed the actor or
    /// changed its state.
    pub(crate) fn announce(&mut self, me: ActorRef, event: Event, value: Value) -> bool {
        self.heads[me.index()].set(Fact::Moved, false);
        self.send("1.10", me, event, value);
        self.head(me).is_some_and(|head| !head.is(Fact::Moved))
    }

    /// Sets the state, without events, and marks it as changed for the `announce` that may be running.
    pub(crate) fn switch_state(&mut self, slot: usize, next: StateIndex) {
        let head = self.head_mut(slot);
        head.enter(next);
        head.set(Fact::Moved, true);
    }
}

/// The default body of `set_initial_state`.
pub(crate) fn set_initial_state(inner: &mut Inner, me: ActorRef, _: &Value) -> Answer {
    let me = me.index();
    if inner.rules.script_initialized {
        inner.heads[me].set(Fact::ScriptInitialized, true);
    }
    let initial = inner.properties(me).initial_state;
    if !initial.is_none() {
        inner.goto_state(me, initial);
    } else if let Some(auto) = inner.heads[me].class().auto_state {
        inner.enter_state(me, auto, Name::NONE, false);
    }
    Answer::Nothing
}
