//! The operations of threads, and the parts of a scenario. The scenarios themselves are in `scenarios.rs`.

use crate::{Event, THREADS};

/// A handle: a slot and the life that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The slot.
    pub slot: u8,
    /// The life, from 1 on.
    pub life: i8,
}

/// One operation of a script. A hand is a thread's own variable for an object that it owns, 0 or 1.
///
/// An operation that finds nothing to do (a free with an empty hand, a leave without a guard) is skipped. Readers name
/// their keys in the script, so they may ask for a life before it begins: a key made of bits, the hardest case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Takes a slot (ready ones first, then a refill, the limbo, the depot, a new slot) and constructs an object in it.
    Allocate(u8),
    /// Makes the object's life visible to handles.
    Expose(u8),
    /// One owner more: the other hand, if it is empty, holds the same object.
    Clone(u8),
    /// Lets go of the object; the last owner frees it.
    Free(u8),
    /// Exclusive access for an only owner to an object that handles may exist of: hides its life, looks for readers,
    /// writes to the object if there are none, and makes the same life visible again.
    Mutate(u8),
    /// Exposes the object and turns this share of it into the one that is freed by key.
    IntoManual(u8),
    /// Frees a manual object by its key, or finds that it is gone.
    FreeManual(Key),
    /// Raises the thread's flag.
    Pin,
    /// Reads under the pin. The object that it found stays visible until the pin ends.
    Read(Key),
    /// Lowers the flag.
    Unpin,
    /// Reads by a counted guard, which is kept if the key resolves.
    Guard(Key),
    /// Drops the guard.
    Leave,
    /// Sends the guard to another thread.
    SendGuard,
    /// Waits for the guard that another thread sends.
    ReceiveGuard,
    /// Sends the object in this hand to a thread, which gets only one in a scenario.
    Give(u8, u8),
    /// Waits for the object that another thread sends.
    Take(u8),
    /// Makes ready what the thread has freed, and what waits in the limbo, as far as readers allow.
    Refill,
    /// The thread ends: its ready slots go to the depot, its freed ones to the limbo. The rest of the script is
    /// another thread.
    Exit,
    /// Finds out whether all who read under pins have stopped: if so the mode falls to NONE. Does nothing while another
    /// thread changes the mode.
    Quieten,
    /// Waits until the others are done, then refills: afterwards nothing may wait any more.
    Settle,
}

/// The scripts of three threads, and the world in which they run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// A short name for messages.
    pub name: &'static str,
    /// The subject.
    pub about: &'static str,
    /// Slots that the pool has: 1 or 2.
    pub slots: u8,
    /// The last life of a slot: a few instead of two thousand million, so that slots retire. At most 3.
    pub last_life: i8,
    /// Whether objects have a finalizer.
    pub finalizer: bool,
    /// Whether nobody has read through handles, or counted owners, so far. Otherwise all censuses are MANY from the
    /// start, as where there is no barrier: the mode never falls.
    pub cold: bool,
    /// How many stores may wait in each thread's buffer: up to 3. With 0 the memory is sequentially consistent.
    pub buffer: usize,
    /// Whether steps that no other thread can observe are steps of their own. That makes more states, and changes
    /// nothing else.
    pub fine: bool,
    /// The script of each thread. The first one must end with [`Op::Settle`], the others without pin and guard.
    pub scripts: [&'static [Op]; THREADS],
    /// The events that must happen on at least one path.
    pub shows: &'static [Event],
}
