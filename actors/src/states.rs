//! States: entering and leaving them.

use crate::event::{Answer, Value};
use crate::level::{Fact, Inner, StateIndex};
use crate::{ActorRef, Event, Name, Warning};

/// The actor in a slot leaves a state, until this is dropped.
struct Leaving<'a>(&'a mut Inner, usize);

impl<'a> Leaving<'a> {
    fn enter(inner: &'a mut Inner, slot: usize) -> Self {
        let head = &mut inner.heads[slot];
        head.set(Fact::Leaving, true);
        head.set(Fact::Moved, false);
        Self(inner, slot)
    }
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.heads[self.1].set(Fact::Leaving, false);
    }
}

impl Inner {
    /// Changes the state of the actor in a slot. Nothing happens if it is dead, has no states yet, or is in that state.
    pub(crate) fn goto_state(&mut self, slot: usize, name: Name) {
        let head = &self.heads[slot];
        let class = head.class;
        let next = if name.is_none() {
            Some(StateIndex::NONE)
        } else {
            class.state_index(name)
        };
        match next {
            Some(next) => self.enter_state(slot, next),
            None if head.is(Fact::Dead) || !head.is(Fact::HasStates) => {}
            None => self.warn(Warning::UnknownState(class, name)),
        }
    }

    /// As `goto_state`, to a state of the actor's class or to none.
    fn enter_state(&mut self, slot: usize, next: StateIndex) {
        let head = &self.heads[slot];
        let (class, previous) = (head.class, head.state);
        if head.is(Fact::Dead) || !head.is(Fact::HasStates) || previous == next {
            return;
        }
        let Some(me) = self.reference(slot) else { return };
        let named = self.rules.state_arguments;
        let argument = |state| Value::Name(if named { class.state_name(state) } else { Name::NONE });
        if !previous.is_none() && !head.is(Fact::Leaving) {
            Leaving::enter(self, slot)
                .0
                .send("1.10", me, Event::EndState, argument(next));
            // Destroyed, or an inner change of state has won.
            if !self.is_alive(me) || self.heads[slot].is(Fact::Moved) {
                return;
            }
        }
        let head = &mut self.heads[slot];
        head.state = next;
        head.set(Fact::Moved, true);
        if !next.is_none() {
            self.send("1.10", me, Event::BeginState, argument(previous));
        }
    }

    pub(crate) fn state_name(&self, slot: usize) -> Name {
        let head = &self.heads[slot];
        head.class.state_name(head.state)
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
    } else if let Some(auto) = inner.heads[me].class.auto_state {
        inner.enter_state(me, auto);
    }
    Answer::Nothing
}
