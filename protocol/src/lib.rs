//! The concurrency protocol of the pool engine as a model, every reachable state of which is visited.
//!
//! The engine frees an object without a locked instruction, lets other threads read it through handles without one,
//! and promises that nothing is reused or finalized while anybody looks, and that an object ends with its last owner.
//! Whether that holds depends on where the fences stand, on the order in which words are looked at, and on who is
//! left to clean up; and the schedules that break it are rarer than any stress test can wait for. So the protocol is
//! written down here a second time, as a state machine of three threads, and [stateright] walks through all the
//! orders in which their steps can happen.
//!
//! ```text
//! ┌─ thread 0 ────────┐ ┌─ thread 1 ────────┐ ┌─ thread 2 ────────┐
//! │ script, position  │ │                   │ │                   │   what it is doing: Op, Step
//! │ hands: objects    │ │        …          │ │        …          │   what it owns
//! │ ready ▒▒ freed ░░ │ │                   │ │                   │   its lists of free slots
//! │ pin, guard        │ │                   │ │                   │   what it sees
//! ├───────────────────┤ ├───────────────────┤ ├───────────────────┤
//! │ store buffer  ►►  │ │ store buffer  ►►  │ │ store buffer  ►►  │   stores that only it can see
//! └─────────┬─────────┘ └─────────┬─────────┘ └─────────┬─────────┘
//!           ▼                     ▼                     ▼
//! ┌─ memory ────────────────────────────────────────────────────────┐
//! │ per slot:    life, readers, more  per thread:  flag, busy       │
//! │ one of each: EPOCH; MODE and its lock; GUARDING, COUNTING and   │
//! │              the pool's lock                                    │
//! └─────────────────────────────────────────────────────────────────┘
//! ┌─ shared lists ──────────────────┐ ┌─ what only the model knows ──┐
//! │ fresh, depot, limbo, retired    │ │ each slot's object, and which│
//! │ (queues: one step each)         │ │ life number meant which one  │
//! └─────────────────────────────────┘ └──────────────────────────────┘
//! ```
//!
//! A [`Scenario`] says what the threads do and what must come out of it at least once ([`Event`]); whatever they do,
//! no [`Fault`] may come out of it. [`Bug`] lists more than seventy ways to get the protocol wrong. The tests plant
//! each of them and see that it is found, which is how we know that the model would notice if the engine did the
//! same.
//!
//! ```
//! use acedia_protocol::{Bug, Fault, Protocol, Scenario, story};
//! use stateright::{Checker, Model};
//!
//! let scenario = Scenario::ALL.into_iter().find(|scenario| scenario.name == "two_guards").unwrap();
//! let sound = Protocol { scenario: scenario.clone(), bug: None };
//! sound.checker().spawn_dfs().join().assert_properties();
//!
//! let broken = Protocol { scenario, bug: Some(Bug::DeferClaimedTwice) };
//! let checker = broken.clone().checker().spawn_bfs().join();
//! let path = checker.discovery(Fault::TwoPlaces.sentence()).unwrap();
//! println!("{}", story(&broken, &path));
//! ```
//!
//! # The protocol
//!
//! ```text
//! life word     +n alive, handles see it;  -n the next life is n, or it has begun and no handle was made;  MIN retired
//! readers word  DEFER | MANUAL | guards
//! more          owners beyond the first
//! census        NONE, SOLE(thread) or MANY; CHANGING on its way. MODE, the process's: who pins. The pool's: GUARDING,
//!               who makes guards; COUNTING, who counts owners. Changed under a lock of the process, or of the pool
//!
//! expose        life = +n
//! pin           e = EPOCH; flag = e|1; FENCE; MODE is SOLE(me) or MANY? else announce; reads: life == key.
//!               unpin: flag = 0
//! announce      lock; NONE: MODE = SOLE(me); BARRIER
//!                     SOLE(other): MODE = CHANGING; BARRIER; MODE = MANY
//!               unlock.  A BARRIER is a fence on every thread
//! guard         life == key?  GUARDING is SOLE(me) or MANY? else enlist.
//!               readers += 1;  life == key?  else readers -= 1.
//!               leave: readers -= 1.  It was DEFER|1? claim
//! enlist        as announce, with GUARDING in the place of MODE
//! claim         readers.CAS(DEFER -> 0) succeeds: finish
//! free          never exposed:    finish; ready; the life number is still good
//!               otherwise         life = -(n+1); MODE is NONE, or SOLE(me) and I am not pinned;
//!                                 GUARDING is NONE, or SOLE(me) and readers == 0: finish, ready     (the solo path)
//!               no finalizer:     to the thread's freed list
//!               finalizer:        FENCE; every flag 0? no: to the limbo with a stamp
//!                                 readers == 0? finish, ready.  no: readers.or(DEFER) was 0? claim
//! refill        FENCE; every flag 0? freed slots become ready; if GUARDING is not NONE those with readers == 0, the
//!               others stay
//!               else stamp = EPOCH; EPOCH.CAS(stamp -> stamp+2); all freed slots to the limbo with that stamp
//! limbo         every flag 0 or > stamp|1, then GUARDING is NONE or readers == 0? ready.
//!               (finalizer: as above, from the readers on)
//! quieten       try to lock; NONE: no.  old = MODE; MODE = CHANGING; FENCE; every flag 0? MODE = NONE, else
//!               MODE = old; unlock
//! free by key   pin; life == key?  readers.and(!MANUAL); unpin: who cleared the bit drops as an owner
//! clone         count +1
//! drop          more == 0?  free.  no: count -1; was 0 before? more = 0, free
//! count         COUNTING is SOLE(me)?  busy = 1; COUNTING is SOLE(me) still? n = more; more = n ± 1; busy = 0; done.
//!                                                no longer? busy = 0, and on
//!               COUNTING is MANY?  a drop: more == 0? free.  more ±= 1, locked
//!               else join; once more, but who is not SOLE(me) then counts by the locked instruction in any case
//! join          as announce, with COUNTING in the place of MODE; before MANY: until every other busy is 0, wait
//! exclusive     more == 0?  life = -n; FENCE; every flag 0 and readers == 0? write.  life = +n
//! thread exit   ready slots to the depot; FENCE; freed slots to the limbo with a stamp
//! last life     life = MIN; the object is dropped, which waits for readers as a finalizer does
//! ```
//!
//! The first two censuses let a free do without fences, the third lets an owner be counted without a locked instruction.
//! All rise in the same way:
//!
//! * A thread that finds MANY goes ahead without asking, so MANY is stored only after the barrier
//!   ([`Bug::ManyBeforeBarrier`], [`Bug::ManyGuardBeforeBarrier`]): a formerly sole reader that decided by the old value
//!   has its "life ended" in memory by then. Meanwhile the census is CHANGING, which equals no identity: a freeing thread
//!   checks all readers, and a thread that wants to read waits for the lock. SOLE(me) needs no such detour, because only
//!   the thread itself trusts it.
//! * The identity in SOLE is never used again: of two threads that share one, each takes itself for the only one
//!   ([`Bug::IdentityUsedAgain`]). The end of a thread changes nothing, because it may read in its last destructors.
//!
//! The mode falls when the readers have stopped:
//!
//! * The fall is Dekker's handshake with a pin: either it sees the flag, or the pin, which looks at the mode after its
//!   fence, sees CHANGING or what came of it ([`Bug::FallWithoutFence`], [`Bug::PinLooksTooEarly`]).
//! * The lock is held until MANY is stored. Otherwise that store could come in the middle of a fall, and a pin would
//!   trust it while the mode becomes NONE ([`Bug::BarrierAfterUnlock`]).
//!
//! GUARDING never falls:
//!
//! * A guard raises no flag, so no thread can tell whether one is about to count itself ([`Bug::GuardingFalls`]).
//! * A fall of the mode says nothing about guards, and need not: a freeing thread loads both words, after the life's end
//!   ([`Bug::GuardingLookedAtTooEarly`]).
//! * Among its own guards a thread frees without a fence: it sees what it counted itself, and finds the count until
//!   the last of them is dropped, wherever that is ([`Bug::OwnGuardsForgotten`]). The guards of others it does not see
//!   without one ([`Bug::SoloAmongOthersGuards`]).
//! * A refill fences before it looks, and a guard counts itself by a locked instruction ([`Bug::EnterNotLocked`]). So these
//!   two meet without the barrier; it is there for the solo path ([`Bug::FirstGuardWithoutBarrier`]).
//!
//! COUNTING never falls either. It allows a load and a store with no other thread's access between them:
//!
//! * A thread that counts by plain accesses may stand between the two when the barrier strikes. So it says that it is
//!   counting before it looks at the census ([`Bug::NoSecondLook`], [`Bug::BusyAfterLook`]) and until it has stored
//!   ([`Bug::BusyEndsTooEarly`]), and a thread that changes the census waits for it ([`Bug::SecondCountWithoutWait`]).
//! * Flag and census are Dekker's handshake, in which the barrier stands for the fence of the one who counts: after it,
//!   either the flag is in sight, or its thread sees CHANGING ([`Bug::SecondCountWithoutBarrier`]). So the wait comes
//!   after the barrier ([`Bug::WaitBeforeBarrier`]), and MANY after the wait ([`Bug::ManyCountBeforeWait`]).
//! * Nobody waits for the lock with the flag up, because the lock's holder may wait for the flag
//!   ([`Bug::BusyWhileWaiting`]).
//! * A thread that was SOLE when it let go of the lock and finds CHANGING may use the locked instruction at once: nobody
//!   else counted by plain accesses. All others must wait for MANY ([`Bug::CountWhileChanging`]).
//! * The first thread needs no barrier for this: nobody has counted before, and the next one takes the same lock. The
//!   engine has one there because GUARDING, which rises by the same code, needs it.
//! * An owner that finds `more == 0` is alone, and nobody else can change that: it leaves without being counted
//!   ([`Bug::LastOwnerDoesNotLook`]). So a plain subtraction never finds 0. A locked one may
//!   ([`Bug::LastOwnerForgets`]), and leaves a count that the next life must not find ([`Bug::OwnersNotReset`]).
//!
//! A thread that writes to an object first checks that there is no other owner, and only then whether the object is
//! visible ([`Bug::VisibleBeforeAlone`]): the other owner may have made it visible right before it left.
//!
//! # Limits of the model
//!
//! * Memory is that of x86: each thread's stores wait in a buffer of its own, and are loaded from there. Fences, locked
//!   instructions and the barrier empty it. The barrier reaches the threads one after the other, in any order. Weaker
//!   machines are not modelled; the engine's orderings are checked by loom, and by litmus tests of the patterns.
//! * Each access to memory, each write to an object and the end of each read is a step of its own. Lists that threads
//!   share are queues: an operation on one is one step.
//! * A thread tries to make the mode fall wherever its script says so; the engine does it now and then, where it has
//!   found that nobody is pinned.
//! * That an object has had several owners is known at once; the engine has a mark per chunk, which is set before the
//!   first clone is there.
//! * Each thread has its flags from the start; the engine adds them to a list, by a locked instruction, at first use.
//! * A clone of a guard, which counts where another one is counted already, is left out.
//! * Readers know every key from the start, as if they had guessed it, and use it at any time.
//! * A life number has two or three values where the engine's has two thousand million, a magazine has two slots,
//!   and a pool one chunk.
//! * Several pools, limits, chunks that are given back, reserved keys, and user code that panics or calls back are left
//!   to the engine's own tests.
//! * States are told apart by 64-bit fingerprints, as stateright does it.

#![forbid(unsafe_code)]

mod bug;
mod memory;
mod outcome;
mod scenario;
mod scenarios;
mod state;
mod turn;

use stateright::{Model, Path, Property};

pub use bug::{Bug, Symptom};
pub use outcome::{Event, Fault};
pub use scenario::{Key, Op, Scenario};
pub use state::State;
use turn::Turn;

/// Threads of every scenario.
pub const THREADS: usize = 3;
/// Most slots of a scenario.
pub const SLOTS: usize = 2;

const THREAD_IDS: [u8; THREADS] = [0, 1, 2];
const SLOT_IDS: [u8; SLOTS] = [0, 1];

/// The protocol under one scenario, with at most one bug.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// The scripts of the threads.
    pub scenario: Scenario,
    /// The planted bug; none, normally.
    pub bug: Option<Bug>,
}

/// One step of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A thread takes its next step.
    Step(u8),
    /// The oldest store in a thread's buffer reaches memory.
    Drain(u8),
    /// A barrier that the first thread asked for fences the second one.
    Barrier(u8, u8),
}

impl Protocol {
    fn turn<'a>(&'a self, state: &'a mut State, thread: u8) -> Turn<'a> {
        Turn {
            protocol: self,
            state,
            thread,
        }
    }

    /// Looks for faults that show in a state as a whole.
    fn judge(&self, last: &State, state: &mut State) {
        let mut fault = None;
        for slot in 0..self.scenario.slots {
            match state.places(slot) {
                0 if last.is_owned(slot) => fault = Some(Fault::Orphaned),
                0 => fault = Some(Fault::Lost),
                1 => {}
                _ if state.is_owned(slot) => fault = Some(Fault::FreedWhileOwned),
                _ => fault = Some(Fault::TwoPlaces),
            }
        }
        if fault.is_none() {
            if THREAD_IDS.iter().all(|&thread| state.is_done(self, thread)) {
                let waits = state.limbo.iter().any(Option::is_some);
                let counts = state.memory.readers.iter().any(|&word| word & !memory::MANUAL != 0);
                fault = (waits || counts).then_some(Fault::Unsettled);
            } else {
                let mut actions = Vec::new();
                self.actions(state, &mut actions);
                fault = actions.is_empty().then_some(Fault::Stuck);
            }
        }
        state.fault = fault;
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let mut state = State::new(self);
        for thread in THREAD_IDS {
            self.turn(&mut state, thread).settle();
        }
        vec![state]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.fault.is_some() {
            return;
        }
        for thread in THREAD_IDS {
            let at = usize::from(thread);
            if !state.threads[at].buffer.is_empty() {
                actions.push(Action::Drain(thread));
            }
            if !state.is_blocked(self, thread) {
                actions.push(Action::Step(thread));
            }
            let targets = state.barrier_targets(thread);
            actions.extend(
                THREAD_IDS
                    .into_iter()
                    .filter(|&other| targets.has(other))
                    .map(|other| Action::Barrier(thread, other)),
            );
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        state.event = None;
        match action {
            Action::Step(thread) => self.turn(&mut state, thread).step(),
            Action::Drain(thread) => {
                let mut turn = self.turn(&mut state, thread);
                turn.drain_one();
                turn.settle();
            }
            Action::Barrier(thread, other) => {
                let mut turn = self.turn(&mut state, thread);
                turn.barrier(other);
                turn.settle();
            }
        }
        if state.fault.is_none() {
            self.judge(last, &mut state);
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let always = Fault::ALL.map(Fault::property);
        let sometimes = self.scenario.shows.iter().copied().map(Event::property);
        always.into_iter().chain(sometimes).collect()
    }
}

/// Describes a path, one line for each step.
#[must_use]
pub fn story(protocol: &Protocol, path: &Path<State, Action>) -> String {
    let mut lines = Vec::new();
    for (state, action) in path.clone().into_vec() {
        match action {
            Some(Action::Step(thread)) => {
                let me = &state.threads[usize::from(thread)];
                let op = state
                    .op(protocol, thread)
                    .map_or_else(String::new, |op| format!("{op:?}"));
                lines.push(format!("thread {thread}: {op}: {:?}", me.step));
            }
            Some(Action::Drain(thread)) => {
                let oldest = state.threads[usize::from(thread)].buffer.clone().pop();
                lines.push(format!("thread {thread}:     {oldest:?} reaches memory"));
            }
            Some(Action::Barrier(thread, other)) => {
                lines.push(format!("thread {thread}: barrier strikes thread {other}"));
            }
            None => lines.push(format!("{:?}", state.fault)),
        }
    }
    lines.join("\n")
}
