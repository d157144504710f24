//! One turn of a thread: one access to memory whose time other threads can observe, and the following steps whose time
//! they cannot.
//!
//! A store into the thread's own buffer, and a change of the thread's own variables, are invisible: they may as well
//! happen together with the access before them. That keeps the number of states small and loses none that matters (a
//! test compares). The end of a read is visible, because it says until when the reader looks; so is every write to an
//! object. And so are the stores of a thread that counts owners alone: a barrier may strike between a load and the
//! store that follows.

mod alloc;
mod census;
mod count;
mod free;
mod own;
mod read;

use crate::memory::Var;
use crate::scenario::{Key, Op};
use crate::state::{Set, State, Step, Thread};
use crate::{Bug, Event, Fault, Protocol};

/// One thread's turn.
pub(crate) struct Turn<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) state: &'a mut State,
    pub(crate) thread: u8,
}

/// Whether there was something to do.
type Moved = bool;

impl Turn<'_> {
    fn me(&mut self) -> &mut Thread {
        &mut self.state.threads[usize::from(self.thread)]
    }

    fn peek(&self) -> &Thread {
        &self.state.threads[usize::from(self.thread)]
    }

    fn op(&self) -> Option<Op> {
        self.state.op(self.protocol, self.thread)
    }

    /// The key that the operation is about.
    fn key(&self) -> Key {
        match self.op() {
            Some(Op::Read(key) | Op::Guard(key) | Op::FreeManual(key)) => key,
            other => unreachable!("{other:?} has no key"),
        }
    }

    fn bug(&self, bug: Bug) -> bool {
        self.protocol.bug == Some(bug)
    }

    fn go(&mut self, step: Step) -> Moved {
        self.me().step = step;
        true
    }

    /// The operation is over.
    fn done(&mut self) -> Moved {
        let me = self.me();
        me.op += 1;
        me.step = Step::Start;
        me.tried = Set::default();
        true
    }

    /// A slot was dealt with: the operation is over, unless it was looking for more.
    fn go_on(&mut self) -> Moved {
        match self.op() {
            Some(Op::Allocate(_) | Op::Refill | Op::Settle) => self.go(Step::Search),
            _ => self.done(),
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.state.fault.get_or_insert(fault);
    }

    fn event(&mut self, event: Event) {
        self.state.event = Some(event);
    }

    // Memory.

    fn load(&self, var: Var) -> i8 {
        self.state.load(self.thread, var)
    }

    fn has_room(&self) -> bool {
        self.state.has_room(self.protocol, self.thread)
    }

    /// A plain store. There must be room.
    fn store(&mut self, var: Var, value: i8) {
        if self.protocol.scenario.buffer == 0 {
            self.state.memory.set(var, value);
        } else {
            self.me().buffer.push(var, value);
        }
    }

    /// Moves the oldest store of a thread to memory.
    pub(crate) fn drain_one(&mut self) {
        if let Some((var, value)) = self.me().buffer.pop() {
            self.state.memory.set(var, value);
        }
    }

    /// A fence, or what a locked instruction does before anything else.
    fn fence(&mut self) {
        while !self.peek().buffer.is_empty() {
            self.drain_one();
        }
    }

    /// The word of guards, for a locked instruction.
    fn locked_readers(&mut self, slot: u8) -> &mut u8 {
        self.fence();
        &mut self.state.memory.readers[usize::from(slot)]
    }

    fn readers(&self, slot: u8) -> u8 {
        self.state.memory.readers[usize::from(slot)]
    }

    // Turns.

    /// Takes the next step. The thread must not be blocked.
    pub(crate) fn step(&mut self) {
        if !self.invisible() {
            self.visible();
        }
        self.settle();
    }

    /// Takes every step that no other thread can observe. Without a buffer, a store can be observed at once.
    pub(crate) fn settle(&mut self) {
        let fine = self.protocol.scenario.fine || self.protocol.scenario.buffer == 0;
        while !fine && self.state.fault.is_none() && self.invisible() {}
    }

    /// Takes the next step if no other thread can observe it.
    fn invisible(&mut self) -> Moved {
        let Some(op) = self.op() else { return false };
        match self.peek().step {
            Step::Start => match op {
                Op::Expose(hand) | Op::IntoManual(hand) => self.begin_expose(hand),
                Op::Give(hand, to) => self.give(hand, to),
                Op::Free(hand) => match self.me().hands[usize::from(hand)].take() {
                    Some(slot) => self.let_go(slot),
                    None => self.done(),
                },
                Op::Mutate(hand) => self.begin_mutation(hand),
                Op::Clone(hand) => self.begin_clone(hand),
                Op::Read(_) if self.peek().pins == 0 => self.done(),
                Op::Unpin => self.unpin_unseen(),
                Op::Leave if self.peek().guard.is_none() => self.done(),
                Op::SendGuard => self.send_guard(),
                Op::Exit => self.exit_unseen(),
                Op::Allocate(hand) if self.peek().hands[usize::from(hand)].is_some() => self.done(),
                Op::Allocate(_) | Op::Refill => self.go(Step::Search),
                _ => false,
            },
            Step::RaiseFlag(epoch) => self.raise_flag(epoch),
            Step::PinFence if self.bug(Bug::PinWithoutFence) => self.go(Step::LookBeforeReading),
            Step::LeaveManual(slot, won) => self.leave_manual(slot, won),
            Step::Raise => self.raise(),
            Step::SetCensus(value) => self.set_census(value),
            Step::Expose(slot, word) => self.expose(slot, word),
            Step::LowerBusy(late) => self.lower_busy(late),
            Step::ResetOwners(slot) => self.reset_owners(slot),
            Step::Hide(slot) => self.hide(slot),
            Step::Search => self.search_own(),
            Step::Construct(slot) if self.bug(Bug::ExposedTooEarly) => self.expose_too_early(slot),
            Step::End(slot) => self.end(slot),
            Step::Fence(why) => self.skip_fence(why),
            Step::Scan(why, _) => self.skip_scan(why),
            Step::LookAtReaders(why) => self.skip_readers(why),
            Step::Sort(left) if left.is_empty() => self.go(Step::Search),
            Step::Reveal(slot) => self.reveal(slot),
            _ => false,
        }
    }

    /// Takes the next step, which other threads may observe.
    fn visible(&mut self) {
        let Some(op) = self.op() else { return };
        match self.peek().step {
            Step::Start => match op {
                Op::Pin | Op::FreeManual(_) => self.pin(),
                Op::Read(key) => self.read(key),
                Op::Unpin => self.unpin(),
                Op::Guard(key) => self.first_look(key),
                Op::Leave => self.leave(),
                Op::ReceiveGuard => self.receive_guard(),
                Op::Take(hand) => self.take(hand),
                Op::Quieten => self.quieten(),
                Op::Settle => {
                    self.go(Step::Search);
                }
                Op::Exit => self.exit_depot(),
                other => unreachable!("{other:?} starts with an invisible step"),
            },
            Step::PinFence => self.pin_fence(),
            Step::LookBeforeReading => self.look_before_reading(),
            Step::LookBeforeGuarding => self.look_before_guarding(),
            Step::Announce => self.announce(),
            Step::Unlock => self.unlock(),
            Step::Enter => self.enter(),
            Step::Confirm => self.confirm(),
            Step::Withdraw => self.withdraw(),
            Step::FindManual => self.find_manual(),
            Step::ClaimManual => self.claim_manual(),
            Step::Search => self.search_limbo(),
            Step::Grow => self.grow(),
            Step::Construct(slot) => self.construct(slot),
            Step::MarkManual(slot) => self.mark_manual(slot),
            Step::LookAtLife(slot) => self.look_at_life(slot),
            Step::LookAtOwners(again) => self.look_at_owners(again),
            Step::LookBeforeCounting => self.look_before_counting(),
            Step::RaiseBusy => self.raise_busy(),
            Step::LookAgain => self.look_again(),
            Step::LoadCount => self.load_count(),
            Step::StoreCount(count) => self.store_count(count),
            Step::CountLocked => self.count_locked(),
            Step::WaitForCounts(other) => {
                self.wait_for_counts(other + 1);
            }
            Step::AloneToWrite(slot, unseen) => self.alone_to_write(slot, unseen),
            Step::LookAtMode(slot) => self.look_at_mode(slot),
            Step::LookAtGuarding(slot) => self.look_at_guarding(slot),
            Step::LookAtOwnGuards(slot) => self.look_at_own_guards(slot),
            Step::Fence(why) => {
                self.fence();
                self.after_fence(why);
            }
            Step::Scan(why, next) => self.scan(why, next),
            Step::TakeStamp(why) => self.take_stamp(why),
            Step::MoveEpoch(why, stamp) => self.move_epoch(why, stamp),
            Step::LookForGuards(why) => self.look_for_guards(why),
            Step::LookAtReaders(why) => self.look_at_readers(why),
            Step::Sort(left) => self.sort(left),
            Step::PutBack(slot, waiting) => {
                self.fence();
                self.wait(slot, waiting);
                self.go_on();
            }
            Step::Defer(slot) => self.defer(slot),
            Step::Claim(slot) => self.claim(slot),
            Step::Finalize(slot, late) => self.finalize(slot, late),
            Step::Write(slot) => self.write(slot),
            step @ (Step::Barrier(..)
            | Step::RaiseFlag(_)
            | Step::Raise
            | Step::SetCensus(_)
            | Step::Expose(..)
            | Step::LowerBusy(_)
            | Step::ResetOwners(_)
            | Step::Hide(_)
            | Step::End(_)
            | Step::Reveal(_)
            | Step::LeaveManual(..)) => {
                unreachable!("{step:?} is no visible step")
            }
        }
    }

    // Sending.

    fn give(&mut self, hand: u8, to: u8) -> Moved {
        if !self.has_room() {
            return false;
        }
        self.state.parcels[usize::from(to)] = self.me().hands[usize::from(hand)].take();
        self.store(Var::Parcel(to), 1);
        self.done()
    }

    fn take(&mut self, hand: u8) {
        let slot = self.state.parcels[usize::from(self.thread)].take();
        self.me().hands[usize::from(hand)] = slot;
        self.done();
    }

    fn send_guard(&mut self) -> Moved {
        if !self.has_room() {
            return false;
        }
        self.state.letter = self.me().guard.take();
        self.store(Var::Letter, 1);
        self.done()
    }

    fn receive_guard(&mut self) {
        let guard = self.state.letter.take();
        self.me().guard = guard;
        self.done();
    }
}
