//! [`Clock`]: the time of a level, and the alarms of actors with sleeping timers.

use std::collections::BTreeMap;

use super::inner::Inner;
use crate::value::actor_ref::ActorRef;

/// The time of a level, in seconds. Timers that are not due soon sleep until their actor's alarm, and cost a frame nothing.
pub(crate) struct Clock {
    /// The time at the beginning of the running frame.
    before: f64,
    /// The time at the end of the running frame. Between two frames both times are equal.
    after: f64,
    /// The actors to wake, by the moment of their alarms. An alarm is outdated if the actor has died, or if its
    /// [`Waits`](super::waits::Waits) have another alarm.
    alarms: BTreeMap<Moment, Vec<ActorRef>>,
    /// The number of all alarms.
    len: usize,
    /// The number of alarms above which outdated ones are removed.
    crowded: usize,
}

/// A number of units of 1/64 s. Many alarms share one unit, so there are few lists.
pub(crate) type Moment = u64;

impl Default for Clock {
    fn default() -> Self {
        Self {
            before: 0.0,
            after: 0.0,
            alarms: BTreeMap::new(),
            len: 0,
            crowded: Self::FEW,
        }
    }
}

impl Clock {
    /// Up to this number of alarms, outdated ones stay.
    const FEW: usize = 64;

    /// The time at the end of the running frame, or the time now.
    pub(crate) const fn after(&self) -> f64 {
        self.after
    }
}

/// The moment that contains a time.
fn moment(time: f64) -> Moment {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the last moment"
    )]
    let moment = (time * 64.0) as Moment;
    moment
}

impl Inner {
    /// Wakes the actors whose alarms are in the frame.
    pub(crate) fn begin_frame(&mut self, seconds: f32) {
        let seconds = f64::from(seconds.max(0.0));
        let end = self.clock.before + seconds;
        let last = moment(end);
        while let Some(alarms) = self.clock.alarms.first_entry().filter(|it| *it.key() <= last) {
            let (at, actors) = alarms.remove_entry();
            self.clock.len -= actors.len();
            for actor in actors {
                // An outdated alarm wakes no actor.
                if self.alarm(actor) == Some(at) {
                    self.extra_mut(actor.index()).waits.alarm = None;
                    self.wake(actor.index());
                }
            }
        }
        // In an infinite frame all actors with an alarm are awake, and count the seconds themselves.
        if end.is_finite() {
            self.clock.after = end;
        }
    }

    pub(crate) fn end_frame(&mut self) {
        self.clock.before = self.clock.after;
    }

    /// The time up to which the timers of an actor have counted. After its turn, that is the end of the frame.
    pub(crate) fn time_of(&self, actor: ActorRef) -> f64 {
        if self.has_had_its_turn(actor) {
            self.clock.after
        } else {
            self.clock.before
        }
    }

    /// The alarm of a living actor.
    fn alarm(&self, actor: ActorRef) -> Option<Moment> {
        self.extra(self.find(actor)?)?.waits.alarm
    }

    /// Sets an actor's alarm, unless it has an earlier one.
    pub(crate) fn set_alarm(&mut self, actor: ActorRef, time: f64) {
        let at = moment(time);
        let alarm = &mut self.extra_mut(actor.index()).waits.alarm;
        if alarm.is_some_and(|earlier| earlier <= at) {
            return;
        }
        *alarm = Some(at);
        self.clock.alarms.entry(at).or_default().push(actor);
        self.clock.len += 1;
        if self.clock.len > self.clock.crowded {
            self.remove_outdated_alarms();
        }
    }

    #[cold]
    fn remove_outdated_alarms(&mut self) {
        let mut alarms = std::mem::take(&mut self.clock.alarms);
        alarms.retain(|at, actors| {
            actors.retain(|actor| self.alarm(*actor) == Some(*at));
            !actors.is_empty()
        });
        self.clock.len = alarms.values().map(Vec::len).sum();
        self.clock.crowded = Clock::FEW.max(2 * self.clock.len);
        self.clock.alarms = alarms;
    }
}

#[cfg(test)]
mod tests;
