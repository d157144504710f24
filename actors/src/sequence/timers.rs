//! Timers, in a frame and when they are set. Rows are those of the [crate](crate#steps).

use crate::class::function::Function;
use crate::store::head::Fact;
use crate::store::inner::Inner;
use crate::store::waits::{RunningTimer, TimerTarget};
use crate::store::warning::Warning;
use crate::value::actor_ref::ActorRef;
use crate::value::event::Event;
use crate::value::timer::{Repeat, Timer};

impl Inner {
    /// A timer runs out at most so often in one frame; the other times are dropped.
    const MOST_ENDS: f32 = 100.0;

    /// The actor in a slot is looked at in each frame: it has timers, or is in the code of its state.
    pub(crate) fn wait(&mut self, slot: usize) {
        self.heads[slot].set(Fact::Waits, true);
        self.new_waits = true;
    }

    /// Sets a timer anew, or clears it if there are no seconds. Returns whether it runs.
    pub(crate) fn set_timer(&mut self, slot: usize, target: TimerTarget, seconds: f32, repeat: Repeat) -> bool {
        if self.heads[slot].is(Fact::Dead) {
            return false;
        }
        let runs = seconds.is_finite() && seconds > 0.0;
        let number = self.next_timer;
        if !runs && self.extra(slot).is_none() {
            return false;
        }
        let timers = &mut self.extra_mut(slot).waits.timers;
        timers.retain(|timer| timer.target != target);
        if runs {
            timers.push(RunningTimer {
                number,
                target,
                timer: Timer {
                    rate: seconds,
                    count: 0.0,
                    repeat,
                    is_paused: false,
                },
            });
            self.next_timer += 1;
            self.wait(slot);
        }
        runs
    }

    /// As `set_timer`, for a function. `false` if the rules have no such timers, or the class has no such function, with a
    /// warning.
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
        let found = timers.iter().find(|timer| timer.target == target);
        found.map(|timer| timer.timer)
    }

    /// Stops or continues a timer. `false` if it does not run.
    pub(crate) fn pause_timer(&mut self, slot: usize, target: TimerTarget, is_paused: bool) -> bool {
        if self.timer(slot, target).is_none() {
            return false;
        }
        let timer = self.extra_mut(slot).waits.timer(target);
        timer.map(|timer| timer.timer.is_paused = is_paused).is_some()
    }

    /// The seconds pass for the timers that an actor has now; those that handlers set meanwhile begin in the next frame.
    pub(crate) fn run_timers(&mut self, actor: ActorRef, seconds: f32) {
        let mut next = 0;
        let end = self.next_timer;
        while let Some((number, target, ends)) = self.pass_time(actor, next..end, seconds) {
            next = number + 1;
            for _ in 0..ends {
                self.ring(actor, target);
                // Not again, if a handler has set or cleared it.
                let is_there = |timer: &RunningTimer| timer.number == number;
                let timers = self.find(actor).and_then(|slot| self.extra(slot));
                if !timers.is_some_and(|extra| extra.waits.timers.iter().any(is_there)) {
                    break;
                }
            }
        }
    }

    /// The seconds pass for the next timer among these numbers that is not paused. Returns its number and how often it runs out. A
    /// timer that does so for good is removed.
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
            .position(|it| numbers.contains(&it.number) && !it.timer.is_paused)?;
        let RunningTimer { number, target, timer } = &mut timers[place];
        let (number, target) = (*number, *target);
        timer.count += seconds;
        if timer.count < timer.rate {
            return Some((number, target, 0));
        }
        if timer.repeat == Repeat::Once {
            timers.remove(place);
            return Some((number, target, 1));
        }
        let ends = (timer.count / timer.rate).min(Self::MOST_ENDS);
        // An infinite count has no rest.
        let rest = timer.count % timer.rate;
        timer.count = if rest.is_finite() { rest } else { 0.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 100")]
        let ends = ends as u32;
        Some((number, target, ends))
    }

    /// A timer has run out.
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
