//! From the end of a life to a finished object: the solo path, the look at pins and guards, the limbo, the DEFER bit.

use super::{Moved, Turn};
use crate::memory::{CHANGING, DEFER, MANUAL, MANY, NONE, RETIRED, Var};
use crate::state::{Content, Set, Step, Waiting, Why};
use crate::{Bug, Event, Fault, THREADS};

impl Turn<'_> {
    /// Ends the life of an object that the thread owns alone.
    pub(super) fn end(&mut self, slot: u8) -> Moved {
        let word = self.load(Var::Life(slot));
        if word < 0 {
            // Nobody else can know of it: nothing to wait for, and the number is still good.
            if self.protocol.scenario.finalizer {
                return self.go(Step::Finalize(slot, false));
            }
            self.make_ready(slot);
            return self.done();
        }
        if !self.has_room() {
            return false;
        }
        if self.bug(Bug::GuardingLookedAtTooEarly) && self.peek().remembered.is_none() {
            return self.go(Step::LookAtGuarding(slot));
        }
        if !self.bug(Bug::LifeNotEnded) {
            self.store(Var::Life(slot), self.dead(word));
        }
        self.go(Step::LookAtMode(slot))
    }

    /// The life word after life `life`.
    fn dead(&self, life: i8) -> i8 {
        let last = life == self.protocol.scenario.last_life;
        match self.protocol.bug {
            Some(Bug::LifeNotBumped) => -life,
            Some(Bug::NextLifeTooEarly) if !last => life + 1,
            Some(Bug::RetireForgotten) if last => -1,
            _ if last => RETIRED,
            _ => !life,
        }
    }

    // The solo path.

    /// No fence since the life ended: if another thread registers now, its barrier makes up for it.
    pub(super) fn look_at_mode(&mut self, slot: u8) {
        let mode = self.load(Var::Mode);
        let me = self.peek();
        let alone = match mode {
            // While the thread is pinned, the mode is not that.
            NONE => true,
            MANY => false,
            CHANGING => self.bug(Bug::SoloWhileChanging),
            sole if sole == self.mine() => me.pins == 0 || self.bug(Bug::SoloWhilePinned),
            _ => self.bug(Bug::SoloForAnyone),
        };
        if alone {
            self.go(Step::LookAtGuarding(slot));
        } else {
            self.free_among_many(slot);
        }
    }

    /// No fence here either: if another thread enlists now, its barrier makes up for it.
    pub(super) fn look_at_guarding(&mut self, slot: u8) {
        let mut guarding = self.load(Var::Guarding);
        if self.bug(Bug::GuardingLookedAtTooEarly) {
            let Some(earlier) = self.me().remembered.take() else {
                self.me().remembered = Some(guarding);
                self.go(Step::End(slot));
                return;
            };
            guarding = earlier;
        }
        let only_mine = match guarding {
            NONE | MANY => false,
            CHANGING => self.bug(Bug::SoloWhileEnlisting),
            sole if sole == self.mine() => true,
            _ => self.bug(Bug::SoloAmongOthersGuards),
        };
        if guarding == NONE {
            let fallen = self.state.fallen && self.load(Var::Mode) == NONE;
            self.free_alone(slot, if fallen { Event::SoloAfterFall } else { Event::SoloFree });
        } else if !only_mine {
            self.free_among_many(slot);
        } else if self.bug(Bug::OwnGuardsForgotten) {
            self.free_alone(slot, Event::SoloAmongOwnGuards);
        } else {
            self.go(Step::LookAtOwnGuards(slot));
        }
    }

    /// The thread sees its own guards without a fence, wherever they have gone, and there are no others.
    pub(super) fn look_at_own_guards(&mut self, slot: u8) {
        if self.readers(slot) & !MANUAL == 0 {
            self.free_alone(slot, Event::SoloAmongOwnGuards);
        } else {
            self.event(Event::GuardInTheWay);
            self.free_among_many(slot);
        }
    }

    fn free_alone(&mut self, slot: u8, event: Event) {
        self.event(event);
        if self.is_finishing(slot) && !self.bug(Bug::FinalizerSkipped) {
            self.go(Step::Finalize(slot, false));
        } else {
            self.make_ready(slot);
            self.done();
        }
    }

    /// Whether freeing the object does something to it: a finalizer, or the drop of a slot's last object.
    fn is_finishing(&self, slot: u8) -> bool {
        self.protocol.scenario.finalizer || self.load(Var::Life(slot)) == RETIRED
    }

    // The look.

    fn free_among_many(&mut self, slot: u8) -> Moved {
        if self.protocol.scenario.finalizer {
            self.go(Step::Fence(Why::Free(slot)))
        } else if self.is_finishing(slot) {
            if self.bug(Bug::RetiredWithoutLook) {
                return self.go(Step::Finalize(slot, false));
            }
            self.go(Step::Fence(Why::Free(slot)))
        } else {
            self.me().freed.push(slot);
            self.done()
        }
    }

    pub(super) fn skip_fence(&mut self, why: Why) -> Moved {
        let skipped = match why {
            Why::Free(_) => self.bug(Bug::FreeWithoutFence),
            Why::Mutate(_) => self.bug(Bug::MutateWithoutFence),
            Why::Refill => self.bug(Bug::RefillWithoutFence),
            Why::Quieten(_) => self.bug(Bug::FallWithoutFence),
            Why::Exit | Why::Limbo(..) => false,
        };
        if skipped {
            self.after_fence(why);
        }
        skipped
    }

    pub(super) fn after_fence(&mut self, why: Why) {
        if why == Why::Exit {
            self.go(Step::TakeStamp(why));
        } else {
            self.begin_scan(why);
        }
    }

    /// Begins to look at the flags; the thread's own needs no access to memory.
    pub(super) fn begin_scan(&mut self, why: Why) {
        let own = self.load(Var::Flag(self.thread));
        let forgotten = self.bug(Bug::OwnPinForgotten) && matches!(why, Why::Free(_));
        if self.is_in_the_way(why, own) && !forgotten {
            self.somebody_reads(why);
        } else {
            self.scan_from(why, 0);
        }
    }

    fn scan_from(&mut self, why: Why, next: u8) {
        let next = if next == self.thread { next + 1 } else { next };
        if usize::from(next) < THREADS {
            self.go(Step::Scan(why, next));
        } else {
            self.nobody_reads(why);
        }
    }

    pub(super) fn skip_scan(&mut self, why: Why) -> Moved {
        let skipped = match why {
            Why::Free(_) => self.bug(Bug::FreeWithoutScan),
            Why::Mutate(_) => self.bug(Bug::MutateWithoutScan),
            Why::Refill => self.bug(Bug::RefillWithoutScan),
            Why::Exit | Why::Limbo(..) | Why::Quieten(_) => false,
        };
        if skipped {
            self.nobody_reads(why);
        }
        skipped
    }

    /// Looks at one flag.
    pub(super) fn scan(&mut self, why: Why, next: u8) {
        let flag = self.load(Var::Flag(next));
        if self.is_in_the_way(why, flag) {
            self.somebody_reads(why);
        } else {
            if flag != 0 {
                self.event(Event::OutwaitedByPin);
            }
            self.scan_from(why, next + 1);
        }
    }

    fn is_in_the_way(&self, why: Why, flag: i8) -> bool {
        match why {
            Why::Limbo(_, waiting) if self.bug(Bug::StampOffByOne) => flag != 0 && flag < waiting.stamp | 1,
            Why::Limbo(_, waiting) => flag != 0 && flag <= waiting.stamp | 1,
            _ => flag != 0,
        }
    }

    fn somebody_reads(&mut self, why: Why) -> Moved {
        match why {
            Why::Free(_) | Why::Refill | Why::Exit => self.go(Step::TakeStamp(why)),
            Why::Mutate(slot) => {
                self.event(Event::MutationRefused);
                self.go(Step::Reveal(slot))
            }
            Why::Limbo(slot, waiting) => self.go(Step::PutBack(slot, waiting)),
            Why::Quieten(old) => self.stay(old),
        }
    }

    fn nobody_reads(&mut self, why: Why) -> Moved {
        match why {
            Why::Refill | Why::Exit => self.go(Step::LookForGuards(why)),
            Why::Limbo(_, waiting) if !waiting.unfinished => self.go(Step::LookForGuards(why)),
            Why::Free(_) | Why::Mutate(_) | Why::Limbo(..) => self.go(Step::LookAtReaders(why)),
            Why::Quieten(_) => self.fall(),
        }
    }

    /// Before the first guard of the pool, no slot has readers.
    pub(super) fn look_for_guards(&mut self, why: Why) {
        let mut guarding = self.load(Var::Guarding);
        if self.bug(Bug::GuardsRemembered) {
            guarding = *self.me().remembered.get_or_insert(guarding);
        }
        let guarded = guarding != NONE;
        match why {
            Why::Limbo(..) if guarded => {
                self.go(Step::LookAtReaders(why));
            }
            Why::Limbo(..) => self.nobody_guards(why),
            _ if guarded => {
                let mut freed = Set::default();
                self.peek().freed.iter().for_each(|slot| freed.add(slot));
                self.go(Step::Sort(freed));
            }
            _ => {
                while let Some(slot) = self.me().freed.pop() {
                    self.event(Event::Refilled);
                    self.make_ready(slot);
                }
                self.go(Step::Search);
            }
        }
    }

    pub(super) fn skip_readers(&mut self, why: Why) -> Moved {
        let skipped = match why {
            Why::Free(_) => self.bug(Bug::ReadersIgnoredByFree),
            Why::Limbo(..) => self.bug(Bug::ReadersIgnoredByLimbo),
            Why::Mutate(_) | Why::Refill | Why::Exit | Why::Quieten(_) => false,
        };
        if skipped {
            self.nobody_guards(why);
        }
        skipped
    }

    pub(super) fn look_at_readers(&mut self, why: Why) {
        let (Why::Free(slot) | Why::Mutate(slot) | Why::Limbo(slot, _)) = why else {
            return;
        };
        // The bit of a manual object is no reader.
        if self.readers(slot) & !MANUAL == 0 {
            self.nobody_guards(why);
        } else {
            self.somebody_guards(why);
        }
    }

    fn nobody_guards(&mut self, why: Why) {
        match why {
            Why::Free(slot) => self.go(Step::Finalize(slot, false)),
            Why::Mutate(slot) => self.go(Step::Write(slot)),
            Why::Limbo(slot, waiting) => {
                self.event(Event::LeftLimbo);
                if waiting.unfinished {
                    self.go(Step::Finalize(slot, true))
                } else {
                    self.make_ready(slot);
                    self.go_on()
                }
            }
            Why::Refill | Why::Exit | Why::Quieten(_) => false,
        };
    }

    fn somebody_guards(&mut self, why: Why) {
        match why {
            Why::Mutate(slot) => {
                self.event(Event::MutationRefused);
                self.go(Step::Reveal(slot))
            }
            Why::Limbo(slot, waiting) if !waiting.unfinished => {
                self.event(Event::HeldByGuard);
                self.go(Step::PutBack(slot, waiting))
            }
            Why::Free(slot) | Why::Limbo(slot, _) => self.go(Step::Defer(slot)),
            Why::Refill | Why::Exit | Why::Quieten(_) => false,
        };
    }

    // Waiting for pins.

    /// `stamp = EPOCH`
    pub(super) fn take_stamp(&mut self, why: Why) {
        let mut stamp = self.state.memory.epoch;
        if self.bug(Bug::StampRemembered) {
            stamp = *self.me().remembered.get_or_insert(stamp);
        }
        self.go(Step::MoveEpoch(why, stamp));
    }

    /// `EPOCH.CAS(stamp -> stamp + 2)`, and off to the limbo. (Nobody can tell when the second half happens, except by
    /// finding the slots there.)
    pub(super) fn move_epoch(&mut self, why: Why, stamp: i8) {
        self.fence();
        if self.state.memory.epoch == stamp && !self.bug(Bug::EpochStandsStill) {
            self.state.memory.epoch += 2;
        }
        self.event(Event::EnteredLimbo);
        if let Why::Free(slot) = why {
            self.wait(
                slot,
                Waiting {
                    stamp,
                    unfinished: true,
                },
            );
            self.go_on();
        } else {
            while let Some(slot) = self.me().freed.pop() {
                self.wait(
                    slot,
                    Waiting {
                        stamp,
                        unfinished: false,
                    },
                );
            }
            self.go(if why == Why::Exit { Step::Start } else { Step::Search });
        }
    }

    // Waiting for guards.

    /// `readers.or(DEFER)`
    pub(super) fn defer(&mut self, slot: u8) {
        let readers = self.locked_readers(slot);
        let nobody = *readers & !MANUAL == 0;
        *readers |= DEFER;
        if nobody && !self.bug(Bug::DeferNotClaimed) {
            self.go(Step::Claim(slot));
        } else {
            self.event(Event::HeldByGuard);
            self.go_on();
        }
    }

    /// `readers.CAS(DEFER -> 0)`: among all who saw that nobody is left, one finishes the object.
    pub(super) fn claim(&mut self, slot: u8) {
        let always = self.bug(Bug::DeferClaimedTwice);
        let readers = self.locked_readers(slot);
        let won = *readers == DEFER;
        if won || always {
            *readers &= !DEFER;
            self.go(Step::Finalize(slot, true));
        } else {
            self.go_on();
        }
    }

    /// Runs the finalizer (or drops the slot's last object), and makes the slot ready.
    pub(super) fn finalize(&mut self, slot: u8, late: bool) {
        if self.state.is_seen(slot) {
            self.fault(Fault::FinalizedInSight);
        }
        let object = &mut self.state.objects[usize::from(slot)];
        if object.content != Content::Alive {
            self.fault(Fault::FinalizedTwice);
            return;
        }
        object.content = Content::Finalized;
        if !late && self.bug(Bug::FinishedAndDeferred) {
            let stamp = self.state.memory.epoch;
            self.wait(
                slot,
                Waiting {
                    stamp,
                    unfinished: true,
                },
            );
        } else {
            self.make_ready(slot);
        }
        if late && self.state.event.is_none() {
            self.event(Event::FinalizedLate);
        }
        self.go_on();
    }
}
