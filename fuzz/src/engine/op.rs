//! [`Op`]: one step.

use arbitrary::Arbitrary;

use super::any;

/// Pools `0..3` are of one type, two of them with limits; `3` is of another type, with a finalizer.
pub(super) const POOLS: u8 = 4;

/// One step, beside the number of its pool. Numbers choose among what there is, modulo its count.
#[derive(Arbitrary, Clone, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Allocate { fresh: bool, expose: bool },
    AllocateMany { count: u8, expose: bool },
    Expose { owner: u8 },
    Clone { owner: u8 },
    Drop { owner: u8 },
    Free { owner: u8 },
    DropMany { count: u8 },
    Exclusive { owner: u8 },
    Mutate { owner: u8 },
    IntoManual { owner: u8 },
    FreeByHandle { handle: u16 },
    Reclaim { handle: u16 },
    Reserve,
    Fill { reserved: u8 },
    DropReserved { reserved: u8 },
    Pin,
    Unpin,
    Read { handle: u16 },
    Guard { handle: u16 },
    CloneGuard { guard: u8 },
    DropGuard { guard: u8 },
    Bits { bits: u64 },
    Near { handle: u16, index: i8, life: i8 },
    LastLife,
    Collect,
    Policy { limit: i8 },
    Print,
    Another,
    GuardOwned { handle: u16 },
    DropOwnedGuard { guard: u8 },
    Any(any::Op),
}
