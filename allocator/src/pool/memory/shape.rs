//! What a chunk of a type looks like: sizes and places, known when the program is compiled.
//!
//! [`Place`] knows the type, for the hot paths; [`Shape`] is the same without it, for everything else, with what has to be done to
//! an object of the type.

use std::any::{Any, TypeId};
use std::fmt;
use std::mem::MaybeUninit;

use crate::AllocateError;
use crate::pool::word::index::SLOT_BITS;
use crate::pool::word::life::Life;
use crate::pool::word::readers::Readers;

/// Most slots of a chunk.
pub(in crate::pool) const MOST_SLOTS: u32 = 1 << SLOT_BITS;
/// Most bytes of the slots of a chunk, unless there are only sixteen.
const SLOT_BYTES: usize = 256 * 1024;
/// Most bytes of the slots of a chunk, unless there is only one.
const FEW_SLOT_BYTES: usize = 1024 * 1024;

/// Bytes before the first slot.
pub(in crate::pool) const HEADER: usize = 128;
/// The least alignment of the first slot: a cache line.
const LINE: usize = 64;

/// A slot of a pool of `T`, for its layout.
#[repr(C)]
pub(in crate::pool) struct Room<T> {
    life: Life,
    object: MaybeUninit<T>,
}

/// Where things are in a chunk of `T`.
pub(in crate::pool) struct Place<T>(std::marker::PhantomData<T>);

impl<T> Place<T> {
    const ALIGN: usize = if align_of::<T>() > LINE { align_of::<T>() } else { LINE };
    /// The first life word; its object follows at the next multiple of the object's alignment.
    pub(in crate::pool) const FIRST: usize = HEADER.next_multiple_of(Self::ALIGN);
    pub(in crate::pool) const OBJECT: usize = std::mem::offset_of!(Room<T>, object);
    pub(in crate::pool) const STRIDE: usize = size_of::<Room<T>>();
    /// Slots of a chunk: a power of two, so that every index cut to so many bits names one of them.
    pub(in crate::pool) const SLOTS: u32 = slots_of(Self::STRIDE);
    /// Where the reader words begin, behind the slots.
    pub(in crate::pool) const READERS: Option<usize> = match Self::STRIDE.checked_mul(Self::SLOTS as usize) {
        Some(bytes) => bytes.checked_add(Self::FIRST),
        None => None,
    };
    /// All bytes of a chunk, a power of two. `None` if the address space is too small for them.
    pub(in crate::pool) const BYTES: Option<usize> = match Self::READERS {
        Some(readers) => match readers.checked_add(Self::SLOTS as usize * size_of::<Readers>()) {
            Some(bytes) => bytes.checked_next_power_of_two(),
            None => None,
        },
        None => None,
    };
    /// The low bits of a slot's address that are its place in the chunk.
    pub(in crate::pool) const INSIDE: usize = match Self::BYTES {
        Some(bytes) => bytes - 1,
        None => usize::MAX,
    };
}

/// What hooks say of their objects: [`Hooks::about`](crate::pool::Hooks::about).
pub(in crate::pool) type About = &'static (dyn Any + Send + Sync);

/// What the type-erased parts of a pool know about its objects: a table of functions and numbers. A floor above makes it.
pub(in crate::pool) struct Shape {
    /// Slots of a chunk.
    pub(in crate::pool) slots: u32,
    pub(in crate::pool) first: usize,
    pub(in crate::pool) object: usize,
    pub(in crate::pool) stride: usize,
    /// Where the reader words begin in a chunk.
    pub(in crate::pool) readers: usize,
    /// Bytes of a chunk, a power of two. `None` if the address space is too small for a chunk.
    pub(in crate::pool) bytes: Option<usize>,
    /// The low bits of a slot's address that are its place in the chunk.
    pub(in crate::pool) inside: usize,
    pub(in crate::pool) end: Option<unsafe fn(*mut u8)>,
    pub(in crate::pool) drop: unsafe fn(*mut u8),
    pub(in crate::pool) type_name: fn() -> &'static str,
    /// For [`ErasedOwner`](crate::pool::ErasedOwner): of `(T, H)`, what the hooks say, and what ends an owner's share.
    pub(in crate::pool) type_id: fn() -> TypeId,
    pub(in crate::pool) about: fn() -> About,
    pub(in crate::pool) drop_owner: unsafe fn(u32),
}

impl Shape {
    /// Bytes that one object costs, with its life word.
    pub(in crate::pool) fn bytes_per_slot(&self) -> usize {
        self.stride
    }

    /// That so many bytes were refused.
    pub(in crate::pool) fn no_memory(&self, bytes: usize) -> AllocateError {
        AllocateError::Memory {
            type_name: (self.type_name)(),
            bytes,
        }
    }

    /// That the process has used up the numbers of slots, or of pools.
    pub(in crate::pool) fn no_number(&self) -> AllocateError {
        AllocateError::Exhausted {
            type_name: (self.type_name)(),
        }
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} slots of {} ({} bytes)",
            self.slots,
            (self.type_name)(),
            self.stride
        )
    }
}

const fn slots_of(stride: usize) -> u32 {
    let mut slots = MOST_SLOTS;
    while slots > 16 && stride > SLOT_BYTES / slots as usize {
        slots /= 2;
    }
    while slots > 1 && stride > FEW_SLOT_BYTES / slots as usize {
        slots /= 2;
    }
    slots
}
