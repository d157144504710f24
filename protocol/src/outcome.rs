//! Faults, which must never happen, and events, which must be seen.

use stateright::Property;

use crate::Protocol;

/// Declares the kinds of an outcome, each with the sentence that names its property.
macro_rules! outcomes {
    ($(#[$meta:meta])* $name:ident, $count:literal, |$field:ident| $property:expr;
     $($(#[$doc:meta])* $kind:ident = $sentence:literal,)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $kind,)*
        }

        impl $name {
            /// Every kind.
            pub const ALL: [Self; $count] = [$(Self::$kind,)*];

            /// The property's name, a sentence.
            #[must_use]
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Self::$kind => $sentence,)*
                }
            }

            pub(crate) fn property(self) -> Property<Protocol> {
                match self {
                    $(Self::$kind => {
                        let condition: fn(&Protocol, &crate::State) -> bool = |_, state| {
                            let $field = (state, Self::$kind);
                            $property
                        };
                        Self::make_property(self.sentence(), condition)
                    })*
                }
            }
        }
    };
}

outcomes! {
    /// A fault, which must never happen. A path ends at the first one.
    Fault, 14, |it| it.0.fault != Some(it.1);

    /// A slot is on two lists, or two threads finish its object.
    TwoPlaces = "no slot is on two lists or in the hands of two who finish it",
    /// An object was freed that has an owner.
    FreedWhileOwned = "no object is freed while it has an owner",
    /// The last owner has left an object, and did not free it.
    Orphaned = "no object outlives its last owner",
    /// A slot is nowhere.
    Lost = "no slot is lost: free, live and retired ones are all there are",
    /// An object was constructed where a reader still looks.
    ConstructedInSight = "nothing is constructed while a reader sees the slot",
    /// An object was finalized while a reader still looks.
    FinalizedInSight = "nothing is finalized while a reader sees it",
    /// An object was written to while a reader looks.
    MutatedInSight = "nothing is written to while a reader sees it",
    /// A handle resolved to another life than its own.
    WrongLife = "no handle resolves to another life than its own",
    /// A handle resolved to an object that was not constructed, or was finalized.
    Unready = "no handle resolves to an object that is not alive",
    /// A life number was made visible twice.
    LifeTwice = "no slot issues a life number twice",
    /// A finalizer ran twice for one life.
    FinalizedTwice = "no life is finalized twice",
    /// A slot with an object that was not finalized became free.
    NotFinalized = "no object is kept for reuse that was not finalized",
    /// When all threads are done, a count of readers or something that waits for readers is left.
    Unsettled = "when all is quiet nothing waits, and nobody is counted as reading",
    /// A thread is not done and can do nothing.
    Stuck = "no thread waits for ever",
}

impl Fault {
    fn make_property(sentence: &'static str, condition: fn(&Protocol, &crate::State) -> bool) -> Property<Protocol> {
        Property::always(sentence, condition)
    }
}

outcomes! {
    /// An event that a scenario must show. Each must happen on at least one path, or the scenario proves nothing.
    Event, 31, |it| it.0.event == Some(it.1);

    /// A handle resolved.
    Resolved = "a read resolves",
    /// A handle of a life that is over was refused.
    Refused = "a stale read is refused",
    /// A guard that had been counted already was refused.
    RefusedLate = "a guard is refused at its second look",
    /// A thread freed without fence or look, because nobody else reads.
    SoloFree = "an object is freed on the solo path",
    /// A thread freed without fence or look, because all who read have stopped.
    SoloAfterFall = "an object is freed on the solo path after the mode has fallen",
    /// A thread freed without a fence in a pool in which it alone has made guards.
    SoloAmongOwnGuards = "an object is freed on the solo path by the only thread that makes guards",
    /// A thread that alone had made guards found that somebody may be looking at what it freed.
    GuardInTheWay = "a guard keeps the only thread that makes guards from the solo path",
    /// A second thread was counted among those that make guards.
    SecondGuards = "a second thread makes guards",
    /// A guard found MANY and asked for nothing.
    ManyTrusted = "a guard trusts that many make guards",
    /// The mode fell to NONE while nobody held a guard.
    Fell = "the mode falls",
    /// A pin kept the mode from falling.
    FallRefused = "a pin keeps the mode from falling",
    /// The mode fell to NONE while somebody held a guard.
    FellAmongGuards = "the mode falls under a guard",
    /// A pin found that the mode had fallen.
    AnnouncedAgain = "a reader announces itself after the mode has fallen",
    /// Freed slots became ready because nobody was pinned.
    Refilled = "freed slots become ready at once",
    /// A slot stayed where it was because of a guard.
    HeldByGuard = "a guard holds back a slot",
    /// Slots began to wait for pins.
    EnteredLimbo = "a pin sends slots to the limbo",
    /// A slot left the limbo.
    LeftLimbo = "a slot leaves the limbo",
    /// A slot left the limbo although a thread was pinned, by a newer pin.
    OutwaitedByPin = "a slot leaves the limbo under a newer pin",
    /// An object was finalized later than it was freed.
    FinalizedLate = "a deferred finalizer runs",
    /// A slot's last life ended.
    Retired = "a slot retires",
    /// A thread freed an object by its key that was not, or no longer, free for the taking.
    ManualLost = "a free by key finds nothing to claim",
    /// A thread changed a count of owners by plain accesses.
    CountedAlone = "an owner is counted by the only thread that counts",
    /// A thread changed a count of owners by a locked instruction.
    CountedAmongMany = "an owner is counted by one of many threads that count",
    /// A thread that had raised its flag found that it is not the only one any more that counts.
    CountRefused = "a thread that was to count alone finds that it is not the only one any more",
    /// A second thread waits until the first, in the middle of a clone, has lowered its flag.
    CloneAwaited = "a second thread that counts waits for a clone by the first",
    /// A second thread waits until the first, in the middle of a drop, has lowered its flag.
    DropAwaited = "a second thread that counts waits for a drop by the first",
    /// A thread found MANY at its first look.
    CountersTrusted = "a thread trusts that many count owners",
    /// An owner of an object that was cloned found that the others have left.
    LastUncounted = "the last owner of a shared object leaves without counting",
    /// An owner found by its subtraction that the other one has left since it looked.
    LastAmongMany = "two owners leave at the same time",
    /// An owner got exclusive access to an object that handles exist of.
    Mutated = "an exposed object is written to",
    /// An owner was refused exclusive access because of a reader.
    MutationRefused = "exclusive access is refused because of a reader",
}

impl Event {
    fn make_property(sentence: &'static str, condition: fn(&Protocol, &crate::State) -> bool) -> Property<Protocol> {
        Property::sometimes(sentence, condition)
    }
}
