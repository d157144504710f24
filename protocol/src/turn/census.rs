//! The censuses of threads that read under pins, make guards, or count owners: joining one, the barrier, and the fall
//! of the mode.
//!
//! Each census is one word. The mode is the process's, and a pin must be counted in it; those for guards and owners are
//! the pool's.
//!
//! ```text
//!          announce             announce: CHANGING; BARRIER; WAIT, if it is about owners
//!   NONE ───────────► SOLE(me) ──────────────────────────────────────────────────────────► MANY
//!     ▲                  │                                                                   │
//!     └─ the mode only: quieten: CHANGING; FENCE; every flag 0 ──────────────────────────────┘
//! ```

use super::{Moved, Turn};
use crate::memory::{CHANGING, MANY, NONE, Var};
use crate::scenario::Op;
use crate::state::{Set, Step, Why};
use crate::{Bug, Event, THREAD_IDS};

/// The bugs of a census that is raised: without the barrier for the first thread, or for the second; MANY before it.
struct Raising {
    first_without: Option<Bug>,
    second_without: Bug,
    many_before: Bug,
}

impl Turn<'_> {
    /// The value of a census while it counts this thread alone.
    pub(super) fn mine(&self) -> i8 {
        1 + self.peek().identity
    }

    fn census(&self) -> Var {
        self.state.census(self.protocol, self.thread)
    }

    // Up.

    /// After the fence of a pin: does the mode allow for this thread?
    pub(super) fn look_before_reading(&mut self) {
        let mode = self.load(Var::Mode);
        let once = self.bug(Bug::AnnouncedOnce) && self.peek().remembered.is_some();
        if mode == MANY || mode == self.mine() || once || self.bug(Bug::PinUnannounced) {
            self.after_look();
        } else {
            self.go(Step::Announce);
        }
    }

    /// Before a guard counts itself: does the pool's census allow for this thread?
    pub(super) fn look_before_guarding(&mut self) {
        let guarding = self.load(Var::Guarding);
        let trusted = match guarding {
            NONE => false,
            MANY => {
                self.event(Event::ManyTrusted);
                true
            }
            CHANGING => self.bug(Bug::GuardWhileChanging),
            sole => sole == self.mine() || self.bug(Bug::GuardTrustsAnySole),
        };
        if trusted || self.bug(Bug::GuardUnenlisted) {
            self.go(Step::Enter);
        } else {
            self.go(Step::Announce);
        }
    }

    /// Takes the lock.
    pub(super) fn announce(&mut self) {
        self.fence();
        let census = self.census();
        *self.state.memory.lock(census) = Some(self.thread);
        if self.bug(Bug::AnnouncedOnce) {
            self.me().remembered = Some(1);
        }
        if census == Var::Mode && self.load(census) == NONE && self.state.fallen {
            self.event(Event::AnnouncedAgain);
        }
        self.go(Step::Raise);
    }

    /// `NONE -> mine`, `SOLE(other) -> CHANGING`; then the barrier, if anything has changed.
    pub(super) fn raise(&mut self) -> Moved {
        if !self.has_room() {
            return false;
        }
        let census = self.census();
        let old = self.load(census);
        if old == MANY || old == self.mine() {
            return self.go(Step::Unlock);
        }
        let bugs = raising(census);
        let (meanwhile, without) = match old {
            NONE => (self.mine(), bugs.first_without),
            _ if self.bug(bugs.many_before) => (MANY, Some(bugs.second_without)),
            _ => (CHANGING, Some(bugs.second_without)),
        };
        self.store(census, meanwhile);
        let then_many = old != NONE;
        if without.is_some_and(|bug| self.bug(bug)) {
            return self.after_barrier(then_many);
        }
        if self.bug(Bug::BarrierAfterUnlock) {
            self.fence();
            *self.state.memory.lock(census) = None;
        }
        if self.bug(Bug::WaitBeforeBarrier) && census == Var::Counting && then_many {
            return self.wait_for_counts(0);
        }
        self.begin_barrier(then_many)
    }

    fn begin_barrier(&mut self, then_many: bool) -> Moved {
        let left = self.whom_to_strike();
        self.barrier_left(left, then_many)
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
        match self.census() {
            _ if !then_many => return self.go(Step::Unlock),
            Var::Guarding => self.event(Event::SecondGuards),
            Var::Counting if !self.bug(Bug::WaitBeforeBarrier) => {
                if self.bug(Bug::ManyCountBeforeWait) {
                    self.store(Var::Counting, MANY);
                }
                return self.wait_for_counts(0);
            }
            _ => {}
        }
        self.go(Step::SetCensus(MANY))
    }

    /// Nobody changes a count any more by what the census said before.
    pub(super) fn after_wait(&mut self) -> Moved {
        if self.bug(Bug::WaitBeforeBarrier) {
            self.begin_barrier(true)
        } else {
            self.go(Step::SetCensus(MANY))
        }
    }

    /// Under the lock: `census = value`.
    pub(super) fn set_census(&mut self, value: i8) -> Moved {
        if !self.has_room() {
            return false;
        }
        self.store(self.census(), value);
        self.go(Step::Unlock)
    }

    /// A locked instruction; then on with what the thread announced, or with the script.
    pub(super) fn unlock(&mut self) {
        self.fence();
        let thread = self.thread;
        let census = self.census();
        let kept = self.bug(Bug::LockKept);
        let lock = self.state.memory.lock(census);
        if *lock == Some(thread) && !kept {
            *lock = None;
        }
        match self.op() {
            _ if census == Var::Counting => self.counted_in_census(),
            Some(Op::Quieten) => {
                self.done();
            }
            Some(Op::Guard(_)) => {
                self.go(Step::Enter);
            }
            _ => self.after_look(),
        }
    }

    // Down.

    /// Takes the lock if it is free. `MODE = CHANGING`, unless nobody reads, or no barrier could raise it again.
    pub(super) fn quieten(&mut self) {
        if self.state.memory.is_locked(Var::Mode) {
            self.done();
            return;
        }
        self.fence();
        let old = self.load(Var::Mode);
        if old == NONE || !self.protocol.scenario.cold {
            // The lock is taken and let go at once.
            self.done();
            return;
        }
        *self.state.memory.lock(Var::Mode) = Some(self.thread);
        let meanwhile = if self.bug(Bug::FallWithoutChanging) {
            NONE
        } else {
            CHANGING
        };
        self.store(Var::Mode, meanwhile);
        self.go(Step::Fence(Why::Quieten(old)));
    }

    /// A flag is up: the mode stays what it was.
    pub(super) fn stay(&mut self, old: i8) -> Moved {
        self.event(Event::FallRefused);
        self.go(Step::SetCensus(if self.bug(Bug::RefusedFallStays) {
            NONE
        } else {
            old
        }))
    }

    /// Every flag is down.
    pub(super) fn fall(&mut self) -> Moved {
        self.state.fallen = true;
        let guarded = self.state.letter.is_some() || self.state.threads.iter().any(|thread| thread.guard.is_some());
        self.event(if guarded { Event::FellAmongGuards } else { Event::Fell });
        self.go(Step::SetCensus(NONE))
    }
}

fn raising(census: Var) -> Raising {
    match census {
        Var::Guarding => Raising {
            first_without: Some(Bug::FirstGuardWithoutBarrier),
            second_without: Bug::SecondGuardWithoutBarrier,
            many_before: Bug::ManyGuardBeforeBarrier,
        },
        Var::Counting => Raising {
            // Only for the sake of the others: nobody has counted before, and the lock makes the census known.
            first_without: None,
            second_without: Bug::SecondCountWithoutBarrier,
            many_before: Bug::ManyCountBeforeBarrier,
        },
        _ => Raising {
            first_without: Some(Bug::FirstWithoutBarrier),
            second_without: Bug::SecondWithoutBarrier,
            many_before: Bug::ManyBeforeBarrier,
        },
    }
}
