//! Owners beyond the first: a clone, and the end of a share, each change their count.
//!
//! ```text
//!   LookBeforeCounting ──mine──► RaiseBusy ► LookAgain ──mine──► LoadCount ► StoreCount ► LowerBusy
//!      │        │    ▲                           │
//!     MANY     else  └─────────── LowerBusy ─────┘ not any more
//!      │        └──► Announce … Unlock ► RaiseBusy …          (once; a thread refused then counts as MANY)
//!      ▼
//!   CountLocked
//! ```

use super::{Moved, Turn};
use crate::memory::{CHANGING, MANY, NONE, Var};
use crate::scenario::Op;
use crate::state::{Count, Step};
use crate::{Bug, Event, THREADS};

impl Turn<'_> {
    /// One owner more, if there is something in this hand, and nothing in the other.
    pub(super) fn begin_clone(&mut self, hand: u8) -> Moved {
        let Some(slot) = self.in_hand(hand) else {
            return self.done();
        };
        if self.in_hand(1 - hand).is_some() {
            return self.done();
        }
        self.state.shared.add(slot);
        if self.bug(Bug::OwnerNotCounted) {
            self.me().hands[usize::from(1 - hand)] = Some(slot);
            return self.done();
        }
        self.begin_count(slot, 1);
        self.go(Step::LookBeforeCounting)
    }

    /// Lets go of a share: the last owner ends the object's life.
    pub(super) fn let_go(&mut self, slot: u8) -> Moved {
        if !self.is_shared(slot) {
            return self.go(Step::End(slot));
        }
        self.begin_count(slot, -1);
        self.go(Step::LookAtOwners(false))
    }

    fn begin_count(&mut self, slot: u8, by: i8) {
        self.me().count = Some(Count {
            slot,
            by,
            refused: false,
            announced: false,
        });
    }

    /// The count that changes.
    fn count(&mut self) -> &mut Count {
        let Some(count) = &mut self.me().count else {
            unreachable!("only a count of owners leads here")
        };
        count
    }

    /// `more == 0`? Then nobody else can change it.
    pub(super) fn look_at_owners(&mut self, again: bool) {
        let Count { slot, .. } = *self.count();
        let unseen = !again && self.bug(Bug::LastOwnerDoesNotLook);
        if self.load(Var::More(slot)) == 0 && !unseen {
            self.event(Event::LastUncounted);
            self.me().count = None;
            self.go(Step::End(slot));
        } else {
            self.go(if again {
                Step::CountLocked
            } else {
                Step::LookBeforeCounting
            });
        }
    }

    /// Whether a census allows the thread to count by plain accesses.
    fn is_only_counter(&self, counting: i8) -> bool {
        let anybody = self.bug(Bug::CountTrustsAnySole) && ![NONE, CHANGING, MANY].contains(&counting);
        counting == self.mine() || anybody
    }

    /// The hot paths' look.
    pub(super) fn look_before_counting(&mut self) {
        let counting = self.load(Var::Counting);
        if self.is_only_counter(counting) {
            self.count_alone();
        } else if counting == MANY || counting == CHANGING && self.bug(Bug::CountWhileChanging) {
            if !self.count().refused {
                self.event(Event::CountersTrusted);
            }
            self.count_among_many();
        } else {
            self.go(Step::Announce);
        }
    }

    fn count_among_many(&mut self) -> Moved {
        let adds = self.count().by > 0;
        self.go(if adds {
            Step::CountLocked
        } else {
            Step::LookAtOwners(true)
        })
    }

    // The only one.

    /// The census allowed for the thread a moment ago.
    pub(super) fn counted_in_census(&mut self) {
        self.count().announced = true;
        self.count_alone();
    }

    fn count_alone(&mut self) -> Moved {
        let raised = !self.bug(Bug::BusyAfterLook);
        self.go(if raised { Step::RaiseBusy } else { Step::LookAgain })
    }

    /// `busy = true`
    pub(super) fn raise_busy(&mut self) {
        self.store(Var::Busy(self.thread), 1);
        let looked = self.bug(Bug::BusyAfterLook) || self.bug(Bug::NoSecondLook) && !self.count().announced;
        self.go(if looked { Step::LoadCount } else { Step::LookAgain });
    }

    /// The look that decides. No fence since the flag is up: if another thread joins now, its barrier makes up for it.
    pub(super) fn look_again(&mut self) {
        let counting = self.load(Var::Counting);
        if self.is_only_counter(counting) {
            self.go(if self.bug(Bug::BusyAfterLook) {
                Step::RaiseBusy
            } else {
                Step::LoadCount
            });
            return;
        }
        if !self.count().announced {
            self.event(Event::CountRefused);
        }
        self.count().refused = true;
        self.go(Step::LowerBusy(None));
    }

    /// `n = more`
    pub(super) fn load_count(&mut self) {
        let Count { slot, by, .. } = *self.count();
        let count = self.load(Var::More(slot)) + by;
        self.go(if self.bug(Bug::BusyEndsTooEarly) {
            Step::LowerBusy(Some(count))
        } else {
            Step::StoreCount(count)
        });
    }

    /// `more = n ± 1`
    pub(super) fn store_count(&mut self, count: i8) {
        let Count { slot, .. } = *self.count();
        self.store(Var::More(slot), count);
        self.event(Event::CountedAlone);
        self.counted();
        if self.bug(Bug::BusyEndsTooEarly) {
            self.done();
        } else {
            self.go(Step::LowerBusy(None));
        }
    }

    /// The count is what it is to be: there is one owner more, or one less.
    fn counted(&mut self) {
        if let (Some(Count { slot, by: 1, .. }), Some(Op::Clone(hand))) = (self.me().count.take(), self.op()) {
            self.me().hands[usize::from(1 - hand)] = Some(slot);
        }
    }

    /// `busy = false`
    pub(super) fn lower_busy(&mut self, late: Option<i8>) -> Moved {
        if !self.has_room() {
            return false;
        }
        let refused = self.peek().count.is_some() && late.is_none();
        if !(refused && self.bug(Bug::BusyWhileWaiting)) {
            self.store(Var::Busy(self.thread), 0);
        }
        match (self.peek().count, late) {
            (_, Some(count)) => self.go(Step::StoreCount(count)),
            (None, _) => self.done(),
            // It was the only one when it let go of the lock, so it may do this even while the census is CHANGING.
            (Some(count), _) if count.announced => self.count_among_many(),
            (Some(_), _) => self.go(Step::LookBeforeCounting),
        }
    }

    // Among many.

    /// `more ±= 1`. A share that finds 0 is the last one: the other owner has left since the look.
    pub(super) fn count_locked(&mut self) {
        self.fence();
        let Count { slot, by, .. } = *self.count();
        let before = self.state.memory.get(Var::More(slot));
        self.state.memory.set(Var::More(slot), before + by);
        self.event(Event::CountedAmongMany);
        self.counted();
        if by < 0 && before == 0 && !self.bug(Bug::LastOwnerForgets) {
            self.event(Event::LastAmongMany);
            self.go(Step::ResetOwners(slot));
        } else {
            self.done();
        }
    }

    /// `more = 0` for the next life.
    pub(super) fn reset_owners(&mut self, slot: u8) -> Moved {
        if !self.has_room() {
            return false;
        }
        if !self.bug(Bug::OwnersNotReset) {
            self.store(Var::More(slot), 0);
        }
        self.go(Step::End(slot))
    }

    // The second one.

    /// After the barrier: the threads that may still be counting by what they found in the census, from `next` on.
    pub(super) fn wait_for_counts(&mut self, next: u8) -> Moved {
        let next = if next == self.thread { next + 1 } else { next };
        if usize::from(next) < THREADS && !self.bug(Bug::SecondCountWithoutWait) {
            // Between the load and the store of a count.
            let awaited = &self.state.threads[usize::from(next)];
            if let (Step::StoreCount(_), Some(count)) = (awaited.step, awaited.count) {
                let adds = count.by > 0;
                self.event(if adds { Event::CloneAwaited } else { Event::DropAwaited });
            }
            self.go(Step::WaitForCounts(next))
        } else {
            self.after_wait()
        }
    }
}
