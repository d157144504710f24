//! Pins, guards, and manual frees up to the point where one of them owns the object.

use super::own::issue;
use super::{Moved, Turn};
use crate::memory::{DEFER, MANUAL, NONE, Var};
use crate::scenario::{Key, Op};
use crate::state::{Content, Set, Step};
use crate::{Bug, Event, Fault};

impl Turn<'_> {
    /// `e = EPOCH`, unless the thread is pinned already.
    pub(super) fn pin(&mut self) {
        let forgotten = self.bug(Bug::ManualWithoutPin) && self.op() != Some(Op::Pin);
        if self.peek().pins != 0 || forgotten {
            self.me().pins += 1;
            self.pinned();
            return;
        }
        let epoch = self.state.memory.epoch;
        self.go(Step::RaiseFlag(epoch));
    }

    /// `flag = e | 1`
    pub(super) fn raise_flag(&mut self, epoch: i8) -> Moved {
        if !self.has_room() {
            return false;
        }
        self.store(Var::Flag(self.thread), epoch | 1);
        self.me().pins = 1;
        if self.bug(Bug::PinLooksTooEarly) {
            return self.go(Step::LookBeforeReading);
        }
        self.go(Step::PinFence)
    }

    pub(super) fn pin_fence(&mut self) {
        self.fence();
        if self.bug(Bug::PinLooksTooEarly) {
            self.pinned();
        } else {
            self.go(Step::LookBeforeReading);
        }
    }

    /// The mode allows for the thread.
    pub(super) fn after_look(&mut self) {
        if self.bug(Bug::PinLooksTooEarly) {
            self.go(Step::PinFence);
        } else {
            self.pinned();
        }
    }

    /// Lives may be looked at.
    fn pinned(&mut self) {
        if self.op() == Some(Op::Pin) {
            self.done();
        } else {
            self.go(if self.bug(Bug::ManualWithoutLook) {
                Step::ClaimManual
            } else {
                Step::FindManual
            });
        }
    }

    /// Under a pin: `life == key`, and what is found stays in sight.
    pub(super) fn read(&mut self, key: Key) {
        if self.load(Var::Life(key.slot)) == key.life {
            self.resolve(key);
            self.me().sees.add(key.slot);
        } else {
            self.refuse(key, Event::Refused);
        }
        self.done();
    }

    /// `flag = 0`, after the last look at anything seen.
    pub(super) fn unpin(&mut self) {
        self.end_pin();
        self.done();
    }

    fn end_pin(&mut self) {
        let me = self.me();
        me.pins -= 1;
        if me.pins == 0 {
            me.sees = Set::default();
            self.store(Var::Flag(self.thread), 0);
        }
    }

    /// As [`unpin`](Self::unpin), if nothing was seen, so that nobody can tell when the last look was.
    pub(super) fn unpin_unseen(&mut self) -> Moved {
        if !self.peek().sees.is_empty() || !self.has_room() {
            return false;
        }
        self.unpin();
        true
    }

    /// A guard's first look, which spares a stale key the locked instruction.
    pub(super) fn first_look(&mut self, key: Key) {
        if self.load(Var::Life(key.slot)) == key.life {
            self.go(Step::LookBeforeGuarding);
        } else {
            self.refuse(key, Event::Refused);
            self.done();
        }
    }

    /// `readers += 1`
    pub(super) fn enter(&mut self) {
        let key = self.key();
        if self.bug(Bug::EnterNotLocked) {
            self.fence();
            let readers = Var::Readers(key.slot);
            self.store(readers, self.load(readers) + 1);
        } else {
            *self.locked_readers(key.slot) += 1;
        }
        if self.bug(Bug::EnterAfterCheck) {
            self.confirmed(key);
        } else {
            self.go(Step::Confirm);
        }
    }

    /// The second look, which decides.
    pub(super) fn confirm(&mut self) {
        let key = self.key();
        if self.load(Var::Life(key.slot)) == key.life {
            self.confirmed(key);
        } else {
            self.refuse(key, Event::RefusedLate);
            self.go(Step::Withdraw);
        }
    }

    fn confirmed(&mut self, key: Key) {
        self.resolve(key);
        self.me().guard = Some(key.slot);
        self.done();
    }

    /// `readers -= 1` of a guard that was refused.
    pub(super) fn withdraw(&mut self) {
        let slot = self.key().slot;
        self.subtract_reader(slot, self.bug(Bug::RefusedForgetsDefer));
    }

    /// `readers -= 1` of a guard, after the last look through it.
    pub(super) fn leave(&mut self) {
        if let Some(slot) = self.me().guard.take() {
            self.subtract_reader(slot, self.bug(Bug::LeaverForgetsDefer));
        }
    }

    fn subtract_reader(&mut self, slot: u8, forgets: bool) {
        let readers = self.locked_readers(slot);
        let before = *readers;
        *readers = before - 1;
        if before == 1 && self.bug(Bug::GuardingFalls) {
            self.state.memory.set(Var::Guarding, NONE);
        }
        if before == DEFER | 1 && !forgets {
            self.go(Step::Claim(slot));
        } else {
            self.done();
        }
    }

    /// Under a pin: `life == key`?
    pub(super) fn find_manual(&mut self) {
        let key = self.key();
        if self.load(Var::Life(key.slot)) == key.life {
            self.go(Step::ClaimManual);
        } else {
            self.refuse(key, Event::Refused);
            self.go(Step::LeaveManual(key.slot, false));
        }
    }

    /// `readers.and(!MANUAL)`: the thread that clears the bit owns the object.
    pub(super) fn claim_manual(&mut self) {
        let slot = self.key().slot;
        if self.bug(Bug::ManualWithoutClaim) {
            self.go(Step::LeaveManual(slot, true));
            return;
        }
        let readers = self.locked_readers(slot);
        let won = *readers & MANUAL != 0;
        *readers &= !MANUAL;
        if won {
            // The key must still mean what it claims.
            let key = self.key();
            self.resolve(key);
        } else {
            self.event(Event::ManualLost);
        }
        self.go(Step::LeaveManual(slot, won));
    }

    /// The pin ends; then the winner lets go as an owner.
    pub(super) fn leave_manual(&mut self, slot: u8, won: bool) -> Moved {
        if !self.has_room() {
            return false;
        }
        self.end_pin();
        if won { self.let_go(slot) } else { self.done() }
    }

    /// Judges a look that succeeded.
    fn resolve(&mut self, key: Key) {
        let object = &self.state.objects[usize::from(key.slot)];
        let its_own = object.births != 0 && object.issued[issue(key.life)] == object.births;
        if object.content != Content::Alive {
            self.fault(Fault::Unready);
        } else if !its_own {
            self.fault(Fault::WrongLife);
        }
        self.event(Event::Resolved);
    }

    /// Notes a look that was refused, if there was such a life once.
    fn refuse(&mut self, key: Key, event: Event) {
        if self.state.objects[usize::from(key.slot)].issued[issue(key.life)] != 0 {
            self.event(event);
        }
    }
}
