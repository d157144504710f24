//! [`Column`]: the actors of one class, as far as they are Rust's.

use std::any::{Any, TypeId};

use super::free_slots::FreeSlots;
use crate::Actor;

/// The actors of one class: what Rust owns of them, in rows.
pub(crate) struct Column {
    /// A `Rows<T>`. Whoever knows the class finds it with one comparison, without asking `methods`.
    rows: Box<dyn Any + Send>,
    methods: &'static Methods,
}

/// Whether `any` is a `T`, as far as its methods show: `false` may be wrong. Where it is `true`, the compiler knows those
/// methods, and finds without a call that a downcast succeeds.
#[inline]
fn is_probably<T: Any + Send>(any: &(dyn Any + Send)) -> bool {
    let real: *const (dyn Any + Send) = any;
    let guess: *const (dyn Any + Send) = real.cast::<T>();
    #[allow(ambiguous_wide_pointer_comparisons, reason = "the methods are what is compared")]
    {
        real == guess
    }
}

/// What can be done with the rows of a class that is only known at run time.
pub(crate) struct Methods {
    column: fn() -> Box<dyn Any + Send>,
    make: fn(&mut dyn Any) -> Option<usize>,
    copy: fn(&mut dyn Any, usize) -> Option<usize>,
    reclaim: fn(&mut dyn Any, usize),
    part: fn(&dyn Any, usize, TypeId) -> Option<&dyn Any>,
    part_mut: fn(&mut dyn Any, usize, TypeId) -> Option<&mut dyn Any>,
}

impl Methods {
    pub(crate) const fn of<T: Actor>() -> &'static Self {
        const {
            &Self {
                column: || Box::new(Rows::<T>::default()),
                make: |rows| Some(rows.downcast_mut::<Rows<T>>()?.make()),
                copy: |rows, row| rows.downcast_mut::<Rows<T>>()?.copy(row),
                reclaim: |rows, row| {
                    if let Some(rows) = rows.downcast_mut::<Rows<T>>() {
                        rows.reclaim(row);
                    }
                },
                part: |rows, row, wanted| rows.downcast_ref::<Rows<T>>()?.get(row)?.part(wanted),
                part_mut: |rows, row, wanted| rows.downcast_mut::<Rows<T>>()?.get_mut(row)?.part_mut(wanted),
            }
        }
    }
}

impl Column {
    pub(crate) fn new(methods: &'static Methods) -> Self {
        Self {
            rows: (methods.column)(),
            methods,
        }
    }

    /// A new actor, in the row that is returned.
    pub(crate) fn make(&mut self) -> Option<usize> {
        (self.methods.make)(&mut *self.rows)
    }

    /// A copy of the actor in `row`, unless the class can't be copied.
    pub(crate) fn copy(&mut self, row: usize) -> Option<usize> {
        (self.methods.copy)(&mut *self.rows, row)
    }

    /// Finalizes and drops the actor.
    pub(crate) fn reclaim(&mut self, row: usize) {
        (self.methods.reclaim)(&mut *self.rows, row);
    }

    /// The actor as a `T`: itself, or the part that is its parent class.
    #[inline]
    pub(crate) fn part<T: Actor>(&self, row: usize) -> Option<&T> {
        if is_probably::<Rows<T>>(&*self.rows) {
            return self.rows.downcast_ref::<Rows<T>>()?.get(row);
        }
        self.inner_part(row)
    }

    /// As `part`, of a parent class. Out of line, so that the usual way is short.
    #[inline(never)]
    fn inner_part<T: Actor>(&self, row: usize) -> Option<&T> {
        (self.methods.part)(&*self.rows, row, TypeId::of::<T>())?.downcast_ref()
    }

    #[inline]
    pub(crate) fn part_mut<T: Actor>(&mut self, row: usize) -> Option<&mut T> {
        if is_probably::<Rows<T>>(&*self.rows) {
            return self.rows.downcast_mut::<Rows<T>>()?.get_mut(row);
        }
        self.inner_part_mut(row)
    }

    #[inline(never)]
    fn inner_part_mut<T: Actor>(&mut self, row: usize) -> Option<&mut T> {
        (self.methods.part_mut)(&mut *self.rows, row, TypeId::of::<T>())?.downcast_mut()
    }
}

/// In one of the two, as [`IS_DROPPED`](Self::IS_DROPPED) says, which the compiler knows.
///
/// Actors whose memory need not be looked at when they are reclaimed stay until another one takes their row. So they need
/// no mark that they are there, by which they might lie in one cache line more.
struct Rows<T> {
    plain: Vec<T>,
    dropped: Vec<Option<T>>,
    free: FreeSlots,
}

impl<T> Rows<T> {
    const IS_DROPPED: bool = std::mem::needs_drop::<T>();
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            plain: Vec::new(),
            dropped: Vec::new(),
            free: FreeSlots::default(),
        }
    }
}

/// Into a row that is free, or a new one. Gives which.
fn put<T>(rows: &mut Vec<T>, free: Option<usize>, it: T) -> usize {
    let row = free.unwrap_or(rows.len());
    match rows.get_mut(row) {
        Some(place) => *place = it,
        None => rows.push(it),
    }
    row
}

impl<T: Actor> Rows<T> {
    fn put(&mut self, actor: T) -> usize {
        let free = self.free.pop();
        if Self::IS_DROPPED {
            put(&mut self.dropped, free, Some(actor))
        } else {
            put(&mut self.plain, free, actor)
        }
    }

    fn make(&mut self) -> usize {
        let mut actor = T::default();
        actor.constructor();
        self.put(actor)
    }

    fn copy(&mut self, row: usize) -> Option<usize> {
        let mut copy = self.get(row)?.duplicate()?;
        copy.constructor();
        Some(self.put(copy))
    }

    fn reclaim(&mut self, row: usize) {
        if Self::IS_DROPPED {
            let Some(place) = self.dropped.get_mut(row) else { return };
            self.free.insert(row);
            if let Some(mut actor) = place.take() {
                actor.finalizer();
            }
        } else {
            let Some(actor) = self.plain.get_mut(row) else { return };
            self.free.insert(row);
            actor.finalizer();
        }
    }

    #[inline]
    fn get(&self, row: usize) -> Option<&T> {
        if Self::IS_DROPPED {
            self.dropped.get(row)?.as_ref()
        } else {
            self.plain.get(row)
        }
    }

    #[inline]
    fn get_mut(&mut self, row: usize) -> Option<&mut T> {
        if Self::IS_DROPPED {
            self.dropped.get_mut(row)?.as_mut()
        } else {
            self.plain.get_mut(row)
        }
    }
}

#[cfg(test)]
mod tests;
