//! [`Waits`]: the timers of an actor, and its place in the code of its state.

use super::clock::Moment;
use crate::class::function::FunctionId;
use crate::value::timer::Timer;

/// The time that an actor lets pass: for its timers, and in the code of its state.
#[derive(Default)]
pub(crate) struct Waits {
    /// By their numbers, which rise.
    pub(crate) timers: Vec<RunningTimer>,
    /// The place in the code; none, if the state has no code or it has ended.
    pub(crate) code: Option<Position>,
    /// The places in the code of paused states, in the order of their list.
    pub(crate) paused: Vec<Option<Position>>,
    /// The time up to which the timers have counted, if they sleep: their counts are behind by the time since then.
    pub(crate) asleep: Option<f64>,
    /// The actor's next alarm. It may have been set for a timer that is no longer there.
    pub(crate) alarm: Option<Moment>,
}

impl Waits {
    pub(crate) fn is_empty(&self) -> bool {
        self.timers.is_empty() && self.code.is_none()
    }

    pub(crate) fn clear(&mut self) {
        self.timers.clear();
        self.code = None;
        self.paused.clear();
        self.asleep = None;
        self.alarm = None;
    }

    /// The seconds until the first timer is due, of those that are not paused.
    pub(crate) fn left(&self) -> Option<f32> {
        let running = self.timers.iter().map(|it| it.timer).filter(|timer| !timer.is_paused);
        running.map(|timer| timer.rate - timer.count).reduce(f32::min)
    }

    pub(crate) fn timer(&mut self, target: TimerTarget) -> Option<&mut RunningTimer> {
        self.timers.iter_mut().find(|timer| timer.target == target)
    }
}

/// A place in the code of a state.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    /// The next step.
    pub(crate) step: usize,
    /// The seconds that are left of a sleep.
    pub(crate) sleep: Option<f32>,
}

impl Position {
    pub(crate) const fn at(step: usize) -> Self {
        Self { step, sleep: None }
    }
}

/// A timer that has not run out.
pub(crate) struct RunningTimer {
    /// Its number among all timers of the level. A timer that is set anew has a new one.
    pub(crate) number: u64,
    pub(crate) target: TimerTarget,
    pub(crate) timer: Timer,
}

/// The callback of a timer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimerTarget {
    /// The event `timer`.
    Event,
    /// The function with this id, at this place.
    Function(usize, FunctionId),
}
