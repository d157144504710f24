//! [`Op`]: one step.

use arbitrary::Arbitrary;

use super::erased;

/// Pools `0..3` are of one type, two of them with limits; `3` is of another type, with a finalizer.
pub(super) const POOLS: u8 = 4;

/// One step. Numbers choose among what there is, modulo its count.
#[derive(Arbitrary, Clone, Debug)]
#[expect(missing_docs, reason = "named after what they call")]
pub enum Op {
    Allocate { pool: u8, fresh: bool, expose: bool },
    AllocateMany { pool: u8, count: u8, expose: bool },
    Expose { owner: u8 },
    Clone { owner: u8 },
    Drop { owner: u8 },
    Free { owner: u8 },
    DropMany { count: u8 },
    Exclusive { owner: u8 },
    Mutate { owner: u8 },
    IntoManual { owner: u8 },
    FreeKey { pool: u8, key: u16 },
    Reclaim { pool: u8, key: u16 },
    Reserve { pool: u8 },
    Fill { reserved: u8 },
    DropReserved { reserved: u8 },
    Pin,
    Unpin,
    Read { pool: u8, key: u16 },
    Guard { pool: u8, key: u16 },
    CloneGuard { guard: u8 },
    DropGuard { guard: u8 },
    Bits { pool: u8, bits: u64 },
    Near { pool: u8, key: u16, index: i8, life: i8 },
    LastLife { pool: u8 },
    Collect { pool: u8 },
    Policy { pool: u8, limit: i8 },
    Print { pool: u8 },
    Another { pool: u8 },
    GuardOwned { pool: u8, key: u16 },
    DropOwnedGuard { guard: u8 },
    Erased(erased::Op),
}

/// The pool of an operation. An operation that names no pool goes to the pool of its first number.
pub(super) fn pool_of(op: &Op) -> u8 {
    let number = match *op {
        Op::Allocate { pool, .. }
        | Op::AllocateMany { pool, .. }
        | Op::FreeKey { pool, .. }
        | Op::Reclaim { pool, .. }
        | Op::Reserve { pool }
        | Op::Read { pool, .. }
        | Op::Guard { pool, .. }
        | Op::Bits { pool, .. }
        | Op::Near { pool, .. }
        | Op::LastLife { pool }
        | Op::Collect { pool }
        | Op::Policy { pool, .. }
        | Op::Print { pool }
        | Op::Another { pool }
        | Op::GuardOwned { pool, .. } => pool,
        Op::Expose { owner: number }
        | Op::Clone { owner: number }
        | Op::Drop { owner: number }
        | Op::Free { owner: number }
        | Op::Exclusive { owner: number }
        | Op::Mutate { owner: number }
        | Op::IntoManual { owner: number }
        | Op::Fill { reserved: number }
        | Op::DropReserved { reserved: number }
        | Op::CloneGuard { guard: number }
        | Op::DropGuard { guard: number }
        | Op::DropOwnedGuard { guard: number }
        | Op::DropMany { count: number } => number,
        Op::Pin | Op::Unpin | Op::Erased(_) => 0,
    };
    number % POOLS
}
