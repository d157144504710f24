//! What a chunk of a type looks like: sizes and places, known when the program is compiled.
//!
//! [`Place`] knows the type, for the hot paths; [`Shape`] is the same without it, for everything else, with what has to be done to
//! an object of the type.

use std::alloc::Layout;
use std::any::{Any, TypeId};
use std::fmt;
use std::mem::MaybeUninit;

use super::directory::PART_BITS;
use super::hooks::Hooks;
use super::pages;
use super::state::{Life, Readers};
use crate::AllocateError;

/// Most slots of a part of a chunk.
pub(super) const MOST_SLOTS: u32 = 1 << PART_BITS;
/// Most bytes of the objects of a part, unless there are only sixteen.
const OBJECT_BYTES: usize = 256 * 1024;

/// Bytes before the first slot.
pub(super) const HEADER: usize = 128;
/// The least alignment of a chunk, so that slots start on a cache line.
const LINE: usize = 64;
/// A chunk of no more bytes has a power of two of them, and is aligned to that: the address of a slot then leads to the chunk
/// without the directory.
const MOST_ALIGNED: usize = 1 << 20;

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
    /// Slots of a part: a power of two, so that any index below it is in the chunk without a comparison, for small objects.
    pub(super) const PART: u32 = part_of(Self::STRIDE);
    /// The header and a part; `None` if the address space is too small for them.
    const LEAST: Option<usize> = match Self::STRIDE.checked_mul(Self::PART as usize) {
        Some(bytes) => bytes.checked_add(Self::FIRST),
        None => None,
    };
    const BYTES: Option<usize> = match Self::LEAST {
        Some(least) if least <= MOST_ALIGNED => Some(least.next_power_of_two()),
        Some(least) => least.checked_next_multiple_of(Self::ALIGN),
        None => None,
    };
    /// The low bits of a slot's address that are its place in the chunk, if they are.
    pub(super) const INSIDE: Option<usize> = match Self::BYTES {
        Some(bytes) if bytes <= MOST_ALIGNED => Some(bytes - 1),
        _ => None,
    };
    /// Slots of a chunk: all that it has room for, but no more than two parts.
    #[expect(clippy::cast_possible_truncation, reason = "it is less than a number of that type")]
    const SLOTS: u32 = match Self::INSIDE {
        Some(inside) => {
            let room = (inside + 1 - Self::FIRST) / Self::STRIDE;
            if room < 2 * Self::PART as usize {
                room as u32
            } else {
                2 * Self::PART
            }
        }
        None => Self::PART,
    };
}

/// What hooks say of their objects: [`Hooks::about`].
pub(super) type About = &'static (dyn Any + Send + Sync);

/// What the type-erased parts of a pool know about its objects.
pub(super) struct Shape {
    /// Slots of a chunk.
    pub(super) slots: u32,
    /// Slots of a part of a chunk: at least half of them.
    pub(super) part: u32,
    pub(super) first: usize,
    pub(super) object: usize,
    pub(super) stride: usize,
    /// Bytes from one chunk to the next, without the reader words. `None` if the address space is too small for a chunk.
    pub(super) bytes: Option<usize>,
    /// The low bits of a slot's address that are its place in the chunk, if they are.
    pub(super) inside: Option<usize>,
    /// The alignment of a chunk.
    align: usize,
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
            part: Place::<T>::PART,
            first: Place::<T>::FIRST,
            object: Place::<T>::OBJECT,
            stride: Place::<T>::STRIDE,
            bytes: Place::<T>::BYTES,
            inside: Place::<T>::INSIDE,
            align: match Place::<T>::INSIDE {
                Some(inside) => inside + 1,
                None => Place::<T>::ALIGN,
            },
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

    /// How many entries a table has that is looked into by index, for a chunk.
    pub(super) fn words(&self) -> usize {
        (if self.slots > self.part { 1 << PART_BITS } else { 0 }) + self.part as usize
    }

    /// The layout of so many chunks, one after the other, with their reader words behind them; and where these begin.
    pub(super) fn layout(&self, chunks: usize) -> Option<(Layout, usize)> {
        let readers = self.bytes?.checked_mul(chunks)?;
        let words = Layout::array::<Readers>(chunks.checked_mul(self.words())?).ok()?;
        let align = if chunks == 1 { self.align } else { pages::REGION };
        let layout = Layout::from_size_align(readers.checked_add(words.size())?, align).ok()?;
        Some((layout, readers))
    }

    /// How many chunks fill a region that the processor finds by one entry of its tables; 1 if there is no such thing.
    pub(super) fn chunks_per_region(&self) -> usize {
        match (self.inside, self.bytes) {
            (Some(_), Some(bytes)) => (pages::REGION / bytes).max(1),
            _ => 1,
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

const fn part_of(stride: usize) -> u32 {
    let mut slots = MOST_SLOTS;
    while slots > 16 && stride > OBJECT_BYTES / slots as usize {
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
