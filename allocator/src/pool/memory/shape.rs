//! The layout of a chunk of one type: sizes and offsets, known at compile time.
//!
//! [`ShapeOf`] knows the type, for the hot paths. [`Shape`] is its type-erased form, for all other code, with the
//! functions that act on an object of the type.

use std::any::{Any, TypeId};
use std::mem::MaybeUninit;

use crate::AllocateError;
use crate::pool::memory::slot::Slot;
use crate::pool::reading::pins::Pins;
use crate::pool::word::guards::Guards;
use crate::pool::word::index::SLOT_BITS;
use crate::pool::word::life::{Ended, Life};
use crate::pool::word::owners::MoreOwners;

/// The maximum number of slots of a chunk.
pub(in crate::pool) const MOST_SLOTS: u32 = 1 << SLOT_BITS;
/// The maximum number of bytes of a chunk's slots, unless it has only sixteen slots.
const SLOT_BYTES: usize = 256 * 1024;
/// The maximum number of bytes of a chunk's slots, unless it has only one slot.
const FEW_SLOT_BYTES: usize = 1024 * 1024;

/// The guard words begin at a multiple of this many bytes: a page of most systems. So the page of the last slots contains no
/// guard words, and can be given back.
const PAGE: usize = 4096;
/// Bytes before the first slot.
pub(in crate::pool) const HEADER: usize = 128;
/// The minimum alignment of the first slot: a cache line.
pub(in crate::pool) const LINE: usize = 64;

/// Bytes of a slot's words behind the slots: the guard word and the count of owners.
const COUNTS: usize = size_of::<Guards>() + size_of::<MoreOwners>();

/// The layout of a slot of a pool of `T`.
#[repr(C)]
pub(in crate::pool) struct SlotOf<T> {
    life: Life,
    object: MaybeUninit<T>,
}

/// The offsets in a chunk of `T`.
pub(in crate::pool) struct ShapeOf<T>(std::marker::PhantomData<T>);

impl<T> ShapeOf<T> {
    const ALIGN: usize = if align_of::<T>() > LINE { align_of::<T>() } else { LINE };
    /// The offset of the first life word. Its object follows at the next multiple of the object's alignment.
    pub(in crate::pool) const FIRST: usize = HEADER.next_multiple_of(Self::ALIGN);
    pub(in crate::pool) const OBJECT: usize = std::mem::offset_of!(SlotOf<T>, object);
    pub(in crate::pool) const STRIDE: usize = size_of::<SlotOf<T>>();
    /// Places of a chunk, a power of two. Each is a slot, or in the upper half of a plain pool's chunk a spare.
    pub(in crate::pool) const SLOTS: u32 = slots_of(Self::STRIDE);
    /// The offset of the guard words, behind the slots.
    pub(in crate::pool) const GUARDS: Option<usize> = match Self::STRIDE.checked_mul(Self::SLOTS as usize) {
        Some(bytes) => match bytes.checked_add(Self::FIRST) {
            Some(end) => end.checked_next_multiple_of(PAGE),
            None => None,
        },
        None => None,
    };
    /// All bytes of a chunk, a power of two. `None` if the address space is too small for them.
    pub(in crate::pool) const BYTES: Option<usize> = match Self::GUARDS {
        Some(guards) => match guards.checked_add(Self::SLOTS as usize * COUNTS) {
            Some(bytes) => bytes.checked_next_power_of_two(),
            None => None,
        },
        None => None,
    };
    /// The mask of the low bits of a slot's address, which are its offset in the chunk.
    pub(in crate::pool) const INSIDE: usize = match Self::BYTES {
        Some(bytes) => bytes - 1,
        None => usize::MAX,
    };
}

/// The value that hooks attach to their objects: [`Hooks::about`](crate::pool::Hooks::about).
pub(in crate::pool) type About = &'static (dyn Any + Send + Sync);

/// The functions and numbers of a pool's type, for the type-erased parts of the pool. A layer above constructs it.
pub(in crate::pool) struct Shape {
    /// Slots of a chunk. If objects are read as copies, half of those that there is room for: the upper half holds spares.
    pub(in crate::pool) slots: u32,
    pub(in crate::pool) first: usize,
    pub(in crate::pool) object: usize,
    /// Bytes of one object, with its life word.
    pub(in crate::pool) stride: usize,
    /// The offset of the guard words in a chunk.
    pub(in crate::pool) guards: usize,
    /// Bytes of a chunk, a power of two. `None` if the address space is too small for a chunk.
    pub(in crate::pool) bytes: Option<usize>,
    /// The mask of the low bits of a slot's address, which are its offset in the chunk.
    pub(in crate::pool) inside: usize,
    /// Whether objects are read as copies: see [`Readers`](crate::pool::Readers). A free waits for nothing then.
    pub(in crate::pool) by_copy: bool,
    /// Makes the object, in memory without one.
    pub(in crate::pool) make: unsafe fn(*mut u8),
    pub(in crate::pool) end: Option<unsafe fn(*mut u8)>,
    pub(in crate::pool) drop: unsafe fn(*mut u8),
    /// The weight of an object, if objects own memory. If it exceeds the rest of the limit, the object is shrunk first.
    pub(in crate::pool) weigh: Option<unsafe fn(*mut u8, usize) -> usize>,
    pub(in crate::pool) name: fn() -> &'static str,
    /// For [`ErasedOwner`](crate::pool::ErasedOwner): the id of `(T, H)`, the hooks' value, and the function that ends
    /// an owner's share.
    pub(in crate::pool) type_id: fn() -> TypeId,
    pub(in crate::pool) about: fn() -> About,
    pub(in crate::pool) drop_owner: unsafe fn(u32),
    /// Finishes an ended life.
    pub(in crate::pool) finish: fn(Slot, Ended),
    /// The pins that may protect the pool's objects.
    pub(in crate::pool) pins: fn() -> &'static Pins,
    pub(in crate::pool) is_solo: fn() -> bool,
}

impl Shape {
    /// The error for a refused allocation of `bytes` bytes.
    pub(in crate::pool) fn no_memory(&self, bytes: usize) -> AllocateError {
        AllocateError::Memory {
            type_name: (self.name)(),
            bytes,
        }
    }

    /// The error for a process that has used up the slot numbers, or the pool numbers.
    pub(in crate::pool) fn no_number(&self) -> AllocateError {
        AllocateError::Exhausted {
            type_name: (self.name)(),
        }
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
