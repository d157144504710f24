//! The errors of a pool.

use std::error::Error;
use std::fmt;

/// Why a pool could not [insert](crate::PlainPool::try_insert) a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllocateError {
    /// There is no memory for more slots.
    NoMemory,
    /// All pools of the process together have 65,534 chunks of memory, which is the limit. A pool with values has at least one.
    Full,
}

impl fmt::Display for AllocateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMemory => "no memory for more plain values",
            Self::Full => "all pools of plain data together have 65534 chunks of memory, which is the limit",
        })
    }
}

impl Error for AllocateError {}

/// Why a handle could not [remove](crate::PlainPool::remove) or reclaim an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AccessError {
    /// The handle is of another pool.
    Foreign,
    /// The life has ended.
    Ended,
    /// The object has an owner.
    Owned,
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Foreign => "the handle belongs to another pool",
            Self::Ended => "the object was freed",
            Self::Owned => "the object has an owner, so it cannot be removed or reclaimed through a handle",
        })
    }
}

impl Error for AccessError {}
