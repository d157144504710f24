//! Bugs to plant, one at a time: each must be found, or the model would not notice if the engine had it.

use crate::{Event, Fault};

/// How a bug shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symptom {
    /// A fault happens.
    Causes(Fault),
    /// An event that must be possible is not any more.
    Prevents(Event),
}

use Symptom::{Causes, Prevents};

/// Declares the bugs: what is wrong, the scenario that shows it, and how.
macro_rules! bugs {
    ($count:literal; $($kind:ident = $sentence:literal in $scenario:literal: $symptom:expr;)*) => {
        /// A way to get the protocol wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Bug {
            $(#[doc = $sentence] $kind,)*
        }

        impl Bug {
            /// Every bug.
            pub const ALL: [Self; $count] = [$(Self::$kind,)*];

            /// The bug, in a sentence.
            #[must_use]
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Self::$kind => $sentence,)*
                }
            }

            /// The name of the scenario that shows it; others may, too.
            #[must_use]
            pub fn scenario(self) -> &'static str {
                match self {
                    $(Self::$kind => $scenario,)*
                }
            }

            /// How it shows there.
            #[must_use]
            pub fn symptom(self) -> Symptom {
                match self {
                    $(Self::$kind => $symptom,)*
                }
            }
        }
    };
}

bugs! {
    77;
    // Fences.
    RefillWithoutFence = "A refill looks at the flags without a fence."
        in "pins_and_guards_plain": Causes(Fault::ConstructedInSight);
    FreeWithoutFence = "A free with a finalizer looks at the flags without a fence."
        in "pins_and_guards_finalizer": Causes(Fault::FinalizedInSight);
    MutateWithoutFence = "An owner who wants exclusive access looks at the flags without a fence."
        in "exclusive": Causes(Fault::MutatedInSight);
    PinWithoutFence = "A pin does not fence between its flag and its reads."
        in "pins_and_guards_plain": Causes(Fault::ConstructedInSight);

    // The mode rises.
    FirstWithoutBarrier = "The first thread to read through handles announces itself without the process-wide barrier."
        in "first_readers_finalizer": Causes(Fault::FinalizedInSight);
    SecondWithoutBarrier = "The second thread to read through handles announces itself without the process-wide barrier."
        in "sole_reader_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    ManyBeforeBarrier = "MANY is stored before the barrier is through: a third thread trusts it too early."
        in "sole_reader_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    BarrierAfterUnlock = "The lock is let go before the barrier: MANY may come in the middle of a fall."
        in "readers_come_back_plain": Causes(Fault::ConstructedInSight);
    LockKept = "Who announces itself keeps the lock."
        in "first_readers_finalizer": Causes(Fault::Stuck);
    PinUnannounced = "A pin does not announce itself."
        in "first_readers_plain": Causes(Fault::ConstructedInSight);
    PinLooksTooEarly = "A pin looks at the mode before its fence."
        in "reader_comes_back_plain": Causes(Fault::ConstructedInSight);
    AnnouncedOnce = "A thread that has announced itself once does not do it again, although the mode has fallen."
        in "reader_comes_back_plain": Causes(Fault::ConstructedInSight);

    // The mode falls.
    FallWithoutChanging = "The mode falls before the look at the flags."
        in "sole_reader_in_the_calm": Causes(Fault::FinalizedInSight);
    FallWithoutFence = "The look at the flags comes without a fence after the change of the mode."
        in "reader_comes_back_finalizer": Causes(Fault::FinalizedInSight);
    RefusedFallStays = "The mode falls although a flag is up."
        in "reader_comes_back_finalizer": Causes(Fault::FinalizedInSight);
    SoloWhileChanging = "A thread takes the solo path while the mode is being changed."
        in "two_quieten": Causes(Fault::FinalizedInSight);

    // The census of those who make guards.
    GuardUnenlisted = "A guard does not enlist its thread."
        in "first_guard_finalizer": Causes(Fault::FinalizedInSight);
    GuardTrustsAnySole = "A guard enlists its thread only where no other one is."
        in "sole_guard_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    GuardWhileChanging = "A guard goes ahead while another thread's enlisting is under way."
        in "sole_guard_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    FirstGuardWithoutBarrier = "The first thread to make a guard enlists without the process-wide barrier."
        in "first_guard_finalizer": Causes(Fault::FinalizedInSight);
    SecondGuardWithoutBarrier = "The second thread to make a guard enlists without the process-wide barrier."
        in "sole_guard_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    ManyGuardBeforeBarrier = "That many make guards is stored before the barrier is through: a third thread trusts it too early."
        in "sole_guard_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    EnlistUnlocked = "Two threads enlist at the same time, and each takes itself for the first."
        in "sole_guard_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    GuardingFalls = "Where the last guard of a slot leaves, the pool's census falls."
        in "sole_guard_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    GuardsRemembered = "A thread asks only once whether there are guards."
        in "first_guard_in_the_calm_plain": Causes(Fault::ConstructedInSight);

    // The solo path.
    SoloForAnyone = "A thread takes the solo path although the only reading thread is another one."
        in "first_readers_finalizer": Causes(Fault::FinalizedInSight);
    SoloWhilePinned = "A thread takes the solo path under its own pin."
        in "sole_reader_frees_what_it_reads": Causes(Fault::FinalizedInSight);
    GuardingLookedAtTooEarly = "A free looks for guards before it ends the life."
        in "first_guard_finalizer": Causes(Fault::FinalizedInSight);
    SoloAmongOthersGuards = "A free without a fence trusts the readers word although the only thread that guards is another one."
        in "first_guard_finalizer": Causes(Fault::FinalizedInSight);
    SoloWhileEnlisting = "A free without a fence trusts the readers word while a second thread is enlisting."
        in "sole_guard_is_joined_finalizer": Causes(Fault::FinalizedInSight);
    OwnGuardsForgotten = "The only thread that guards takes the solo path without a look at the readers word."
        in "guard_is_sent_finalizer": Causes(Fault::FinalizedInSight);
    IdentityUsedAgain = "A thread that begins gets the identity of one that is still there."
        in "identity_finalizer": Causes(Fault::FinalizedInSight);

    // Lives.
    LifeNotEnded = "A free does not change the life word."
        in "pins_and_guards_finalizer": Causes(Fault::Unready);
    LifeNotBumped = "A free marks the life as over, but the next one gets the same number."
        in "pins_and_guards_plain": Causes(Fault::LifeTwice);
    NextLifeTooEarly = "A free stores the next life as if it were alive."
        in "pins_and_guards_plain": Causes(Fault::WrongLife);
    ExposedTooEarly = "An object is exposed before it is constructed."
        in "pins_and_guards_plain": Causes(Fault::Unready);
    RetireForgotten = "After the last life numbers start over."
        in "last_lives_plain": Causes(Fault::LifeTwice);
    RetiredWithoutLook = "The object of a retiring slot is dropped at once when there is no finalizer."
        in "last_lives_of_two_slots": Causes(Fault::FinalizedInSight);

    // Finalizers.
    FinalizerSkipped = "The solo path does not run the finalizer."
        in "first_readers_finalizer": Causes(Fault::NotFinalized);
    FinishedAndDeferred = "What was finalized at once waits in the limbo to be finalized again."
        in "pins_and_guards_finalizer": Causes(Fault::FinalizedTwice);

    // Pins.
    FreeWithoutScan = "A finalizer does not wait for pins."
        in "pins_and_guards_finalizer": Causes(Fault::FinalizedInSight);
    OwnPinForgotten = "A finalizer waits for other threads' pins only."
        in "sole_reader_frees_what_it_reads": Causes(Fault::FinalizedInSight);
    RefillWithoutScan = "A refill does not look at the flags."
        in "pins_and_guards_plain": Causes(Fault::ConstructedInSight);
    MutateWithoutScan = "Exclusive access does not look at the flags."
        in "exclusive": Causes(Fault::MutatedInSight);
    StampRemembered = "A thread uses the first stamp it ever took again and again."
        in "stamps": Causes(Fault::ConstructedInSight);
    StampOffByOne = "A pin as old as the stamp counts as newer."
        in "pins_and_guards_plain": Causes(Fault::ConstructedInSight);
    EpochStandsStill = "The epoch does not move on when slots start to wait, so that they wait for every pin."
        in "stamps": Prevents(Event::OutwaitedByPin);

    // Guards.
    EnterAfterCheck = "A guard compares the life, then counts itself, and does not look again."
        in "pins_and_guards_finalizer": Causes(Fault::FinalizedInSight);
    EnterNotLocked = "A guard counts itself by an instruction that leaves the count in the store buffer."
        in "pins_and_guards_finalizer": Causes(Fault::FinalizedInSight);
    ReadersIgnoredByFree = "A finalizer does not wait for guards."
        in "pins_and_guards_finalizer": Causes(Fault::FinalizedInSight);
    ReadersIgnoredByRefill = "A refill takes slots that guards look at."
        in "pins_and_guards_plain": Causes(Fault::ConstructedInSight);
    ReadersIgnoredByLimbo = "The limbo lets go of slots that guards look at."
        in "pins_and_guards_plain": Causes(Fault::ConstructedInSight);
    DeferNotClaimed = "Who leaves an object to its guards does not notice that there are none any more."
        in "two_guards": Causes(Fault::Unsettled);
    LeaverForgetsDefer = "The last guard does not finish the object that was left to it."
        in "two_guards": Causes(Fault::Unsettled);
    RefusedForgetsDefer = "A guard that is refused at its second look does not finish the object that was left to it."
        in "two_guards": Causes(Fault::Unsettled);
    DeferClaimedTwice = "Everybody who saw that nobody is left finishes the object."
        in "two_guards": Causes(Fault::TwoPlaces);

    // Owners.
    OwnerNotCounted = "A clone of an owner is not counted."
        in "shared_plain": Causes(Fault::FreedWhileOwned);
    LastOwnerForgets = "Two owners leave at the same time, and neither sees that it is the last."
        in "shared_plain": Causes(Fault::Orphaned);
    VisibleBeforeAlone = "Exclusive access looks whether the life is visible before it looks whether there are other owners."
        in "shared_plain": Causes(Fault::MutatedInSight);

    // Owners counted by plain accesses.
    CountTrustsAnySole = "A thread counts by plain accesses although the only one that counts is another one."
        in "counts_meet": Causes(Fault::FreedWhileOwned);
    CountWhileChanging = "A thread counts by a locked instruction while the census of those who count is being changed."
        in "three_count": Causes(Fault::FreedWhileOwned);
    SecondCountWithoutBarrier = "The second thread to count owners is counted itself without the process-wide barrier."
        in "counts_meet": Causes(Fault::FreedWhileOwned);
    SecondCountWithoutWait = "The second thread to count owners does not wait for a count of the first."
        in "counts_meet": Causes(Fault::FreedWhileOwned);
    WaitBeforeBarrier = "The second thread to count owners waits for the first before the barrier, and not after it."
        in "counts_meet": Causes(Fault::FreedWhileOwned);
    ManyCountBeforeBarrier = "That many count is stored before the barrier: a third thread trusts it too early."
        in "three_count": Causes(Fault::FreedWhileOwned);
    ManyCountBeforeWait = "That many count is stored before the wait: a third thread trusts it too early."
        in "three_count": Causes(Fault::FreedWhileOwned);
    NoSecondLook = "A thread does not look at the census again when it has raised its flag to count."
        in "counts_meet": Causes(Fault::FreedWhileOwned);
    BusyAfterLook = "A thread raises its flag to count when it has looked at the census for the second time."
        in "counts_meet": Causes(Fault::FreedWhileOwned);
    BusyEndsTooEarly = "A thread lowers its flag before it stores the count."
        in "counts_meet": Causes(Fault::FreedWhileOwned);
    BusyWhileWaiting = "A thread that may not count alone any more keeps its flag up while it waits for the lock."
        in "counts_meet": Causes(Fault::Stuck);
    LastOwnerDoesNotLook = "The only thread that counts subtracts without a look whether its owner is the last."
        in "own_counts": Causes(Fault::Orphaned);
    OwnersNotReset = "The last of two owners that leave at the same time does not reset the count."
        in "both_leave": Causes(Fault::FreedWhileOwned);

    // Manual objects.
    ManualWithoutClaim = "A manual free does not ask whether another one came first."
        in "manual": Causes(Fault::FreedWhileOwned);
    ManualWithoutLook = "A free by key does not look at the life."
        in "manual": Causes(Fault::WrongLife);
    ManualWithoutPin = "A free by key looks at the life, but not under a pin."
        in "manual": Causes(Fault::WrongLife);

    // Lists.
    FreedTwice = "A refill copies the slots that it makes ready instead of moving them."
        in "two_owners_plain": Causes(Fault::TwoPlaces);
    ExitForgetsFreed = "A thread that ends forgets the slots it has freed."
        in "thread_ends": Causes(Fault::Lost);
}
