//! What a chunk of a type looks like: sizes and places, known when the program is compiled.
//!
//! [`Place`] knows the type, for the hot paths; [`Shape`] is the same without it, for everything else, with what has to be done to
//! an object of the type.

use std::alloc::Layout;
use std::any::{Any, TypeId};
use std::fmt;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use super::chunk::Chunk;
use super::directory::SLOT_BITS;
use super::hooks::Hooks;
use super::state::{Life, Readers};
use crate::AllocateError;

/// Most slots of a chunk. A model checker builds every word by hand, so it gets few.
pub(super) const MOST_SLOTS: u32 = if cfg!(acedia_loom) { 8 } else { 1 << SLOT_BITS };
/// Objects are packed into about this much memory per chunk.
const OBJECT_BYTES: usize = 256 * 1024;

/// Bytes before the first slot.
pub(super) const HEADER: usize = 128;
/// The least alignment of a chunk, so that slots start on a cache line.
const LINE: usize = 64;
/// A chunk of no more bytes is aligned to its size, rounded up to a power of two: the address of a slot then leads to the
/// chunk without the directory.
const MOST_ALIGNED: usize = 1 << 20;
/// The commonest size of a page; where it is another one, a little memory stays unused.
const PAGE: usize = 4096;

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
    /// A power of two, so that any index below it is in the chunk without a comparison, for small objects.
    pub(super) const SLOTS: u32 = slots_of(Self::STRIDE);
    /// How many of them are used: the header takes the room of the others, so that the slots end with a page. One page more
    /// for each chunk would be a twenty-fifth for the smallest objects.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is compared with a number of that type"
    )]
    const USED: u32 = {
        let displaced = Self::FIRST.div_ceil(Self::STRIDE);
        if displaced * Self::STRIDE < PAGE && displaced < Self::SLOTS as usize / 16 {
            Self::SLOTS - displaced as u32
        } else {
            Self::SLOTS
        }
    };
    /// The first reader word, behind the slots; `None` if the address space is too small for a chunk.
    const READERS: Option<usize> = match Self::STRIDE.checked_mul(Self::SLOTS as usize) {
        Some(bytes) => bytes.checked_add(Self::FIRST),
        None => None,
    };
    const LAYOUT: Option<Layout> = match Self::READERS {
        Some(bytes) => match bytes.checked_add(Self::SLOTS as usize * size_of::<Readers>()) {
            Some(total) => {
                let mut align = Self::ALIGN;
                if align < total && total <= MOST_ALIGNED {
                    align = total.next_power_of_two();
                }
                match Layout::from_size_align(total, align) {
                    Ok(layout) => Some(layout),
                    Err(_) => None,
                }
            }
            None => None,
        },
        None => None,
    };
    /// The low bits of a slot's address that are its place in the chunk, if they are.
    pub(super) const INSIDE: Option<usize> = match Self::LAYOUT {
        Some(layout) if layout.size() <= layout.align() => Some(layout.align() - 1),
        _ => None,
    };
}

/// What hooks say of their objects: [`Hooks::about`].
pub(super) type About = &'static (dyn Any + Send + Sync);

/// What the type-erased parts of a pool know about its objects.
pub(super) struct Shape {
    /// Slots of a chunk that may hold objects.
    pub(super) slots: u32,
    /// Slots that made-up keys may name.
    #[cfg(debug_assertions)]
    pub(super) named: u32,
    pub(super) first: usize,
    pub(super) object: usize,
    pub(super) stride: usize,
    pub(super) readers: usize,
    /// The low bits of a slot's address that are its place in the chunk, if they are.
    pub(super) inside: Option<usize>,
    pub(super) layout: Option<Layout>,
    pub(super) end: Option<unsafe fn(*mut u8)>,
    pub(super) drop: unsafe fn(*mut u8),
    pub(super) type_name: fn() -> &'static str,
    /// For [`ErasedOwner`](super::ErasedOwner): of `(T, H)`, what the hooks say, and what ends an owner's share.
    pub(super) type_id: fn() -> TypeId,
    pub(super) about: fn() -> About,
    pub(super) drop_owner: unsafe fn(NonNull<Chunk>, u32),
}

impl Shape {
    /// The shape of `T` under the hooks `H`.
    pub(super) const fn of<T: 'static, H: Hooks<T>>() -> &'static Self {
        const { &Self::build::<T, H>() }
    }

    const fn build<T: 'static, H: Hooks<T>>() -> Self {
        Self {
            slots: Place::<T>::USED,
            #[cfg(debug_assertions)]
            named: Place::<T>::SLOTS,
            first: Place::<T>::FIRST,
            object: Place::<T>::OBJECT,
            stride: Place::<T>::STRIDE,
            readers: match Place::<T>::READERS {
                Some(readers) => readers,
                // There is no chunk.
                None => 0,
            },
            inside: Place::<T>::INSIDE,
            layout: Place::<T>::LAYOUT,
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

    /// The layout of a chunk, for reports of exhausted memory.
    pub(super) fn layout(&self) -> Layout {
        self.layout.unwrap_or(Layout::new::<u64>())
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
