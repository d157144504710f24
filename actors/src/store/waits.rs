//! [`Waits`]: the timers of an actor, and its place in the code of its state.

use super::clock::Moment;
use crate::class::function::FunctionId;
use crate::value::timer::{Repeat, Timer};

/// The waits of an actor: its timers, and the sleeps in the code of its state.
#[derive(Default)]
pub(crate) struct Waits {
    /// The timers, by ascending number.
    pub(crate) timers: Vec<RunningTimer>,
    /// The place in the code. `None` if the state has no code, or if the code has ended.
    pub(crate) code: Option<Position>,
    /// The place in the code of each paused state, in the order of the list of paused states.
    pub(crate) paused: Vec<Option<Position>>,
    /// If the timers sleep, the time up to which they have counted.
    pub(crate) asleep: Option<f64>,
    /// The actor's next alarm. It may have been set for a timer that no longer exists.
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

    /// The seconds until the first timer that is not paused may be due.
    pub(crate) fn left(&self) -> Option<f64> {
        let running = self.timers.iter().filter(|timer| !timer.is_paused);
        running.map(|timer| timer.wait.left()).reduce(f64::min)
    }

    pub(crate) fn timer(&mut self, target: TimerTarget) -> Option<&mut RunningTimer> {
        self.timers.iter_mut().find(|timer| timer.target == target)
    }
}

/// Seconds that have to pass. They are counted in an `f64`, because a large `f32` would absorb a short frame.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Wait {
    pub(crate) seconds: f32,
    pub(crate) passed: f64,
}

impl Wait {
    pub(crate) const fn of(seconds: f32) -> Self {
        Self { seconds, passed: 0.0 }
    }

    /// The seconds that have passed, rounded: a hundred frames of `0.01_f32` are a second, although their sum is a little less.
    pub(crate) const fn passed(&self) -> f32 {
        #[allow(clippy::cast_possible_truncation, reason = "rounded")]
        let passed = self.passed as f32;
        passed
    }

    /// `true` if `seconds` is NaN.
    pub(crate) fn is_over(&self) -> bool {
        let goes_on = self.seconds > self.passed();
        !goes_on
    }

    /// A little less than the seconds until it is over, because `passed` may be rounded up.
    pub(crate) fn left(&self) -> f64 {
        f64::from(self.seconds) * (1.0 - 1e-6) - self.passed
    }
}

/// A place in the code of a state.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Position {
    /// The next step.
    pub(crate) step: usize,
    /// The sleep before that step.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub(crate) sleep: Option<Wait>,
}

impl Position {
    pub(crate) const fn at(step: usize) -> Self {
        Self { step, sleep: None }
    }
}

/// A timer that has not run out.
#[derive(Clone, Copy)]
pub(crate) struct RunningTimer {
    /// Its number among all timers of the level. A timer that is set anew gets a new number.
    pub(crate) number: u64,
    pub(crate) target: TimerTarget,
    pub(crate) wait: Wait,
    pub(crate) repeat: Repeat,
    pub(crate) is_paused: bool,
}

impl RunningTimer {
    /// Adds passed seconds, unless the timer is paused.
    pub(crate) fn pass(&mut self, seconds: f64) {
        if !self.is_paused {
            self.wait.passed += seconds;
        }
    }
}

impl From<RunningTimer> for Timer {
    fn from(timer: RunningTimer) -> Self {
        Self {
            rate: timer.wait.seconds,
            // A rounded end that came too early leaves a value below zero.
            count: timer.wait.passed().max(0.0),
            repeat: timer.repeat,
            is_paused: timer.is_paused,
        }
    }
}

/// The callback of a timer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimerTarget {
    /// The event `timer`.
    Event,
    /// The function with this id, at this place.
    Function(usize, FunctionId),
}
