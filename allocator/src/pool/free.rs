//! The end of an owner's share: the hot path. The slow paths are in [`recycle`](super::recycle).

use std::any::TypeId;

use crate::pool::chunk::{Shape, ShapeOf};
use crate::pool::life::Ended;
use crate::pool::local::Local;
use crate::pool::pin::Readers;
use crate::pool::pool::Hooks;
use crate::pool::recycle::Abandon;
use crate::pool::slot::Slot;
use crate::pool::{pin, recycle, tables, tag};

impl Shape {
    /// The shape of `T` under the hooks `H`.
    pub(super) const fn of<T: 'static, H: Hooks<T>>() -> &'static Self {
        const { &Self::build::<T, H>() }
    }

    const fn build<T: 'static, H: Hooks<T>>() -> Self {
        Self {
            slots: ShapeOf::<T>::SLOTS,
            first: ShapeOf::<T>::FIRST,
            object: ShapeOf::<T>::OBJECT,
            stride: ShapeOf::<T>::STRIDE,
            guards: match ShapeOf::<T>::GUARDS {
                Some(guards) => guards,
                None => 0,
            },
            bytes: ShapeOf::<T>::BYTES,
            make: if H::INSERTED { |_| () } else { make_erased::<T, H> },
            finalizer: if H::END.is_some() {
                Some(end_erased::<T, H>)
            } else {
                None
            },
            drop: if H::INSERTED { |_| () } else { drop_erased::<T> },
            name: H::name,
            type_id: TypeId::of::<(T, H)>,
            about: H::about,
            drop_owner: drop_owner::<T, H>,
            finish: |life, ended| finish::<T, H>(Slot::from_raw(life), ended),
            pins: H::Readers::pins,
            is_solo: pin::is_solo::<H::Readers>,
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
    if let Some(end) = H::END {
        // SAFETY: the caller's promise.
        end(unsafe { &mut *object.cast::<T>() });
    }
}

/// # Safety
/// `object` points to a `T` that no other reference reaches; it is dropped.
unsafe fn drop_erased<T>(object: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { object.cast::<T>().drop_in_place() };
}

/// # Safety
/// The caller gives up a share in the ownership of the object in slot `index`, which is of a pool of `T` and `H`.
pub(super) unsafe fn drop_owner<T: 'static, H: Hooks<T>>(index: u32) {
    free::<T, H>(Slot::of_own_in::<T>(index));
}

/// Ends a life if the caller was its last owner.
///
/// A function of its own, of which every exit is a tail call, so that it has no stack frame.
#[inline(never)]
pub(super) fn free<T: 'static, H: Hooks<T>>(slot: Slot) {
    let tag = slot.chunk_of::<T>().tag();
    // If an owner was cloned in the chunk, or if the pool is counted, the tag is marked and does not match.
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
        Ended::Seen => {
            // `is_solo` comes first: for both checks, it keeps the compiler from moving them before the end of the life.
            if !(pin::is_solo::<H::Readers>() && slot.chunk_of::<T>().depot().is_unguarded(slot)) {
                // An object with a finalizer waits singly, so that the end of a pin finds it.
                if H::END.is_some() || !local.push_limbo(slot) {
                    recycle::end_slowly(slot, Ended::Seen);
                }
                return;
            }
        }
        Ended::Worn => return recycle::end_slowly(slot, Ended::Worn),
    }
    if let Some(end) = H::END {
        let abandon = Abandon(slot);
        // SAFETY: the life is over, and the object has no readers.
        end(unsafe { slot.object().as_mut() });
        std::mem::forget(abandon);
    }
    if !local.push_ready(slot) {
        recycle::put_away(slot);
    }
}

/// Finishes the life that the object's only owner has ended.
pub(super) fn finish<T: 'static, H: Hooks<T>>(slot: Slot, ended: Ended) {
    let tag = slot.chunk_of::<T>().tag() & !tag::SHARED;
    tables::with(|tables| match tables.cached(tag) {
        Some(local) => finish_in::<T, H>(slot, ended, local),
        None => recycle::end_slowly(slot, ended),
    });
}

/// Puts away the slot of a value that was taken out after the end of its life.
pub(super) fn put_away_value<T: 'static>(slot: Slot, ended: Ended) {
    let tag = slot.chunk_of::<T>().tag() & !tag::SHARED;
    let is_ready =
        ended == Ended::Unseen && tables::with(|tables| tables.cached(tag).is_some_and(|local| local.push_ready(slot)));
    if !is_ready {
        recycle::put_away(slot);
    }
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
