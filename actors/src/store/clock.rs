//! [`Clock`]: the time of a level, and the alarms of actors whose timers sleep.

use std::collections::BTreeMap;

use super::inner::Inner;
use crate::value::actor_ref::ActorRef;

/// The time of a level, in seconds. An actor whose timers are not due soon sleeps until its alarm, and costs a frame nothing.
pub(crate) struct Clock {
    /// The time before the frame that goes on.
    before: f64,
    /// The time after it. The same between two frames.
    after: f64,
    /// The actors to wake, by the moment of their alarms. An alarm is outdated if the actor has died, or its
    /// [`Waits`](super::waits::Waits) have another one.
    alarms: BTreeMap<Moment, Vec<ActorRef>>,
    /// The number of all alarms.
    len: usize,
    /// The number of alarms above which outdated ones are removed.
    crowded: usize,
}

/// A 64th of a second: many actors have their alarms in one, so few lists are kept.
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
    /// Up to so many alarms, outdated ones stay.
    const FEW: usize = 64;

    /// The time after the frame that goes on, or the time now.
    pub(crate) const fn after(&self) -> f64 {
        self.after
    }
}

/// The moment in which a time is.
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
    /// A frame begins. Wakes the actors whose alarms are in it.
    pub(crate) fn begin_frame(&mut self, seconds: f32) {
        let seconds = f64::from(seconds.max(0.0));
        let end = self.clock.before + seconds;
        let last = moment(end);
        while let Some(alarms) = self.clock.alarms.first_entry().filter(|it| *it.key() <= last) {
            let (at, actors) = alarms.remove_entry();
            self.clock.len -= actors.len();
            for actor in actors {
                // An alarm that was replaced by an earlier one, or whose actor has died, wakes none.
                if self.alarm(actor) == Some(at) {
                    self.extra_mut(actor.index()).waits.alarm = None;
                    self.wake(actor.index());
                }
            }
        }
        // All actors with an alarm are awake in an infinite frame, and count its seconds themselves.
        if end.is_finite() {
            self.clock.after = end;
        }
    }

    /// The frame has ended.
    pub(crate) fn end_frame(&mut self) {
        self.clock.before = self.clock.after;
    }

    /// The time that the timers of an actor have reached: in a frame, an actor whose turn is over has counted the frame's seconds.
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

    /// An actor that dies before its alarm leaves it behind.
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
