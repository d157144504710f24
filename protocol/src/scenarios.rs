//! The scenarios.

use crate::Event;
use crate::scenario::{Key, Op, Scenario};

/// The world of a scenario that says nothing else.
const USUAL: Scenario = Scenario {
    name: "",
    about: "",
    slots: 1,
    last_life: 3,
    finalizer: false,
    cold: false,
    buffer: 2,
    fine: false,
    scripts: [&[], &[], &[]],
    shows: &[],
};

/// One operation. `Read(0, 2)` reads slot 0, life 2; `Free(1)` frees what is in hand 1; `Give(1, 2)` sends that to
/// thread 2.
macro_rules! op {
    (Give $hand:literal $to:literal) => {
        Op::Give($hand, $to)
    };
    ($op:ident $slot:literal $life:literal) => {
        Op::$op(Key {
            slot: $slot,
            life: $life,
        })
    };
    ($op:ident $hand:literal) => {
        Op::$op($hand)
    };
    ($op:ident) => {
        Op::$op
    };
}

macro_rules! script {
    ([$($op:ident $(($($argument:literal),*))?)*]) => {
        &[$(op!($op $($($argument)*)?)),*]
    };
}

/// For each sentence three scripts, and the worlds in which they run: a name, what is unusual, and what must be seen.
macro_rules! scenarios {
    ($count:literal; $(
        $about:literal $zero:tt $one:tt $two:tt
        $($name:ident { $($field:ident: $value:expr),* } => $($event:ident)+;)+
    )*) => {
        impl Scenario {
            /// Every scenario; a correct protocol passes them all.
            pub const ALL: [Self; $count] = [$($(
                Self {
                    name: stringify!($name),
                    about: $about,
                    scripts: [script!($zero), script!($one), script!($two)],
                    shows: &[$(Event::$event),+],
                    $($field: $value,)*
                    ..USUAL
                },
            )+)*];
        }
    };
}

scenarios! {
    54;

    "An object is freed and its slot reused while two threads begin to read."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Settle]
    [Pin Read(0, 1) Read(0, 2) Unpin Guard(0, 2) Leave]
    [Guard(0, 2) Leave Pin Read(0, 1) Unpin]
        first_readers_plain { cold: true }
            => Resolved Refused RefusedLate SoloFree SecondGuards Refilled HeldByGuard EnteredLimbo;
        first_readers_finalizer { cold: true, finalizer: true }
            => Resolved Refused RefusedLate SoloFree SecondGuards EnteredLimbo LeftLimbo FinalizedLate;

    "The only thread that reads is the owner, until two others join."
    [Allocate(0) Expose(0) Pin Read(0, 1) Unpin Free(0)
     Allocate(0) Expose(0) Guard(0, 2) Leave Free(0) Allocate(0) Settle]
    [Pin Read(0, 1) Read(0, 2) Unpin]
    [Pin Read(0, 1) Read(0, 2) Unpin]
        sole_reader_is_joined_plain { cold: true }
            => Resolved Refused SoloFree SoloAmongOwnGuards Refilled EnteredLimbo LeftLimbo;
        sole_reader_is_joined_finalizer { cold: true, finalizer: true }
            => Resolved Refused SoloFree SoloAmongOwnGuards EnteredLimbo LeftLimbo;

    "A reader leaves, the mode falls, and the reader comes back."
    [Allocate(0) Expose(0) Quieten Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Settle]
    [Pin Read(0, 1) Unpin Pin Read(0, 1) Read(0, 2) Unpin]
    []
        reader_comes_back_plain { cold: true, buffer: 3, fine: true }
            => Resolved Refused SoloFree SoloAfterFall Fell FallRefused AnnouncedAgain Refilled EnteredLimbo;
        reader_comes_back_finalizer { cold: true, buffer: 3, fine: true, finalizer: true }
            => Resolved Refused SoloFree SoloAfterFall Fell FallRefused AnnouncedAgain EnteredLimbo FinalizedLate;

    "Two readers come and go around a fall of the mode."
    [Allocate(0) Expose(0) Quieten Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Settle]
    [Pin Read(0, 1) Unpin Pin Read(0, 2) Unpin]
    [Pin Read(0, 1) Read(0, 2) Unpin]
        readers_come_back_plain { cold: true }
            => Resolved Refused SoloFree SoloAfterFall Fell FallRefused AnnouncedAgain Refilled EnteredLimbo;
        readers_come_back_finalizer { cold: true, finalizer: true }
            => Resolved Refused SoloFree SoloAfterFall Fell FallRefused AnnouncedAgain EnteredLimbo FinalizedLate;

    "The only thread that reads is pinned while others want the mode to fall, and joined."
    [Allocate(0) Expose(0) Pin Read(0, 1) Free(0) Unpin
     Allocate(0) Expose(0) Pin Read(0, 2) Unpin Free(0) Allocate(0) Settle]
    [Quieten Quieten]
    [Pin Read(0, 1) Read(0, 2) Unpin]
        sole_reader_in_the_calm { cold: true, finalizer: true }
            => Resolved Refused SoloFree SoloAfterFall Fell FallRefused AnnouncedAgain EnteredLimbo FinalizedLate;

    "Two threads free and want the mode to fall, around a third one that reads."
    [Allocate(0) Expose(0) Quieten Free(0) Allocate(0) Settle]
    [Pin Read(0, 1) Unpin Pin Read(1, 1) Unpin]
    [Allocate(0) Expose(0) Quieten Free(0)]
        two_quieten { cold: true, slots: 2, finalizer: true }
            => Resolved Refused SoloFree SoloAfterFall Fell FallRefused AnnouncedAgain EnteredLimbo FinalizedLate;

    "An owner frees alone; then another thread makes its first guard."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Settle]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
    []
        first_guard_plain { cold: true, buffer: 3, fine: true }
            => Resolved Refused RefusedLate SoloFree Refilled HeldByGuard;
        first_guard_finalizer { cold: true, buffer: 3, fine: true, finalizer: true }
            => Resolved Refused RefusedLate SoloFree HeldByGuard FinalizedLate;

    "Two threads make their first guards, of objects of two owners."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Settle]
    [Guard(0, 1) Leave Guard(1, 1) Leave]
    [Guard(0, 1) Leave Allocate(0) Expose(0) Free(0)]
        first_guards_plain { cold: true, slots: 2 }
            => Resolved Refused RefusedLate SoloFree SoloAmongOwnGuards SecondGuards ManyTrusted Refilled HeldByGuard;
        first_guards_finalizer { cold: true, slots: 2, finalizer: true }
            => Resolved Refused RefusedLate SoloFree SoloAmongOwnGuards SecondGuards ManyTrusted HeldByGuard
               FinalizedLate;

    "The only thread that makes guards frees what it has read, until two others join."
    [Allocate(0) Expose(0) Guard(0, 1) Leave Free(0)
     Allocate(0) Expose(0) Free(0) Allocate(0) Settle]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
        sole_guard_is_joined_plain { cold: true }
            => Resolved Refused RefusedLate SoloAmongOwnGuards SecondGuards ManyTrusted Refilled HeldByGuard;
        sole_guard_is_joined_finalizer { cold: true, finalizer: true }
            => Resolved Refused RefusedLate SoloAmongOwnGuards SecondGuards ManyTrusted HeldByGuard
               FinalizedLate;

    "One thread makes guards, another one allocates, and a third one frees."
    [Allocate(0) Expose(0) Give(0, 2) Allocate(0) Expose(0) Free(0) Settle]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
    [Take(0) Free(0) Allocate(0) Expose(0) Free(0) Exit]
        guards_of_a_third_plain { cold: true, slots: 2 }
            => Resolved Refused RefusedLate SoloFree Refilled HeldByGuard;
        guards_of_a_third_finalizer { cold: true, slots: 2, finalizer: true }
            => Resolved Refused RefusedLate SoloFree HeldByGuard FinalizedLate;

    "The only thread that makes guards sends one away, and frees; the mode falls meanwhile."
    [Allocate(0) Expose(0) Guard(0, 1) SendGuard Free(0)
     Allocate(0) Expose(0) Guard(0, 2) Free(0) Leave Allocate(0) Settle]
    [ReceiveGuard Quieten Leave]
    [Pin Read(0, 1) Read(0, 2) Unpin Guard(0, 2) Leave]
        guard_is_sent_plain { cold: true }
            => Resolved Refused SoloAmongOwnGuards GuardInTheWay SecondGuards FellAmongGuards Refilled
               HeldByGuard;
        guard_is_sent_finalizer { cold: true, finalizer: true }
            => Resolved Refused SoloAmongOwnGuards GuardInTheWay SecondGuards FellAmongGuards
               HeldByGuard FinalizedLate;

    "A thread ends, and another one begins, among guards."
    [Allocate(0) Exit Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Free(0) Settle]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
    [Pin Read(0, 2) Unpin]
        identity_finalizer { cold: true, slots: 2, finalizer: true }
            => Resolved Refused RefusedLate SoloFree HeldByGuard FinalizedLate;

    "The mode falls and rises while a first guard comes and stays."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Quieten Free(0) Allocate(0) Settle]
    [Pin Read(0, 1) Unpin Guard(0, 1) Leave Pin Read(0, 2) Unpin]
    [Guard(0, 2) Quieten Leave]
        first_guard_in_the_calm_plain { cold: true }
            => Resolved Refused RefusedLate SoloFree SoloAfterFall Fell FellAmongGuards FallRefused AnnouncedAgain
               SecondGuards Refilled HeldByGuard;
        first_guard_in_the_calm_finalizer { cold: true, finalizer: true }
            => Resolved Refused RefusedLate SoloFree SoloAfterFall Fell FellAmongGuards FallRefused AnnouncedAgain
               SecondGuards HeldByGuard FinalizedLate;

    "The only thread that reads frees what it is looking at, by pin and by guard."
    [Allocate(0) Expose(0) Pin Read(0, 1) Free(0) Unpin Refill
     Allocate(0) Expose(0) Guard(0, 2) Free(0) Leave Allocate(0) Free(0) Settle]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
    [Pin Read(0, 2) Unpin]
        sole_reader_frees_what_it_reads { cold: true, finalizer: true }
            => Resolved GuardInTheWay SecondGuards EnteredLimbo LeftLimbo HeldByGuard FinalizedLate;

    "Three lives of one slot, read by pins and by guards."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Settle]
    [Pin Read(0, 1) Unpin Pin Read(0, 2) Read(0, 3) Unpin]
    [Guard(0, 1) Leave Guard(0, 2) Leave Guard(0, 3) Leave]
        pins_and_guards_plain {}
            => Resolved Refused RefusedLate Refilled HeldByGuard EnteredLimbo LeftLimbo;
        pins_and_guards_finalizer { finalizer: true }
            => Resolved Refused RefusedLate HeldByGuard EnteredLimbo LeftLimbo FinalizedLate;

    "Two guards of one object, and the question who finishes it."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Settle]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
        two_guards { finalizer: true }
            => Resolved Refused RefusedLate HeldByGuard FinalizedLate;

    "Two owners share the limbo under one reader."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Settle]
    [Pin Read(0, 1) Read(1, 1) Unpin Guard(0, 1) Leave]
    [Allocate(0) Expose(0) Free(0) Allocate(0)]
        two_owners_plain { slots: 2 }
            => Resolved Refused Refilled HeldByGuard EnteredLimbo LeftLimbo;
        two_owners_finalizer { slots: 2, finalizer: true }
            => Resolved Refused HeldByGuard EnteredLimbo LeftLimbo FinalizedLate;

    "A reader frees an object of its own under its guard of another one."
    [Allocate(0) Expose(0) Free(0) Pin Read(1, 1) Unpin Settle]
    [Guard(0, 1) Allocate(0) Expose(0) Free(0) Leave]
    [Pin Read(0, 1) Read(1, 1) Unpin]
        reader_frees { slots: 2, cold: true, finalizer: true }
            => Resolved Refused SoloFree SoloAmongOwnGuards HeldByGuard EnteredLimbo LeftLimbo FinalizedLate;

    "Everybody allocates, reads, and frees."
    [Allocate(0) Expose(0) Pin Read(1, 1) Unpin Free(0) Allocate(0) Expose(0) Free(0) Settle]
    [Guard(0, 1) Allocate(0) Expose(0) Free(0) Leave Exit]
    [Pin Read(0, 1) Read(1, 1) Unpin Allocate(0) Expose(0) Free(0)]
        everybody_plain { slots: 2, cold: true }
            => Resolved Refused RefusedLate SoloFree SoloAmongOwnGuards Refilled HeldByGuard EnteredLimbo LeftLimbo;
        everybody_finalizer { slots: 2, cold: true, finalizer: true }
            => Resolved Refused RefusedLate SoloFree SoloAmongOwnGuards HeldByGuard EnteredLimbo LeftLimbo FinalizedLate;

    "Two batches of freed slots wait, each with its own stamp, while pins come and go."
    [Allocate(0) Expose(0) Allocate(1) Expose(1) Free(0) Refill Free(1) Refill Refill
     Allocate(0) Allocate(1) Settle]
    [Pin Read(0, 1) Unpin Pin Read(1, 1) Unpin]
    [Pin Read(1, 1) Unpin]
        stamps { slots: 2 }
            => Resolved EnteredLimbo LeftLimbo OutwaitedByPin;

    "The life numbers run out."
    [Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Free(0) Allocate(0) Expose(0) Settle]
    [Pin Read(0, 1) Read(0, 2) Unpin]
    [Guard(0, 1) Leave]
        last_lives_plain { last_life: 2 }
            => Resolved Refused RefusedLate Refilled HeldByGuard EnteredLimbo Retired;
        last_lives_of_two_slots { last_life: 1, slots: 2 }
            => Resolved Refused RefusedLate HeldByGuard EnteredLimbo Retired;
        last_lives_finalizer { last_life: 2, cold: true, finalizer: true }
            => Resolved Refused RefusedLate SoloFree EnteredLimbo Retired;

    "Two threads free one manual object by its key; the slot comes back as another one."
    [Allocate(0) IntoManual(0) Allocate(0) IntoManual(0) FreeManual(0, 2) Settle]
    [FreeManual(0, 1) Exit Pin Read(0, 2) Unpin]
    [FreeManual(0, 1) Exit FreeManual(0, 2)]
        manual { finalizer: true }
            => Resolved Refused ManualLost EnteredLimbo FinalizedLate;
        manual_first_readers { cold: true }
            => Resolved Refused SoloFree ManualLost EnteredLimbo;

    "Two owners: one of them makes the object visible and lets go while the other one wants to write to it."
    [Allocate(0) Clone(0) Give(1, 1) Mutate(0) Mutate(0) Free(0) Allocate(0) Settle]
    [Take(0) Expose(0) Free(0) Exit]
    [Pin Read(0, 1) Unpin Guard(0, 1) Leave]
        shared_plain {}
            => Resolved Refused RefusedLate Mutated MutationRefused HeldByGuard;
        shared_finalizer { cold: true, finalizer: true }
            => Resolved Refused RefusedLate SoloFree Mutated MutationRefused FinalizedLate;

    "The only thread that counts owners is in the middle of it when another one counts."
    [Allocate(0) Clone(0) Give(1, 1) Clone(0) Free(0) Free(1) Settle]
    [Take(0) Clone(0) Free(0) Free(1) Exit]
    []
        counts_meet { cold: true, buffer: 3, fine: true }
            => CountedAlone CountedAmongMany CountRefused CloneAwaited DropAwaited LastUncounted LastAmongMany;
        counts_meet_finalizer { cold: true, finalizer: true }
            => CountedAlone CountedAmongMany CountRefused CloneAwaited DropAwaited LastUncounted LastAmongMany;

    "Two owners leave at the same time, and the next life has two owners again."
    [Allocate(0) Clone(0) Give(1, 1) Free(0) Allocate(0) Clone(0) Free(0) Free(1) Settle]
    [Take(0) Free(0) Allocate(0) Clone(0) Free(0) Free(1) Exit]
    []
        both_leave { cold: true, buffer: 3, fine: true }
            => CountedAlone CountedAmongMany CountRefused DropAwaited LastUncounted LastAmongMany;

    "Owners are sent to threads that only drop them."
    [Allocate(0) Clone(0) Free(0) Give(1, 1) Allocate(0) Clone(0) Give(1, 2) Free(0) Settle]
    [Take(0) Free(0) Exit]
    [Take(0) Free(0) Exit]
        owners_are_sent { cold: true, slots: 2, finalizer: true }
            => CountedAlone CountedAmongMany CountRefused DropAwaited LastUncounted LastAmongMany;

    "Three threads clone one object, and let go of it."
    [Allocate(0) Clone(0) Give(1, 1) Clone(0) Give(1, 2) Clone(0) Free(0) Free(1) Settle]
    [Take(0) Clone(0) Free(0) Free(1) Exit]
    [Take(0) Clone(0) Free(0) Free(1) Exit]
        three_count { cold: true }
            => CountedAlone CountedAmongMany CountRefused CloneAwaited DropAwaited CountersTrusted LastUncounted
               LastAmongMany;

    "The only thread that counts owners ends, and another one takes its flag."
    [Allocate(0) Clone(0) Give(1, 1) Exit Clone(0) Free(0) Free(1) Settle]
    [Take(0) Clone(0) Free(0) Free(1) Exit]
    []
        counter_ends { cold: true, buffer: 3, fine: true }
            => CountedAlone CountedAmongMany CountersTrusted LastUncounted LastAmongMany;

    "Two threads count the owners of objects of their own, until one is sent."
    [Allocate(0) Clone(0) Free(0) Free(1) Allocate(0) Clone(0) Give(1, 1) Clone(0) Free(1) Free(0) Settle]
    [Allocate(0) Clone(0) Free(1) Free(0) Take(0) Clone(0) Free(0) Free(1) Exit]
    []
        own_counts { cold: true, slots: 2 }
            => CountedAlone CountedAmongMany CountRefused CloneAwaited DropAwaited CountersTrusted LastUncounted;

    "Two owners count and leave while a third thread reads what they leave, by pin and by guard."
    [Allocate(0) Expose(0) Clone(0) Give(1, 1) Clone(0) Free(1) Free(0) Allocate(0) Expose(0) Settle]
    [Take(0) Clone(0) Free(0) Free(1) Exit]
    [Pin Read(0, 1) Unpin Guard(0, 1) Leave]
        counts_and_readers_plain { cold: true }
            => Resolved Refused RefusedLate SoloFree CountedAlone CountedAmongMany CountRefused CloneAwaited DropAwaited
               LastAmongMany;
        counts_and_readers_finalizer { cold: true, finalizer: true }
            => Resolved Refused RefusedLate SoloFree CountedAlone CountedAmongMany CountRefused CloneAwaited DropAwaited
               LastAmongMany FinalizedLate;

    "Two owners leave their shares to a key, and two threads free by it: once in vain."
    [Allocate(0) Clone(0) IntoManual(1) IntoManual(0) Allocate(0) Settle]
    [FreeManual(0, 1) Exit]
    [FreeManual(0, 1) Exit]
        shared_manual { finalizer: true }
            => Resolved Refused ManualLost EnteredLimbo FinalizedLate;

    "One thread allocates, another one frees, a third one reads."
    [Allocate(0) Expose(0) Give(0, 2) Pin Read(0, 1) Unpin Settle]
    [Guard(0, 1) Leave Guard(0, 2) Leave]
    [Take(0) Free(0) Allocate(0) Expose(0) Free(0) Exit]
        handed_over { cold: true, finalizer: true }
            => Resolved Refused SoloFree FinalizedLate;

    "The only thread that reads sends its guard away and ends; another one takes its place."
    [Allocate(0) Expose(0) Guard(0, 1) SendGuard Exit Free(0) Allocate(0) Expose(0) Free(0) Settle]
    [ReceiveGuard Leave Exit]
    [Pin Read(0, 1) Read(0, 2) Unpin]
        guard_outlives_its_thread { cold: true, finalizer: true }
            => Resolved HeldByGuard FinalizedLate;

    "Threads end with slots on their lists."
    [Allocate(0) Expose(0) Free(0) Exit Allocate(0) Settle]
    [Pin Read(0, 1) Unpin Guard(0, 1) Leave]
    [Allocate(0) Allocate(1) Expose(0) Free(0) Exit]
        thread_ends { slots: 2 }
            => Resolved HeldByGuard EnteredLimbo LeftLimbo;

    "An owner writes to an object that others may read."
    [Allocate(0) Expose(0) Mutate(0) Mutate(0) Free(0) Allocate(0) Mutate(0) Settle]
    [Pin Read(0, 1) Unpin Pin Read(0, 1) Unpin]
    [Guard(0, 1) Leave Guard(0, 1) Leave]
        exclusive {}
            => Resolved RefusedLate Mutated MutationRefused;
}
