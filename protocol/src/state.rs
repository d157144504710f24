//! One state of the model.

use crate::memory::{Buffer, DEFER, MANUAL, Memory, Var};
use crate::scenario::Op;
use crate::{Bug, Event, Fault, Protocol, SLOTS, THREAD_IDS, THREADS};

/// A list of slots, last in first out. Each slot is on it at most once, unless a bug puts it there twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct List(u8);

impl List {
    pub(crate) fn push(&mut self, slot: u8) {
        self.0 = self.0 << 2 | (slot + 1);
    }

    pub(crate) fn pop(&mut self) -> Option<u8> {
        let slot = (self.0 & 3).checked_sub(1);
        self.0 >>= 2;
        slot
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The slots, last one first.
    pub(crate) fn iter(mut self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || self.pop())
    }

    pub(crate) fn remove(&mut self, slot: u8) {
        let kept = std::mem::take(self);
        let mut kept: Vec<u8> = kept.iter().filter(|&other| other != slot).collect();
        while let Some(other) = kept.pop() {
            self.push(other);
        }
    }
}

/// A set of slots or threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Set(u8);

impl Set {
    pub(crate) fn has(self, member: u8) -> bool {
        self.0 & 1 << member != 0
    }

    pub(crate) fn add(&mut self, member: u8) {
        self.0 |= 1 << member;
    }

    pub(crate) fn remove(&mut self, member: u8) {
        self.0 &= !(1 << member);
    }

    pub(crate) fn first(self) -> Option<u8> {
        (0..8).find(|&member| self.has(member))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Why a thread looks at the flags: what it wants to do with a slot that nobody reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Why {
    /// Finish the object of a slot it has just freed.
    Free(u8),
    /// Write to an object it owns.
    Mutate(u8),
    /// Reuse the slots on its list of freed ones.
    Refill,
    /// Hand over its list of freed slots: no look, only a stamp.
    Exit,
    /// Reuse a slot that waits.
    Limbo(u8, Waiting),
    /// Let the mode fall, or put back this one.
    Quieten(i8),
}

/// Where a thread is inside an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Start,
    /// About to take the lock of a census, to be counted there: the mode's for a pin, else the pool's.
    Announce,
    /// Under the lock.
    Raise,
    /// Under the lock: the threads whose buffers the barrier has yet to empty. `true`: the census is MANY thereafter.
    Barrier(Set, bool),
    /// Under the lock: does this thread change a count by what it found in the census before?
    WaitForCounts(u8),
    /// Under the lock: the value that is found right.
    SetCensus(i8),
    Unlock,
    /// The epoch is known; the flag goes up.
    RaiseFlag(i8),
    PinFence,
    /// Does anybody count on this thread not to read?
    LookBeforeReading,
    /// Does anybody count on this thread not to make guards?
    LookBeforeGuarding,
    Enter,
    Confirm,
    Withdraw,
    /// Under a pin: is the object there that is to be freed by its key?
    FindManual,
    ClaimManual,
    /// The pin ends. `true`: the object is the thread's now.
    LeaveManual(u8, bool),
    /// Looking for a slot.
    Search,
    Grow,
    Construct(u8),
    /// Make the life of this word visible.
    Expose(u8, i8),
    MarkManual(u8),
    LookAtLife(u8),
    /// About to let go of a share: is it the last one? `true`: the second look, before the locked instruction.
    LookAtOwners(bool),
    /// May anybody else count owners?
    LookBeforeCounting,
    /// The thread says that it counts by plain accesses.
    RaiseBusy,
    /// May anybody else count, after all?
    LookAgain,
    LoadCount,
    StoreCount(i8),
    /// The thread says that it has counted, or will not. With a value: only with a bug, which stores it thereafter.
    LowerBusy(Option<i8>),
    CountLocked,
    ResetOwners(u8),
    /// Write to the object, if nobody else owns it. `true`: without another look at the life.
    AloneToWrite(u8, bool),
    Hide(u8),
    /// About to end a life.
    End(u8),
    LookAtMode(u8),
    /// May anybody else make guards?
    LookAtGuarding(u8),
    /// Is one of its own guards left, here or on another thread?
    LookAtOwnGuards(u8),
    Fence(Why),
    /// The next flag to look at.
    Scan(Why, u8),
    TakeStamp(Why),
    MoveEpoch(Why, i8),
    /// Has anybody ever made a guard in this pool?
    LookForGuards(Why),
    LookAtReaders(Why),
    /// The freed slots whose readers are yet to be looked at.
    Sort(Set),
    /// Back to the limbo.
    PutBack(u8, Waiting),
    /// Leave the object to its guards.
    Defer(u8),
    /// Try to be the one who finishes it.
    Claim(u8),
    /// `true`: later than it was freed.
    Finalize(u8, bool),
    Write(u8),
    Reveal(u8),
}

impl Step {
    /// The slot of which the thread has a share only because it is at this step.
    fn shares(self) -> Option<u8> {
        match self {
            Self::MarkManual(slot) | Self::LeaveManual(slot, true) => Some(slot),
            _ => None,
        }
    }

    /// The slot that belongs to the thread only because it is at this step.
    fn holds(self) -> Option<u8> {
        match self {
            Self::Construct(slot)
            | Self::ResetOwners(slot)
            | Self::End(slot)
            | Self::LookAtMode(slot)
            | Self::LookAtGuarding(slot)
            | Self::LookAtOwnGuards(slot)
            | Self::PutBack(slot, _)
            | Self::Defer(slot)
            | Self::Finalize(slot, _) => Some(slot),
            Self::Fence(why)
            | Self::Scan(why, _)
            | Self::TakeStamp(why)
            | Self::MoveEpoch(why, _)
            | Self::LookForGuards(why)
            | Self::LookAtReaders(why) => match why {
                Why::Free(slot) | Why::Limbo(slot, _) => Some(slot),
                Why::Mutate(_) | Why::Refill | Why::Exit | Why::Quieten(_) => None,
            },
            _ => None,
        }
    }
}

/// A change of a count of owners that is under way. The thread has a share in the object until it is through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Count {
    pub(crate) slot: u8,
    /// One owner more, or one less.
    pub(crate) by: i8,
    /// The thread found that it is not the only one any more.
    pub(crate) refused: bool,
    /// The census allows for the thread.
    pub(crate) announced: bool,
}

/// One thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Thread {
    /// Which operation of the script is next or under way.
    pub(crate) op: u8,
    pub(crate) step: Step,
    pub(crate) buffer: Buffer,
    /// Slots that may be reused at once.
    pub(crate) ready: List,
    /// Slots that others may still be reading.
    pub(crate) freed: List,
    pub(crate) hands: [Option<u8>; 2],
    pub(crate) count: Option<Count>,
    /// The identity of the thread in a census. Never reused, even if another thread takes its place.
    pub(crate) identity: i8,
    /// Pins, one inside the other.
    pub(crate) pins: u8,
    /// The objects that it found under its pins.
    pub(crate) sees: Set,
    pub(crate) guard: Option<u8>,
    /// The slots that this operation has checked in vain: of the limbo, and its own freed slots (bit 7).
    pub(crate) tried: Set,
    /// Only with a bug: what it found out once, and takes for granted since.
    pub(crate) remembered: Option<i8>,
}

/// The bit of [`Thread::tried`] for the thread's own freed slots.
pub(crate) const OWN_FREED: u8 = 7;

/// The content of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    Raw,
    Alive,
    Finalized,
}

/// The model's own knowledge about a slot's object, which no thread has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Object {
    pub(crate) content: Content,
    /// How many objects were constructed here.
    pub(crate) births: u8,
    /// Which of them was made visible under each life number; 0 for none.
    pub(crate) issued: [u8; 4],
}

/// A slot that waits for pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub(crate) stamp: i8,
    /// Its object has yet to be finalized.
    pub(crate) unfinished: bool,
}

/// One state: memory, threads, lists, and what the model keeps to judge them by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) memory: Memory,
    pub(crate) threads: [Thread; THREADS],
    /// Slots without an object so far.
    pub(crate) fresh: Set,
    /// Ready slots that no thread holds.
    pub(crate) depot: Set,
    pub(crate) limbo: [Option<Waiting>; SLOTS],
    pub(crate) retired: Set,
    /// Slots whose object had several owners at some time: their owners are counted.
    pub(crate) shared: Set,
    /// Objects on their way, by the thread they go to.
    pub(crate) parcels: [Option<u8>; THREADS],
    /// A guard on its way from one thread to another.
    pub(crate) letter: Option<u8>,
    pub(crate) objects: [Object; SLOTS],
    /// Whether the mode has ever fallen.
    pub(crate) fallen: bool,
    /// The effect of the last step.
    pub(crate) event: Option<Event>,
    pub(crate) fault: Option<Fault>,
}

impl State {
    pub(crate) fn new(protocol: &Protocol) -> Self {
        let scenario = &protocol.scenario;
        let mut fresh = Set::default();
        (0..scenario.slots).for_each(|slot| fresh.add(slot));
        Self {
            memory: Memory::new(scenario.cold),
            threads: [0, 1, 2].map(|identity| Thread {
                op: 0,
                step: Step::Start,
                buffer: Buffer::default(),
                ready: List::default(),
                freed: List::default(),
                hands: [None; 2],
                count: None,
                identity,
                pins: 0,
                sees: Set::default(),
                guard: None,
                tried: Set::default(),
                remembered: None,
            }),
            fresh,
            depot: Set::default(),
            limbo: [None; SLOTS],
            retired: Set::default(),
            shared: Set::default(),
            parcels: [None; THREADS],
            letter: None,
            objects: [(); SLOTS].map(|()| Object {
                content: Content::Raw,
                births: 0,
                issued: [0; 4],
            }),
            fallen: false,
            event: None,
            fault: None,
        }
    }

    pub(crate) fn op(&self, protocol: &Protocol, thread: u8) -> Option<Op> {
        let at = usize::from(thread);
        protocol.scenario.scripts[at]
            .get(usize::from(self.threads[at].op))
            .copied()
    }

    /// Whether a thread has come to the end of its script and its stores to memory.
    pub(crate) fn is_done(&self, protocol: &Protocol, thread: u8) -> bool {
        self.op(protocol, thread).is_none() && self.threads[usize::from(thread)].buffer.is_empty()
    }

    /// The value that a thread loads: its own newest store, or else the value in memory.
    pub(crate) fn load(&self, thread: u8, var: Var) -> i8 {
        self.threads[usize::from(thread)]
            .buffer
            .newest(var)
            .unwrap_or_else(|| self.memory.get(var))
    }

    /// Whether a thread can store without waiting for its buffer.
    pub(crate) fn has_room(&self, protocol: &Protocol, thread: u8) -> bool {
        let most = protocol.scenario.buffer;
        most == 0 || self.threads[usize::from(thread)].buffer.len() < most
    }

    /// Whether a thread has nothing to do, or must wait: for another thread, or for room in its buffer.
    pub(crate) fn is_blocked(&self, protocol: &Protocol, thread: u8) -> bool {
        let Some(op) = self.op(protocol, thread) else {
            return true;
        };
        let me = &self.threads[usize::from(thread)];
        match (me.step, op) {
            (Step::Announce, _) => {
                self.memory.is_locked(self.census(protocol, thread)) && protocol.bug != Some(Bug::EnlistUnlocked)
            }
            (Step::WaitForCounts(other), _) => self.load(thread, Var::Busy(other)) != 0,
            (Step::Start, Op::Take(_)) => self.load(thread, Var::Parcel(thread)) == 0,
            (Step::Start, Op::ReceiveGuard) => self.load(thread, Var::Letter) == 0,
            (Step::Start, Op::Settle) => THREAD_IDS
                .iter()
                .any(|&other| other != thread && !self.is_done(protocol, other)),
            // Only a store is left to do at these steps.
            (Step::Start, Op::Give(..) | Op::SendGuard | Op::Unpin)
            | (
                Step::RaiseFlag(_)
                | Step::Raise
                | Step::SetCensus(_)
                | Step::Expose(..)
                | Step::RaiseBusy
                | Step::StoreCount(_)
                | Step::LowerBusy(_)
                | Step::ResetOwners(_)
                | Step::Hide(_)
                | Step::End(_)
                | Step::Reveal(_)
                | Step::LeaveManual(..),
                _,
            ) => !self.has_room(protocol, thread),
            (Step::Barrier(..), _) => true,
            _ => false,
        }
    }

    /// The threads on which a thread's barrier may strike next: its own stores come first.
    pub(crate) fn barrier_targets(&self, thread: u8) -> Set {
        match self.threads[usize::from(thread)].step {
            Step::Barrier(left, _) if left.has(thread) => Set(1 << thread),
            Step::Barrier(left, _) => left,
            _ => Set::default(),
        }
    }

    /// Whether any reader sees the slot's object: under a pin, by a guard, or by a guard on its way.
    pub(crate) fn is_seen(&self, slot: u8) -> bool {
        self.letter == Some(slot)
            || self
                .threads
                .iter()
                .any(|thread| thread.sees.has(slot) || thread.guard == Some(slot))
    }

    /// The census that a thread may change: what it is about says which.
    pub(crate) fn census(&self, protocol: &Protocol, thread: u8) -> Var {
        match self.op(protocol, thread) {
            _ if self.threads[usize::from(thread)].count.is_some() => Var::Counting,
            Some(Op::Guard(_)) => Var::Guarding,
            _ => Var::Mode,
        }
    }

    /// Whether the slot's object has an owner.
    pub(crate) fn is_owned(&self, slot: u8) -> bool {
        let share = Some(slot);
        self.parcels.contains(&share)
            || self.memory.readers[usize::from(slot)] & MANUAL != 0
            || self.threads.iter().any(|thread| {
                thread.hands.contains(&share)
                    || thread.count.map(|count| count.slot) == share
                    || thread.step.shares() == share
            })
    }

    /// In how many places a slot is. Anything but one is a fault. All owners of an object are one place.
    pub(crate) fn places(&self, slot: u8) -> usize {
        let at = usize::from(slot);
        let mut places = 0;
        for thread in &self.threads {
            places += usize::from(thread.step.holds() == Some(slot));
            let lists = thread.ready.iter().chain(thread.freed.iter());
            places += lists.filter(|&other| other == slot).count();
        }
        let elsewhere = [
            self.is_owned(slot),
            self.fresh.has(slot),
            self.depot.has(slot),
            self.retired.has(slot),
            self.limbo[at].is_some(),
            self.memory.readers[at] & DEFER != 0,
        ];
        places + elsewhere.into_iter().filter(|&here| here).count()
    }
}
