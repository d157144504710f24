//! [`Column`]: the actors of one class, type-erased.

use std::any::{Any, TypeId};

use super::rows::Rows;
#[cfg(feature = "serde")]
use crate::value::saved::{error::SaveError, tree::Tree};

/// The [`Rows`] of one class, and the methods of their type.
pub(crate) struct Column {
    /// A `Rows<T>`. A caller that knows `T` finds it with one comparison, without a call through `methods`.
    rows: Box<dyn Any + Send>,
    methods: &'static Methods,
}

/// Whether `any` has the vtable of `T`. A type can have several vtables, so `false` may be wrong. After `true` the compiler
/// knows the vtable, so a downcast needs no call.
#[inline]
fn is_probably<T: Any>(any: &dyn Any) -> bool {
    let real: *const dyn Any = any;
    let guess: *const dyn Any = real.cast::<T>();
    #[allow(ambiguous_wide_pointer_comparisons, reason = "the vtables are what is compared")]
    {
        real == guess
    }
}

/// `downcast_ref`, usually without a call.
#[inline]
pub(crate) fn cast<T: Any>(any: &dyn Any) -> Option<&T> {
    /// For another copy of the vtable. Out of line, to keep the usual path short.
    #[cold]
    #[inline(never)]
    fn elsewhere<T: Any>(any: &dyn Any) -> Option<&T> {
        any.downcast_ref()
    }
    if is_probably::<T>(any) {
        any.downcast_ref()
    } else {
        elsewhere(any)
    }
}

/// As `cast`, for mutable access.
#[inline]
pub(super) fn cast_mut<T: Any>(any: &mut dyn Any) -> Option<&mut T> {
    #[cold]
    #[inline(never)]
    fn elsewhere<T: Any>(any: &mut dyn Any) -> Option<&mut T> {
        any.downcast_mut()
    }
    if is_probably::<T>(any) {
        any.downcast_mut()
    } else {
        elsewhere(any)
    }
}

/// The operations on rows of a class that is known only at run time. `methods.rs` fills them in.
pub(crate) struct Methods {
    pub(super) column: fn() -> Box<dyn Any + Send>,
    pub(super) make: fn(&mut dyn Any) -> Option<usize>,
    pub(super) copy: fn(&mut dyn Any, usize) -> Option<usize>,
    pub(super) reclaim: fn(&mut dyn Any, usize),
    pub(super) part: fn(&dyn Any, usize, TypeId) -> Option<&dyn Any>,
    pub(super) part_mut: fn(&mut dyn Any, usize, TypeId) -> Option<&mut dyn Any>,
}

/// Writes and reads the fields of one actor, in the column of its class. `saving.rs` fills it in.
#[cfg(feature = "serde")]
pub(crate) struct Saving {
    pub(crate) write: fn(&Column, usize) -> Result<Tree, SaveError>,
    /// Returns the new row.
    pub(crate) read: fn(&mut Column, &Tree) -> Result<Option<usize>, SaveError>,
    /// Reads an actor, and drops it.
    pub(crate) check: fn(&Tree) -> Result<(), SaveError>,
}

impl Column {
    pub(crate) fn new(methods: &'static Methods) -> Self {
        Self {
            rows: (methods.column)(),
            methods,
        }
    }

    /// Creates an actor. Returns its row.
    pub(crate) fn make(&mut self) -> Option<usize> {
        (self.methods.make)(&mut *self.rows)
    }

    /// Copies the actor in `row`, unless the class can't be copied. Returns the row of the copy.
    pub(crate) fn copy(&mut self, row: usize) -> Option<usize> {
        (self.methods.copy)(&mut *self.rows, row)
    }

    /// Adds an actor. Returns its row.
    #[cfg(feature = "serde")]
    pub(super) fn put<T: Send + 'static>(&mut self, actor: T) -> Option<usize> {
        Some(self.rows.downcast_mut::<Rows<T>>()?.put(actor))
    }

    /// Finalizes and drops the actor.
    pub(crate) fn reclaim(&mut self, row: usize) {
        (self.methods.reclaim)(&mut *self.rows, row);
    }

    /// The rows, if the class is `T`.
    pub(crate) fn rows<T: Send + 'static>(&self) -> Option<&Rows<T>> {
        self.rows.downcast_ref()
    }

    /// The actor as a `T`, which is its class or an ancestor of it.
    #[inline]
    pub(crate) fn part<T: Send + 'static>(&self, row: usize) -> Option<&T> {
        if is_probably::<Rows<T>>(&*self.rows) {
            return Some(self.rows.downcast_ref::<Rows<T>>()?.actor(row));
        }
        self.inner_part(row)
    }

    /// As `part`, for an ancestor. Out of line and cold, so that the compiler joins the look-ups of several fields on the usual
    /// path.
    #[cold]
    #[inline(never)]
    fn inner_part<T: Send + 'static>(&self, row: usize) -> Option<&T> {
        cast((self.methods.part)(&*self.rows, row, TypeId::of::<T>())?)
    }

    #[inline]
    pub(crate) fn part_mut<T: Send + 'static>(&mut self, row: usize) -> Option<&mut T> {
        if is_probably::<Rows<T>>(&*self.rows) {
            return Some(self.rows.downcast_mut::<Rows<T>>()?.actor_mut(row));
        }
        self.inner_part_mut(row)
    }

    #[cold]
    #[inline(never)]
    fn inner_part_mut<T: Send + 'static>(&mut self, row: usize) -> Option<&mut T> {
        cast_mut((self.methods.part_mut)(&mut *self.rows, row, TypeId::of::<T>())?)
    }
}
