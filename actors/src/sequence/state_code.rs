//! The code of states: its start, and its steps in a frame. Rows are those of the [crate](crate#steps).

use crate::class::code::{Code, Step};
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::send::Deeper;
use crate::store::waits::{Position, Wait};
use crate::store::warning::Warning;
use crate::value::actor_ref::ActorRef;
use crate::value::name::Name;

impl Inner {
    /// The greatest number of steps of one actor's code in one frame.
    const MOST_STEPS: usize = 10_000;

    /// Puts an actor at a label of its state's code, or ends its code if there is no such label. The code continues in the
    /// actor's next frame.
    pub(crate) fn start_code(&mut self, slot: usize, label: Name) {
        let head = &self.heads[slot];
        let class = head.class();
        let position = match head.reactions.code {
            // No code to enter or to leave. So most actors never get rare fields.
            None if self.extra(slot).is_none() => return,
            None => None,
            Some(code) => code.step_at(label),
        };
        if position.is_none() && !label.is_none() {
            let state = self.state_name(slot);
            self.warn(Warning::UnknownLabel(class, state, label));
        }
        self.extra_mut(slot).waits.code = position.map(Position::at);
        if position.is_some() {
            self.wait(slot);
        }
    }

    /// Keeps the place in the code while the state is paused.
    pub(crate) fn pause_code(&mut self, slot: usize) {
        let waits = &mut self.extra_mut(slot).waits;
        let position = waits.code.take();
        waits.paused.push(position);
    }

    pub(crate) fn continue_code(&mut self, slot: usize) {
        let waits = &mut self.extra_mut(slot).waits;
        waits.code = waits.paused.pop().flatten();
        if waits.code.is_some() {
            self.wait(slot);
        }
    }

    /// Runs the code of an actor's state up to its next wait, unless the code is asleep. After a change of state, continues
    /// with the code of the new state in the same frame.
    pub(crate) fn run_code(&mut self, actor: ActorRef, seconds: f32) {
        if self.is_asleep(actor, seconds) {
            return;
        }
        for _ in 0..Self::MOST_STEPS {
            let Some((code, place)) = self.next_step(actor) else {
                return;
            };
            // The closure of a step may change the state or the place in the code. Then `is_at` is `false`, and the change
            // stays.
            let deeper = Deeper::enter(self);
            let inner = &mut *deeper.0;
            match &code.steps[place] {
                Step::Run(run) => run(inner, actor),
                Step::Sleep(seconds) => {
                    let seconds = seconds(inner, actor);
                    // No sleep if the closure has left the state.
                    if inner.is_at(actor, code, place + 1) {
                        inner.extra_mut(actor.index()).waits.code = Some(Position {
                            step: place + 1,
                            sleep: Some(Wait::of(seconds)),
                        });
                        return;
                    }
                }
                Step::WaitUntil(is_over) => {
                    // Back to this step, which asks again in the next frame.
                    if !is_over(inner, actor) && inner.is_at(actor, code, place + 1) {
                        inner.extra_mut(actor.index()).waits.code = Some(Position::at(place));
                        return;
                    }
                }
                Step::Goto(label) => {
                    inner.extra_mut(actor.index()).waits.code = code.step_at(*label).map(Position::at);
                }
            }
        }
        // The place is kept, so the code continues there in the next frame.
        if let Some(slot) = self.find(actor) {
            let state = self.state_name(slot);
            self.warn(Warning::RunawayCode(self.heads[slot].class(), state));
        }
    }

    /// Adds `seconds` to a sleep. Returns whether the actor still sleeps, or has no code.
    fn is_asleep(&mut self, actor: ActorRef, seconds: f32) -> bool {
        let Some(slot) = self.find(actor) else { return true };
        let Some(position) = self.extra_mut(slot).waits.code.as_mut() else {
            return true;
        };
        let Some(sleep) = &mut position.sleep else { return false };
        sleep.passed += f64::from(seconds);
        if !sleep.is_over() {
            return true;
        }
        position.sleep = None;
        false
    }

    /// The next step of an actor's code. Sets the actor's place after that step.
    fn next_step(&mut self, actor: ActorRef) -> Option<(&'static Code, usize)> {
        let head = self.head(actor)?;
        let code = head.reactions.code;
        let position = &mut self.extra_mut(actor.index()).waits.code;
        let place = (*position)?.step;
        // After the last step, the code has ended.
        let code = code.filter(|code| place < code.steps.len());
        *position = code.map(|_| Position::at(place + 1));
        Some((code?, place))
    }

    /// Whether an actor is still at a place in this code.
    fn is_at(&self, actor: ActorRef, code: &'static Code, place: usize) -> bool {
        let Some(head) = self.head(actor) else { return false };
        let current = head.reactions.code;
        let position = self.extra(actor.index()).and_then(|extra| extra.waits.code);
        current.is_some_and(|it| std::ptr::eq(it, code)) && position.is_some_and(|it| it.step == place)
    }

    /// The part of an actor's frame after its `tick`.
    #[inline]
    pub(crate) fn go_on(&mut self, actor: ActorRef, seconds: f32) {
        if self.head(actor).is_some_and(|head| head.is(Fact::Waits)) {
            self.run_waits(actor, seconds);
        }
    }

    /// Runs the code of an actor's state, and its timers. Out of line, because most actors have neither.
    #[inline(never)]
    fn run_waits(&mut self, actor: ActorRef, seconds: f32) {
        // A negative or NaN time counts as 0.
        let seconds = seconds.max(0.0);
        self.wake(actor.index());
        self.run_code(actor, seconds);
        self.run_timers(actor, seconds);
        self.rest(actor, seconds);
    }
}
