//! [`Column`]: the actors of one class, without their Rust type.

use std::any::{Any, TypeId};

use super::rows::Rows;
#[cfg(feature = "serde")]
use crate::value::saved::{error::TreeError, tree::Tree};

/// The [`Rows`] of one class, and the methods of their type.
pub(crate) struct Column {
    /// A `Rows<T>`. A caller that knows `T` finds it with one comparison, without a call through `methods`.
    rows: Box<dyn Any + Send>,
    methods: &'static Methods,
}

/// Whether `any` is a `T`, judged by its vtable. `false` may be wrong. Where it is `true`, the compiler knows the
/// vtable, so a downcast that follows costs no call.
#[inline]
pub(crate) fn is_probably<T: Any + Send>(any: &(dyn Any + Send)) -> bool {
    let real: *const (dyn Any + Send) = any;
    let guess: *const (dyn Any + Send) = real.cast::<T>();
    #[allow(ambiguous_wide_pointer_comparisons, reason = "the vtables are what is compared")]
    {
        real == guess
    }
}

/// The operations on rows of a class that is known at run time only. `methods.rs` fills them in.
pub(crate) struct Methods {
    pub(super) column: fn() -> Box<dyn Any + Send>,
    pub(super) make: fn(&mut dyn Any) -> Option<usize>,
    pub(super) copy: fn(&mut dyn Any, usize) -> Option<usize>,
    pub(super) reclaim: fn(&mut dyn Any, usize),
    pub(super) part: fn(&dyn Any, usize, TypeId) -> Option<&dyn Any>,
    pub(super) part_mut: fn(&mut dyn Any, usize, TypeId) -> Option<&mut dyn Any>,
}

#[cfg(feature = "serde")]
/// Writes and reads the fields of one actor, in the rows of its class. `saving.rs` fills it in.
pub(crate) struct Saving {
    pub(super) write: fn(&dyn Any, usize) -> Result<Tree, TreeError>,
    /// Returns the new row.
    pub(super) read: fn(&mut dyn Any, &Tree) -> Result<usize, TreeError>,
    /// Reads an actor, and drops it.
    pub(super) check: fn(&Tree) -> Result<(), TreeError>,
}

#[cfg(feature = "serde")]
impl Saving {
    /// Whether an actor with these fields can be read.
    pub(crate) fn check(&self, fields: &Tree) -> Result<(), TreeError> {
        (self.check)(fields)
    }
}

impl Column {
    pub(crate) fn new(methods: &'static Methods) -> Self {
        Self {
            rows: (methods.column)(),
            methods,
        }
    }

    /// Makes a new actor. Returns its row.
    pub(crate) fn make(&mut self) -> Option<usize> {
        (self.methods.make)(&mut *self.rows)
    }

    /// Copies the actor in `row`, unless the class can't be copied. Returns the row of the copy.
    pub(crate) fn copy(&mut self, row: usize) -> Option<usize> {
        (self.methods.copy)(&mut *self.rows, row)
    }

    /// The fields of the actor in `row`.
    #[cfg(feature = "serde")]
    pub(crate) fn write(&self, saving: &Saving, row: usize) -> Result<Tree, TreeError> {
        (saving.write)(&*self.rows, row)
    }

    /// A new actor with these fields. Returns its row.
    #[cfg(feature = "serde")]
    pub(crate) fn read(&mut self, saving: &Saving, fields: &Tree) -> Result<usize, TreeError> {
        (saving.read)(&mut *self.rows, fields)
    }

    /// Finalizes and drops the actor.
    pub(crate) fn reclaim(&mut self, row: usize) {
        (self.methods.reclaim)(&mut *self.rows, row);
    }

    /// The rows, if the class is `T`.
    pub(crate) fn rows<T: Send + 'static>(&self) -> Option<&Rows<T>> {
        self.rows.downcast_ref()
    }

    /// The actor as a `T`: itself, or its part that is the parent class.
    #[inline]
    pub(crate) fn part<T: Send + 'static>(&self, row: usize) -> Option<&T> {
        if is_probably::<Rows<T>>(&*self.rows) {
            return self.rows.downcast_ref::<Rows<T>>()?.actor(row);
        }
        self.inner_part(row)
    }

    /// As `part`, for a parent class. Out of line, to keep the usual path short.
    #[inline(never)]
    fn inner_part<T: Send + 'static>(&self, row: usize) -> Option<&T> {
        (self.methods.part)(&*self.rows, row, TypeId::of::<T>())?.downcast_ref()
    }

    #[inline]
    pub(crate) fn part_mut<T: Send + 'static>(&mut self, row: usize) -> Option<&mut T> {
        if is_probably::<Rows<T>>(&*self.rows) {
            return self.rows.downcast_mut::<Rows<T>>()?.actor_mut(row);
        }
        self.inner_part_mut(row)
    }

    #[inline(never)]
    fn inner_part_mut<T: Send + 'static>(&mut self, row: usize) -> Option<&mut T> {
        (self.methods.part_mut)(&mut *self.rows, row, TypeId::of::<T>())?.downcast_mut()
    }
}

#[cfg(test)]
mod tests;
