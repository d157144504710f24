//! Timers: setting them, and advancing them in a frame. Rows are those of the [crate](crate#steps).

use crate::class::function::Function;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::waits::{RunningTimer, TimerTarget, Wait};
use crate::store::warning::Warning;
use crate::value::actor_ref::ActorRef;
use crate::value::event::Event;
use crate::value::timer::{Repeat, Timer};

impl Inner {
    /// The greatest number of times that a timer runs out in one frame. Further times are dropped.
    const MOST_ENDS: u32 = 100;

    /// Timers that are due within this number of frames do not sleep.
    const SOON: f64 = 4.0;

    /// Makes each frame visit the actor in a slot for its timers and the code of its state.
    pub(crate) fn wait(&mut self, slot: usize) {
        self.head_mut(slot).set(Fact::Waits, true);
    }

    /// Wakes the timers of the actor in a slot. From then on they count in each frame.
    pub(crate) fn wake(&mut self, slot: usize) {
        let Some(since) = self.extra(slot).and_then(|extra| extra.waits.asleep) else {
            return;
        };
        let Some(actor) = self.reference(slot) else { return };
        let passed = self.time_of(actor) - since;
        let waits = &mut self.extra_mut(slot).waits;
        waits.asleep = None;
        for timer in &mut waits.timers {
            timer.pass(passed);
        }
        self.wait(slot);
    }

    /// Ends an actor's part of a frame. If the actor has only timers, and none is due soon, they sleep: no frame visits the
    /// actor for them before its alarm.
    pub(crate) fn rest(&mut self, actor: ActorRef, seconds: f32) {
        let Some(slot) = self.find(actor) else { return };
        let Some(extra) = self.extra(slot).filter(|extra| !extra.waits.is_empty()) else {
            self.heads[slot].set(Fact::Waits, false);
            return;
        };
        let left = extra.waits.left();
        // An alarm costs as much as counting in a few frames.
        if extra.waits.code.is_some() || left.is_some_and(|left| left <= f64::from(seconds) * Self::SOON) {
            return;
        }
        self.heads[slot].set(Fact::Waits, false);
        let now = self.clock.after();
        self.extra_mut(slot).waits.asleep = Some(now);
        if let Some(left) = left {
            self.set_alarm(actor, now + left);
        }
    }

    /// Sets a timer anew, or clears it if `seconds` is not positive and finite. Returns whether it runs.
    pub(crate) fn set_timer(&mut self, slot: usize, target: TimerTarget, seconds: f32, repeat: Repeat) -> bool {
        if self.heads[slot].is(Fact::Dead) {
            return false;
        }
        let runs = seconds.is_finite() && seconds > 0.0;
        // A new number each time, so that a running frame can tell the new timer from the old one.
        let number = self.next_timer;
        // Without rare fields there is no timer to clear, so none are added.
        if !runs && self.extra(slot).is_none() {
            return false;
        }
        // All timers of an actor sleep from the same moment, so the others must count up to now first.
        self.wake(slot);
        let timers = &mut self.extra_mut(slot).waits.timers;
        timers.retain(|timer| timer.target != target);
        if runs {
            timers.push(RunningTimer {
                number,
                target,
                wait: Wait::of(seconds),
                repeat,
                is_paused: false,
            });
            self.next_timer += 1;
            self.wait(slot);
        }
        runs
    }

    /// Like `set_timer`, for a function. Returns `false` if the rules have no such timers, or, with a warning, if the class
    /// does not have the function.
    pub(crate) fn set_timer_of<T>(
        &mut self,
        slot: usize,
        function: &'static Function<T>,
        seconds: f32,
        repeat: Repeat,
    ) -> bool {
        if !self.rules.named_timers {
            return false;
        }
        let class = self.heads[slot].class();
        if class.functions.entry(function.place(), function.id()).is_none() {
            self.warn(Warning::NoFunction(class, function.name()));
            return false;
        }
        self.set_timer(slot, target_of(function), seconds, repeat)
    }

    pub(crate) fn clear_timers(&mut self, slot: usize) {
        if self.extra(slot).is_some() {
            self.extra_mut(slot).waits.timers.clear();
        }
    }

    pub(crate) fn timer(&self, slot: usize, target: TimerTarget) -> Option<Timer> {
        let timers = &self.extra(slot)?.waits.timers;
        let found = timers.iter().find(|timer| timer.target == target)?;
        Some(self.counted(slot, found).into())
    }

    /// A timer of the actor in a slot, including the seconds that it has slept.
    pub(crate) fn counted(&self, slot: usize, timer: &RunningTimer) -> RunningTimer {
        let mut timer = *timer;
        let since = self.extra(slot).and_then(|extra| extra.waits.asleep);
        if let (Some(since), Some(actor)) = (since, self.reference(slot)) {
            timer.pass(self.time_of(actor) - since);
        }
        timer
    }

    /// Pauses or resumes a timer. Returns `false` if it does not run.
    pub(crate) fn pause_timer(&mut self, slot: usize, target: TimerTarget, is_paused: bool) -> bool {
        if self.timer(slot, target).is_none() {
            return false;
        }
        self.wake(slot);
        let timer = self.extra_mut(slot).waits.timer(target);
        timer.map(|timer| timer.is_paused = is_paused).is_some()
    }

    /// Adds the seconds to the timers that an actor has now. Timers that handlers set meanwhile begin in the next frame.
    pub(crate) fn run_timers(&mut self, actor: ActorRef, seconds: f32) {
        let mut next = 0;
        let end = self.next_timer;
        while let Some((number, target, ends)) = self.pass_time(actor, next..end, seconds) {
            next = number + 1;
            for _ in 0..ends {
                self.ring(actor, target);
                // Stops if a handler has set, cleared or paused the timer.
                let is_there = |timer: &RunningTimer| timer.number == number && !timer.is_paused;
                let timers = self.find(actor).and_then(|slot| self.extra(slot));
                if !timers.is_some_and(|extra| extra.waits.timers.iter().any(is_there)) {
                    break;
                }
            }
        }
    }

    /// Adds the seconds to the next timer, among these numbers, that is not paused. Returns its number, its target, and how
    /// often it runs out.
    fn pass_time(
        &mut self,
        actor: ActorRef,
        numbers: std::ops::Range<u64>,
        seconds: f32,
    ) -> Option<(u64, TimerTarget, u32)> {
        let slot = self.find(actor)?;
        self.extra(slot)?;
        let timers = &mut self.extra_mut(slot).waits.timers;
        let place = timers
            .iter()
            .position(|it| numbers.contains(&it.number) && !it.is_paused)?;
        let timer = &mut timers[place];
        let (number, target) = (timer.number, timer.target);
        timer.pass(seconds.into());
        if !timer.wait.is_over() {
            return Some((number, target, 0));
        }
        if timer.repeat == Repeat::Once {
            // Removed before its event, because the handler may set it again.
            timers.remove(place);
            return Some((number, target, 1));
        }
        let rate = timer.wait.seconds;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1")]
        let ends = (timer.wait.passed() / rate) as u32;
        let (count, rate) = (&mut timer.wait.passed, f64::from(rate));
        // The rest is slightly below zero if the count was rounded up to the rate.
        *count = if ends <= Self::MOST_ENDS {
            *count - f64::from(ends) * rate
        } else {
            *count % rate
        };
        // An infinite count has no rest.
        if !count.is_finite() {
            *count = 0.0;
        }
        Some((number, target, ends.min(Self::MOST_ENDS)))
    }

    fn ring(&mut self, actor: ActorRef, target: TimerTarget) {
        match target {
            TimerTarget::Event => self.notify("1.12", actor, Event::Timer),
            TimerTarget::Function(place, id) => {
                let Some(head) = self.head(actor) else { return };
                let body = head.reactions.functions.entry(place, id).and_then(|it| it.body);
                self.run_function::<(), ()>(actor, body, ());
            }
        }
    }
}

/// The target of a function's timer.
pub(crate) fn target_of<T>(function: &'static Function<T>) -> TimerTarget {
    TimerTarget::Function(function.place(), function.id())
}
