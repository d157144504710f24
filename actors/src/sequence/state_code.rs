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
    /// The number of steps of one actor's code in one frame.
    const MOST_STEPS: usize = 10_000;

    /// Puts an actor at a label of its state's code, or out of the code that it was in. It goes on in its next frame.
    pub(crate) fn start_code(&mut self, slot: usize, label: Name) {
        let head = &self.heads[slot];
        let class = head.class();
        let position = match head.reactions.code {
            // No code, and none to leave: most actors never get the record of waits.
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

    /// The place in the code waits while the state is paused.
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

    /// Runs the code of an actor's state up to its next wait, if no wait goes on. A change of state goes on with the code of the
    /// new state, in the same frame.
    pub(crate) fn run_code(&mut self, actor: ActorRef, seconds: f32) {
        if self.is_asleep(actor, seconds) {
            return;
        }
        for _ in 0..Self::MOST_STEPS {
            let Some((code, place)) = self.next_step(actor) else {
                return;
            };
            // A closure of a step may change the state or the place in the code. Then `is_at` fails, and that change stays.
            let deeper = Deeper::enter(self);
            let inner = &mut *deeper.0;
            match &code.steps[place] {
                Step::Run(run) => run(inner, actor),
                Step::Sleep(seconds) => {
                    let seconds = seconds(inner, actor);
                    // A sleep of a state that the answer has left is none.
                    if inner.is_at(actor, code, place + 1) {
                        inner.extra_mut(actor.index()).waits.code = Some(Position {
                            step: place + 1,
                            sleep: Some(Wait::of(seconds)),
                        });
                        return;
                    }
                }
                Step::WaitUntil(is_over) => {
                    // Asked again in the next frame: back to this step.
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
        // The place is kept, so the next frame goes on there.
        if let Some(slot) = self.find(actor) {
            let state = self.state_name(slot);
            self.warn(Warning::RunawayCode(self.heads[slot].class(), state));
        }
    }

    /// Lets the seconds of a sleep pass. `false` if it is over, or there is none.
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

    /// The next step of an actor's code. Its place is set behind the step.
    fn next_step(&mut self, actor: ActorRef) -> Option<(&'static Code, usize)> {
        let head = self.head(actor)?;
        let code = head.reactions.code;
        let position = &mut self.extra_mut(actor.index()).waits.code;
        let place = (*position)?.step;
        // Behind the last step the code has ended.
        let code = code.filter(|code| place < code.steps.len());
        *position = code.map(|_| Position::at(place + 1));
        Some((code?, place))
    }

    /// Whether an actor is still at a place of this code: no handler has changed its state or put it at a label.
    fn is_at(&self, actor: ActorRef, code: &'static Code, place: usize) -> bool {
        let Some(head) = self.head(actor) else { return false };
        let current = head.reactions.code;
        let position = self.extra(actor.index()).and_then(|extra| extra.waits.code);
        current.is_some_and(|it| std::ptr::eq(it, code)) && position.is_some_and(|it| it.step == place)
    }

    /// The part of an actor's frame behind its `tick`.
    #[inline]
    pub(crate) fn go_on(&mut self, actor: ActorRef, seconds: f32) {
        if self.head(actor).is_some_and(|head| head.is(Fact::Waits)) {
            self.run_waits(actor, seconds);
        }
    }

    /// The code of an actor's state, and its timers. Out of line, as most actors have neither.
    #[inline(never)]
    fn run_waits(&mut self, actor: ActorRef, seconds: f32) {
        // Time neither stands still for ever nor goes back.
        let seconds = seconds.max(0.0);
        self.wake(actor.index());
        self.run_code(actor, seconds);
        self.run_timers(actor, seconds);
        self.rest(actor, seconds);
    }
}
