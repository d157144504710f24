//! The operations of owners: exposing an object, leaving a share to be freed by key, and writing.

use super::{Moved, Turn};
use crate::memory::{MANUAL, Var};
use crate::scenario::Op;
use crate::state::{Step, Why};
use crate::{Bug, Event, Fault};

impl Turn<'_> {
    pub(super) fn in_hand(&self, hand: u8) -> Option<u8> {
        self.peek().hands[usize::from(hand)]
    }

    /// Whether the object may have, or have had, more than one owner.
    pub(super) fn is_shared(&self, slot: u8) -> bool {
        self.state.shared.has(slot)
    }

    // Exposing.

    /// An only owner knows the life word; one of several must look.
    pub(super) fn begin_expose(&mut self, hand: u8) -> Moved {
        match self.in_hand(hand) {
            Some(slot) if self.is_shared(slot) => self.go(Step::LookAtLife(slot)),
            Some(slot) => self.go(Step::Expose(slot, self.load(Var::Life(slot)))),
            None => self.done(),
        }
    }

    /// `life = +n`, unless it was that already. Two owners may do it at the same time.
    pub(super) fn expose(&mut self, slot: u8, word: i8) -> Moved {
        if word < 0 {
            if !self.has_room() {
                return false;
            }
            self.issue(slot, word, 0);
            self.store(Var::Life(slot), -word);
        }
        match self.op() {
            Some(Op::IntoManual(hand)) => {
                self.me().hands[usize::from(hand)] = None;
                self.go(Step::MarkManual(slot))
            }
            _ => self.done(),
        }
    }

    /// Notes which object a life number is given to.
    fn issue(&mut self, slot: u8, word: i8, unborn: u8) {
        let object = &mut self.state.objects[usize::from(slot)];
        let birth = object.births + unborn;
        let issued = &mut object.issued[issue(word)];
        let twice = *issued != 0 && *issued != birth;
        *issued = birth;
        if twice {
            self.fault(Fault::LifeTwice);
        }
    }

    /// Only with a bug: what [`expose`](Self::expose) does, for an object that is yet to be constructed.
    pub(super) fn expose_too_early(&mut self, slot: u8) -> Moved {
        let word = self.load(Var::Life(slot)).min(-1);
        if self.load(Var::Life(slot)) > 0 || !self.has_room() {
            return false;
        }
        self.issue(slot, word, 1);
        self.store(Var::Life(slot), -word);
        true
    }

    /// `readers.or(MANUAL)`: from here on the thread that clears the bit owns the share. There is only one such share.
    pub(super) fn mark_manual(&mut self, slot: u8) {
        let readers = self.locked_readers(slot);
        let first = *readers & MANUAL == 0;
        *readers |= MANUAL;
        if first {
            self.done();
        } else {
            self.let_go(slot);
        }
    }

    // Exclusive access.

    pub(super) fn begin_mutation(&mut self, hand: u8) -> Moved {
        match self.in_hand(hand) {
            Some(slot) if !self.is_shared(slot) => self.go(Step::Hide(slot)),
            Some(slot) if self.bug(Bug::VisibleBeforeAlone) => self.go(Step::LookAtLife(slot)),
            Some(slot) => self.go(Step::AloneToWrite(slot, false)),
            None => self.done(),
        }
    }

    /// The life word of an object with several owners. Before exclusive access that is too early, and only with a bug:
    /// another owner may make the life visible, and leave, before this one sees itself alone.
    pub(super) fn look_at_life(&mut self, slot: u8) {
        let word = self.load(Var::Life(slot));
        let next = match self.op() {
            Some(Op::Mutate(_)) => Step::AloneToWrite(slot, word < 0),
            _ => Step::Expose(slot, word),
        };
        self.go(next);
    }

    /// `more == 0`? `unseen`: the life is believed to be hidden already.
    pub(super) fn alone_to_write(&mut self, slot: u8, unseen: bool) {
        if self.load(Var::More(slot)) != 0 {
            self.event(Event::MutationRefused);
            self.done();
        } else if unseen {
            self.go(Step::Write(slot));
        } else {
            self.go(Step::Hide(slot));
        }
    }

    /// `life = -n`
    pub(super) fn hide(&mut self, slot: u8) -> Moved {
        let word = self.load(Var::Life(slot));
        if word < 0 {
            return self.go(Step::Write(slot));
        }
        if !self.has_room() {
            return false;
        }
        self.store(Var::Life(slot), -word);
        self.go(Step::Fence(Why::Mutate(slot)))
    }

    /// Writes to the object.
    pub(super) fn write(&mut self, slot: u8) {
        if self.state.is_seen(slot) {
            self.fault(Fault::MutatedInSight);
        }
        if self.was_exposed(slot) {
            self.event(Event::Mutated);
        }
        self.go(Step::Reveal(slot));
    }

    /// Whether an owner's object has been visible to handles, even if its life is hidden now.
    fn was_exposed(&self, slot: u8) -> bool {
        let object = &self.state.objects[usize::from(slot)];
        object.issued[issue(self.load(Var::Life(slot)))] == object.births
    }

    /// `life = +n` again, if it was visible before.
    pub(super) fn reveal(&mut self, slot: u8) -> Moved {
        let word = self.load(Var::Life(slot));
        if self.was_exposed(slot) && word < 0 {
            if !self.has_room() {
                return false;
            }
            self.store(Var::Life(slot), -word);
        }
        self.done()
    }
}

/// Where a life's number is in [`Object::issued`](crate::state::Object::issued).
pub(super) fn issue(life: i8) -> usize {
    usize::from(life.unsigned_abs())
}
