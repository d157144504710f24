//! What a chunk of a type looks like: sizes and places, known when the program is compiled.
//!
//! [`Place`] knows the type, for the hot paths; [`Shape`] is the same without it, for everything else, with what has to be done to
//! an object of the type.

use std::any::{Any, TypeId};
use std::fmt;
use std::mem::MaybeUninit;

use super::directory::SLOT_BITS;
use super::hooks::Hooks;
use super::state::{Life, Readers};
use crate::AllocateError;

/// Most slots of a chunk.
pub(super) const MOST_SLOTS: u32 = 1 << SLOT_BITS;
/// Most bytes of the slots of a chunk, unless there are only sixteen.
const SLOT_BYTES: usize = 256 * 1024;
/// Most bytes of the slots of a chunk, unless there is only one.
const FEW_SLOT_BYTES: usize = 1024 * 1024;

/// Bytes before the first slot.
pub(super) const HEADER: usize = 128;
/// The least alignment of the first slot: a cache line.
const LINE: usize = 64;

/// A slot of a pool of `T`, for its layout.
#[repr(C)]
pub(super) struct Room<T> {
    life: Life,
    object: MaybeUninit<T>,
}

/// Where things are in a chunk of `T`.
pub(super) struct Place<T>(std::marker::PhantomData<T>);

impl<T> Place<T> {
    const ALIGN: usize = if align_of::<T>() > LINE { align_of::<T>() } else { LINE };
    /// The first life word; its object follows at the next multiple of the object's alignment.
    pub(super) const FIRST: usize = HEADER.next_multiple_of(Self::ALIGN);
    pub(super) const OBJECT: usize = std::mem::offset_of!(Room<T>, object);
    pub(super) const STRIDE: usize = size_of::<Room<T>>();
    /// Slots of a chunk: a power of two, so that every index cut to so many bits names one of them.
    pub(super) const SLOTS: u32 = slots_of(Self::STRIDE);
    /// Where the reader words begin, behind the slots.
    const READERS: Option<usize> = match Self::STRIDE.checked_mul(Self::SLOTS as usize) {
        Some(bytes) => bytes.checked_add(Self::FIRST),
        None => None,
    };
    /// All bytes of a chunk, a power of two. `None` if the address space is too small for them.
    const BYTES: Option<usize> = match Self::READERS {
        Some(readers) => match readers.checked_add(Self::SLOTS as usize * size_of::<Readers>()) {
            Some(bytes) => bytes.checked_next_power_of_two(),
            None => None,
        },
        None => None,
    };
    /// The low bits of a slot's address that are its place in the chunk.
    pub(super) const INSIDE: usize = match Self::BYTES {
        Some(bytes) => bytes - 1,
        None => usize::MAX,
    };
}

/// What hooks say of their objects: [`Hooks::about`].
pub(super) type About = &'static (dyn Any + Send + Sync);

/// What the type-erased parts of a pool know about its objects.
pub(super) struct Shape {
    /// Slots of a chunk.
    pub(super) slots: u32,
    pub(super) first: usize,
    pub(super) object: usize,
    pub(super) stride: usize,
    /// Where the reader words begin in a chunk.
    pub(super) readers: usize,
    /// Bytes of a chunk, a power of two. `None` if the address space is too small for a chunk.
    pub(super) bytes: Option<usize>,
    /// The low bits of a slot's address that are its place in the chunk.
    pub(super) inside: usize,
    pub(super) end: Option<unsafe fn(*mut u8)>,
    pub(super) drop: unsafe fn(*mut u8),
    pub(super) type_name: fn() -> &'static str,
    /// For [`ErasedOwner`](super::ErasedOwner): of `(T, H)`, what the hooks say, and what ends an owner's share.
    pub(super) type_id: fn() -> TypeId,
    pub(super) about: fn() -> About,
    pub(super) drop_owner: unsafe fn(u32),
}

impl Shape {
    /// The shape of `T` under the hooks `H`.
    pub(super) const fn of<T: 'static, H: Hooks<T>>() -> &'static Self {
        const { &Self::build::<T, H>() }
    }

    const fn build<T: 'static, H: Hooks<T>>() -> Self {
        Self {
            slots: Place::<T>::SLOTS,
            first: Place::<T>::FIRST,
            object: Place::<T>::OBJECT,
            stride: Place::<T>::STRIDE,
            readers: match Place::<T>::READERS {
                Some(readers) => readers,
                None => 0,
            },
            bytes: Place::<T>::BYTES,
            inside: Place::<T>::INSIDE,
            end: if H::END.is_some() {
                Some(end_erased::<T, H>)
            } else {
                None
            },
            drop: drop_erased::<T>,
            type_name: std::any::type_name::<T>,
            type_id: TypeId::of::<(T, H)>,
            about: H::about,
            drop_owner: super::erased::drop_owner::<T, H>,
        }
    }

    /// Bytes that one object costs, with its life word.
    pub(super) fn bytes_per_slot(&self) -> usize {
        self.stride
    }

    /// That so many bytes were refused.
    pub(super) fn no_memory(&self, bytes: usize) -> AllocateError {
        AllocateError::Memory {
            type_name: (self.type_name)(),
            bytes,
        }
    }

    /// That the process has used up the numbers of slots, or of pools.
    pub(super) fn no_number(&self) -> AllocateError {
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

/// # Safety
/// `object` points to a `T` that nobody else looks at.
unsafe fn end_erased<T, H: Hooks<T>>(object: *mut u8) {
    if let Some(end) = H::END {
        // SAFETY: the caller's promise.
        end(unsafe { &mut *object.cast::<T>() });
    }
}

/// # Safety
/// `object` points to a `T` that nobody else looks at; it is gone afterwards.
unsafe fn drop_erased<T>(object: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().drop_in_place() };
}
