//! Who reads through handles: announcing oneself, the barrier, and letting the mode fall again.
//!
//! ```text
//!          announce             announce: CHANGING; BARRIER
//!   NONE ───────────► SOLE(me) ────────────────────────────► MANY
//!     ▲                  │                                     │
//!     └──────────── quieten: CHANGING; FENCE; every flag 0 ────┘
//! ```

use super::{Moved, Turn};
use crate::memory::{MODE_CHANGING, MODE_MANY, MODE_NONE, Var};
use crate::scenario::Op;
use crate::state::{Set, Step, Why};
use crate::{Bug, Event, THREAD_IDS};

impl Turn<'_> {
    /// What [`Var::Mode`] is while this thread alone reads through handles.
    pub(super) fn mine(&self) -> i8 {
        1 + self.peek().identity
    }

    // Up.

    /// After the fence of a pin: does the mode allow for this thread?
    pub(super) fn look_before_reading(&mut self) {
        let mode = self.load(Var::Mode);
        let once = self.bug(Bug::AnnouncedOnce) && self.peek().remembered.is_some();
        if mode == MODE_MANY || mode == self.mine() || once || self.bug(Bug::PinUnannounced) {
            self.after_look();
        } else {
            self.go(Step::Announce);
        }
    }

    /// Takes the lock. Before a first guard: `GUARDED = true`.
    pub(super) fn announce(&mut self) {
        self.fence();
        self.state.memory.lock = Some(self.thread);
        if self.bug(Bug::AnnouncedOnce) {
            self.me().remembered = Some(1);
        }
        if self.load(Var::Mode) == MODE_NONE && self.state.fallen {
            self.event(Event::AnnouncedAgain);
        }
        let guards = matches!(self.op(), Some(Op::Guard(_)));
        let first = guards && self.load(Var::Guarded) == 0 && !self.bug(Bug::FirstGuardUnnoticed);
        if first {
            self.store(Var::Guarded, 1);
        }
        self.go(Step::RaiseMode(first));
    }

    /// `NONE -> mine`, `SOLE(other) -> CHANGING`; then the barrier, if anything has changed or `anyway`.
    pub(super) fn raise_mode(&mut self, anyway: bool) -> Moved {
        if !self.has_room() {
            return false;
        }
        let old = self.load(Var::Mode);
        let alone = old == MODE_NONE;
        let changes = old != MODE_MANY && old != self.mine();
        if changes {
            let meanwhile = if alone {
                self.mine()
            } else if self.bug(Bug::ManyBeforeBarrier) {
                MODE_MANY
            } else {
                MODE_CHANGING
            };
            self.store(Var::Mode, meanwhile);
        }
        let then_many = changes && !alone;
        let forgotten = self.bug(match old {
            MODE_NONE => Bug::FirstWithoutBarrier,
            _ if changes => Bug::SecondWithoutBarrier,
            _ => Bug::GuardsUnsettled,
        });
        if forgotten || !(changes || anyway) {
            self.after_barrier(then_many)
        } else {
            if self.bug(Bug::BarrierAfterUnlock) {
                self.fence();
                self.state.memory.lock = None;
            }
            let left = self.whom_to_strike();
            self.barrier_left(left, then_many)
        }
    }

    fn whom_to_strike(&self) -> Set {
        let mut left = Set::default();
        for other in THREAD_IDS {
            // A thread that has ended stores nothing any more.
            if !self.state.is_done(self.protocol, other) && (other != self.thread || !self.peek().buffer.is_empty()) {
                left.add(other);
            }
        }
        left
    }

    /// Empties the buffer of `other` in the name of the barrier.
    pub(crate) fn barrier(&mut self, other: u8) {
        let Step::Barrier(mut left, then_many) = self.peek().step else {
            return;
        };
        let mut struck = Turn {
            protocol: self.protocol,
            state: &mut *self.state,
            thread: other,
        };
        struck.fence();
        if other != self.thread {
            struck.settle();
        }
        left.remove(other);
        self.barrier_left(left, then_many);
    }

    /// The barrier has yet to empty these buffers.
    fn barrier_left(&mut self, left: Set, then_many: bool) -> Moved {
        if left.is_empty() {
            self.after_barrier(then_many)
        } else {
            self.go(Step::Barrier(left, then_many))
        }
    }

    /// `CHANGING -> MANY`, which everybody trusts.
    fn after_barrier(&mut self, then_many: bool) -> Moved {
        self.go(if then_many {
            Step::SetMode(MODE_MANY)
        } else {
            Step::Unlock
        })
    }

    /// Under the lock: `MODE = mode`.
    pub(super) fn set_mode(&mut self, mode: i8) -> Moved {
        if !self.has_room() {
            return false;
        }
        self.store(Var::Mode, mode);
        self.go(Step::Unlock)
    }

    /// A locked instruction; then on with what the thread announced, or with the script.
    pub(super) fn unlock(&mut self) {
        self.fence();
        if self.state.memory.lock == Some(self.thread) && !self.bug(Bug::LockKept) {
            self.state.memory.lock = None;
        }
        match self.op() {
            Some(Op::Quieten) => {
                self.done();
            }
            Some(Op::Guard(_)) => {
                self.me().made_guard = true;
                self.go(Step::Enter);
            }
            _ => self.after_look(),
        }
    }

    // Down.

    /// Takes the lock if it is free. `MODE = CHANGING`, unless nobody reads or somebody guards.
    pub(super) fn quieten(&mut self) {
        if self.state.memory.lock.is_some() {
            self.done();
            return;
        }
        self.fence();
        let old = self.load(Var::Mode);
        let guarded = self.load(Var::Guarded) != 0 && !self.bug(Bug::FallAmongGuards);
        if old == MODE_NONE || guarded {
            // The lock is taken and let go at once.
            if guarded {
                self.event(Event::FallForbidden);
            }
            self.done();
            return;
        }
        self.state.memory.lock = Some(self.thread);
        let meanwhile = if self.bug(Bug::FallWithoutChanging) {
            MODE_NONE
        } else {
            MODE_CHANGING
        };
        self.store(Var::Mode, meanwhile);
        self.go(Step::Fence(Why::Quieten(old)));
    }

    /// A flag is up: the mode stays what it was.
    pub(super) fn stay(&mut self, old: i8) -> Moved {
        self.event(Event::FallRefused);
        self.go(Step::SetMode(if self.bug(Bug::RefusedFallStays) {
            MODE_NONE
        } else {
            old
        }))
    }

    /// Every flag is down.
    pub(super) fn fall(&mut self) -> Moved {
        self.state.fallen = true;
        self.event(Event::Fell);
        self.go(Step::SetMode(MODE_NONE))
    }
}
