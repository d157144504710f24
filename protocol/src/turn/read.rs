//! Pins, guards, and manual frees up to the point where one of them owns the object.

use super::own::issue;
use super::{Moved, Turn};
use crate::memory::{DEFER, MANUAL, Var};
use crate::scenario::{Key, Op};
use crate::state::{Content, Set, Step};
use crate::{Bug, Event, Fault};

impl Turn<'_> {
    /// `e = EPOCH`
    pub(super) fn pin(&mut self) {
        let epoch = self.state.memory.epoch;
        self.go(Step::RaiseFlag(epoch));
    }

    /// `flag = e | 1`
    pub(super) fn raise_flag(&mut self, epoch: i8) -> Moved {
        if !self.has_room() {
            return false;
        }
        self.store(Var::Flag(self.thread), epoch | 1);
        self.me().pinned = true;
        self.go(Step::PinFence)
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
        let me = self.me();
        me.pinned = false;
        me.sees = Set::default();
        self.store(Var::Flag(self.thread), 0);
        self.done();
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
            self.go(Step::Enter);
        } else {
            self.refuse(key, Event::Refused);
            self.done();
        }
    }

    /// `readers += 1`, by a thread that has registered.
    pub(super) fn enter(&mut self) {
        let manual = matches!(self.op(), Some(Op::FreeManual(_)));
        let exempt = manual && self.bug(Bug::UnregisteredManual);
        if !self.peek().registered && !exempt {
            self.register();
            return;
        }
        let key = self.key();
        *self.locked_readers(key.slot) += 1;
        self.me().made_guard = true;
        if manual && self.bug(Bug::ManualClaimBeforeCheck) {
            self.go(Step::ClaimManual);
        } else if self.bug(Bug::EnterAfterCheck) {
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
        if matches!(self.op(), Some(Op::FreeManual(_))) {
            self.go(Step::ClaimManual);
        } else {
            self.me().guard = Some(key.slot);
            self.done();
        }
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
        if before == DEFER | 1 && !forgets {
            self.go(Step::Claim(slot));
        } else {
            self.done();
        }
    }

    /// `readers.and(!MANUAL)`: whoever clears the bit owns the object.
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

    /// `readers -= 1`; then the winner lets go as an owner.
    pub(super) fn leave_manual(&mut self, slot: u8, won: bool) {
        if won {
            *self.locked_readers(slot) -= 1;
            self.let_go(slot);
        } else {
            self.subtract_reader(slot, false);
        }
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
