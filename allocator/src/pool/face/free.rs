//! The end of an owner's share: the hot path. The slow paths are in [`recycle`](super::super::flow::recycle).

use std::any::TypeId;
use std::marker::PhantomData;

use crate::panics::contain;
use crate::pool::depot::tables;
use crate::pool::face::hooks::Hooks;
use crate::pool::flow::place::Abandon;
use crate::pool::flow::recycle;
use crate::pool::list::local::Local;
use crate::pool::memory::shape::{Shape, ShapeOf};
use crate::pool::memory::slot::Slot;
use crate::pool::reading::domain::Readers;
use crate::pool::reading::pins;
use crate::pool::word::life::Ended;
use crate::pool::word::tag;

impl Shape {
    /// The shape of `T` under the hooks `H`.
    pub(in crate::pool) const fn of<T: 'static, H: Hooks<T>>() -> &'static Self {
        const { &Self::build::<T, H>() }
    }

    const fn build<T: 'static, H: Hooks<T>>() -> Self {
        Self {
            slots: if H::Readers::BY_COPY {
                // `T` is a state and a value. So a chunk has places for a slot and its spare.
                assert!(
                    size_of::<T>() <= 256 * 1024 + 8,
                    "a value that is read as a copy has at most 256 KiB"
                );
                ShapeOf::<T>::SLOTS / 2
            } else {
                ShapeOf::<T>::SLOTS
            },
            first: ShapeOf::<T>::FIRST,
            object: ShapeOf::<T>::OBJECT,
            stride: ShapeOf::<T>::STRIDE,
            guards: match ShapeOf::<T>::GUARDS {
                Some(guards) => guards,
                None => 0,
            },
            bytes: ShapeOf::<T>::BYTES,
            inside: ShapeOf::<T>::INSIDE,
            by_copy: H::Readers::BY_COPY,
            make: make_erased::<T, H>,
            end: if Ends::<T, H>::END.is_some() {
                Some(end_erased::<T, H>)
            } else {
                None
            },
            drop: drop_erased::<T, H>,
            // Objects that are read as copies own nothing.
            weigh: if H::WEIGHT.is_some() && !H::Readers::BY_COPY {
                Some(weigh_erased::<T, H>)
            } else {
                None
            },
            name: H::name,
            type_id: TypeId::of::<(T, H)>,
            about: H::about,
            drop_owner: drop_owner::<T, H>,
            finish: finish::<T, H>,
            pins: H::Readers::pins,
            is_solo: pins::is_solo::<H::Readers>,
        }
    }
}

/// # Safety
/// `object` points to memory for a `T` that no other thread reaches.
unsafe fn make_erased<T, H: Hooks<T>>(object: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().write(H::make()) };
}

/// # Safety
/// `object` points to a `T` that no other reference reaches.
unsafe fn end_erased<T, H: Hooks<T>>(object: *mut u8) {
    if let Some(end) = Ends::<T, H>::END {
        // SAFETY: the caller's promise.
        end(unsafe { &mut *object.cast::<T>() });
    }
}

/// # Safety
/// Same as [`end_erased`].
unsafe fn weigh_erased<T, H: Hooks<T>>(object: *mut u8, room: usize) -> usize {
    let Some(weigh) = H::WEIGHT else { return 0 };
    // SAFETY: the caller's promise.
    let object = unsafe { &mut *object.cast::<T>() };
    let weight = weigh(object);
    if weight <= room {
        return weight;
    }
    H::shrink(object, room);
    weigh(object)
}

/// # Safety
/// `object` points to a `T` that no other reference reaches; it is dropped.
unsafe fn drop_erased<T, H: Hooks<T>>(object: *mut u8) {
    if H::Readers::BY_COPY {
        // Late readers reach the object, so there is no `&mut` of it. The bytes stay an object, for late readers and for the next life.
        return;
    }
    let object = object.cast::<T>();
    let _overwrite = H::SCRUB.map(|scrub| {
        // The user code may panic; the object is dropped all the same.
        // SAFETY: the caller's promise.
        contain(|| scrub(unsafe { &mut *object }));
        Overwrite(object)
    });
    // SAFETY: the caller's promise.
    unsafe { object.drop_in_place() };
}

/// Sets the bytes of an object to 0 when dropped, even during unwinding. The object has been dropped.
struct Overwrite<T>(*mut T);

impl<T> Drop for Overwrite<T> {
    fn drop(&mut self) {
        for at in 0..size_of::<T>() {
            // SAFETY: within the slot's object.
            let byte = unsafe { self.0.cast::<u8>().add(at) };
            // Volatile, so that the compiler does not leave it out.
            // SAFETY: the object is gone, so no reference reaches its bytes.
            unsafe { byte.write_volatile(0) };
        }
    }
}

/// The work at the end of a life.
struct Ends<T, H>(PhantomData<(T, H)>);

impl<T, H: Hooks<T>> Ends<T, H> {
    const END: Option<fn(&mut T)> = match H::SCRUB {
        None => H::END,
        Some(_) => Some(Self::end_and_scrub),
    };

    fn end_and_scrub(object: &mut T) {
        if let Some(end) = H::END {
            end(object);
        }
        if let Some(scrub) = H::SCRUB {
            scrub(object);
        }
    }
}

/// # Safety
/// The caller gives up a share in the ownership of the object in slot `index`, which is of a pool of `T` and `H`.
pub(in crate::pool) unsafe fn drop_owner<T: 'static, H: Hooks<T>>(index: u32) {
    free::<T, H>(Slot::of_own_in::<T>(index));
}

/// Ends a life if the caller was its last owner.
///
/// A function of its own, of which every exit is a tail call, so that it has no stack frame.
#[inline(never)]
pub(in crate::pool) fn free<T: 'static, H: Hooks<T>>(slot: Slot) {
    let tag = slot.chunk_of::<T>().tag();
    // If an owner was cloned in the chunk, the tag is marked and does not match.
    tables::with(|tables| match tables.cached_to_free(tag) {
        Some(local) => finish_in::<T, H>(slot, slot.life().end(), local),
        None => drop_share::<T, H>(slot, tag),
    });
}

/// Finishes an ended life.
#[expect(
    clippy::inline_always,
    reason = "else the compiler makes it one more function, and a life takes four instructions more"
)]
#[inline(always)]
fn finish_in<T, H: Hooks<T>>(slot: Slot, ended: Ended, local: &Local) {
    match ended {
        Ended::Unseen => {}
        // A late reader sees the end of the life, and discards its copy.
        Ended::Seen if H::Readers::BY_COPY => {}
        Ended::Seen => {
            if !(pins::is_solo::<H::Readers>() && local.guarding.is_unguarded(slot)) {
                if Ends::<T, H>::END.is_some() || !local.push_limbo(slot) {
                    recycle::end_slowly(slot, Ended::Seen);
                }
                return;
            }
        }
        Ended::Worn => return recycle::end_slowly(slot, Ended::Worn),
    }
    if let Some(end) = Ends::<T, H>::END {
        let abandon = Abandon(slot);
        // SAFETY: the life is over, and the object has no readers.
        end(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
    }
    if !local.push_ready(slot) {
        recycle::place(slot);
    }
}

/// Finishes the life that the object's only owner has ended.
pub(in crate::pool) fn finish<T: 'static, H: Hooks<T>>(slot: Slot, ended: Ended) {
    let tag = slot.chunk_of::<T>().tag() & !tag::SHARED;
    tables::with(|tables| match tables.cached(tag) {
        Some(local) => finish_in::<T, H>(slot, ended, local),
        None => recycle::end_slowly(slot, ended),
    });
}

/// Ends a share of an object in a chunk in which owners were cloned, or of a pool that is not in the thread's cache.
#[inline(never)]
fn drop_share<T: 'static, H: Hooks<T>>(slot: Slot, tag: u64) {
    if tag & tag::SHARED == 0 || slot.chunk_of::<T>().more_owners(slot.index()).remove() {
        tables::with(|tables| match tables.local(tag & !tag::SHARED) {
            Some(local) => finish_in::<T, H>(slot, slot.life().end(), local),
            None => recycle::end_slowly(slot, slot.life().end()),
        });
    }
}
