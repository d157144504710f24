//! Lists of free slots: looking for one, constructing an object in it, and putting slots back; the end of a thread.

use super::{Moved, Turn};
use crate::memory::{MANUAL, RETIRED, Var};
use crate::scenario::Op;
use crate::state::{Content, List, OWN_FREED, Set, Step, Waiting, Why};
use crate::{Bug, Event, Fault, SLOT_IDS};

impl Turn<'_> {
    /// Looks through the thread's own lists.
    pub(super) fn search_own(&mut self) -> Moved {
        let ready = if self.is_allocating() {
            self.me().ready.pop()
        } else {
            None
        };
        if let Some(slot) = ready {
            return self.go(Step::Construct(slot));
        }
        if !self.peek().freed.is_empty() && !self.peek().tried.has(OWN_FREED) {
            self.me().tried.add(OWN_FREED);
            return self.go(Step::Fence(Why::Refill));
        }
        false
    }

    fn is_allocating(&self) -> bool {
        matches!(self.op(), Some(Op::Allocate(_)))
    }

    /// Takes a slot from the limbo that this operation has not looked at yet.
    pub(super) fn search_limbo(&mut self) {
        for slot in SLOT_IDS {
            if self.peek().tried.has(slot) {
                continue;
            }
            if let Some(waiting) = self.state.limbo[usize::from(slot)].take() {
                self.fence();
                self.me().tried.add(slot);
                self.begin_scan(Why::Limbo(slot, waiting));
                return;
            }
        }
        if self.is_allocating() {
            self.go(Step::Grow);
        } else {
            self.done();
        }
    }

    /// Takes a slot from the depot, or one that was never used. There may be none: the allocation fails.
    pub(super) fn grow(&mut self) {
        let state = &mut *self.state;
        if let Some(slot) = state.depot.first() {
            state.depot.remove(slot);
            self.fence();
            self.go(Step::Construct(slot));
        } else if let Some(slot) = state.fresh.first() {
            state.fresh.remove(slot);
            self.fence();
            self.go(Step::Construct(slot));
        } else {
            self.done();
        }
    }

    /// Writes a new object, or refills the one that is there.
    pub(super) fn construct(&mut self, slot: u8) {
        let Some(Op::Allocate(hand)) = self.op() else {
            unreachable!("only an allocation constructs")
        };
        if self.load(Var::Life(slot)) == 0 {
            // Straight to memory: no reader can tell 0 from -1.
            self.state.memory.set(Var::Life(slot), -1);
        }
        if self.state.is_seen(slot) {
            self.fault(Fault::ConstructedInSight);
        }
        let unfinished = self.protocol.scenario.finalizer;
        let object = &mut self.state.objects[usize::from(slot)];
        if unfinished && object.content == Content::Alive {
            self.fault(Fault::NotFinalized);
            return;
        }
        object.content = Content::Alive;
        object.births += 1;
        self.me().hands[usize::from(hand)] = Some(slot);
        self.done();
    }

    // Lists.

    /// Puts a slot whose object is finished where it may be taken from at once, or retires it.
    pub(super) fn make_ready(&mut self, slot: u8) {
        let content = self.state.objects[usize::from(slot)].content;
        if self.protocol.scenario.finalizer && content == Content::Alive {
            self.fault(Fault::NotFinalized);
        }
        if self.load(Var::Life(slot)) == RETIRED {
            self.state.retired.add(slot);
            self.event(Event::Retired);
        } else {
            self.me().ready.push(slot);
        }
    }

    /// Puts a slot into the limbo.
    pub(super) fn wait(&mut self, slot: u8, waiting: Waiting) {
        if self.state.limbo[usize::from(slot)].replace(waiting).is_some() {
            self.fault(Fault::TwoPlaces);
        }
    }

    /// Looks at the readers of one freed slot, which becomes ready if there are none.
    pub(super) fn sort(&mut self, mut left: Set) {
        let Some(slot) = left.first() else { return };
        left.remove(slot);
        if self.readers(slot) & !MANUAL == 0 || self.bug(Bug::ReadersIgnoredByRefill) {
            if !self.bug(Bug::FreedTwice) {
                self.me().freed.remove(slot);
            }
            self.event(Event::Refilled);
            self.make_ready(slot);
        } else {
            self.event(Event::HeldByGuard);
        }
        self.go(Step::Sort(left));
    }

    // The end of a thread.

    /// Nothing but the thread's own affairs: freed slots wait for a fence and a stamp.
    pub(super) fn exit_unseen(&mut self) -> Moved {
        if !self.peek().freed.is_empty() {
            if self.bug(Bug::ExitForgetsFreed) {
                self.me().freed = List::default();
            } else {
                return self.go(Step::Fence(Why::Exit));
            }
        }
        if !self.peek().ready.is_empty() {
            return false;
        }
        let identity = self.peek().identity;
        // Each of the three threads counts in threes, so no two identities are ever the same.
        self.me().identity = if self.bug(Bug::IdentityUsedAgain) {
            (identity + 1) % 3
        } else {
            identity + 3
        };
        self.done()
    }

    /// Ready slots go to the depot.
    pub(super) fn exit_depot(&mut self) {
        self.fence();
        while let Some(slot) = self.me().ready.pop() {
            self.state.depot.add(slot);
        }
    }
}
