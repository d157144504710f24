//! [`Field`]: a part of a value that is loaded alone.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

/// A field of type `F` in a `T`, for [`PlainPool::load_field`](crate::PlainPool::load_field). Made by [`field!`](crate::field!).
pub struct Field<T, F> {
    pub(crate) offset: usize,
    of: PhantomData<fn(T) -> F>,
}

impl<T, F> Field<T, F> {
    /// For [`field!`](crate::field!).
    ///
    /// # Panics
    ///
    /// If there is no `F` at that offset.
    #[doc(hidden)]
    #[must_use]
    pub const fn at(offset: usize, _get: fn(&T) -> &F) -> Self {
        assert!(offset <= size_of::<T>() && size_of::<F>() <= size_of::<T>() - offset);
        Self {
            offset,
            of: PhantomData,
        }
    }
}

impl<T, F> Clone for Field<T, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, F> Copy for Field<T, F> {}

impl<T, F> fmt::Debug for Field<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, offset, whole) = (type_name::<F>(), self.offset, type_name::<T>());
        write!(f, "Field({field} at byte {offset} of {whole})")
    }
}

/// Names a field of plain data, for [`PlainPool::load_field`](crate::PlainPool::load_field): `field!(Position, x)`, or
/// `field!(Body, position.x)`.
///
/// ```
/// use acedia_plain::{Field, field};
///
/// struct Position { x: f32, y: f32 }
/// const Y: Field<Position, f32> = field!(Position, y);
/// assert!(format!("{Y:?}").starts_with("Field(f32 at byte 4 of "));
/// ```
#[macro_export]
macro_rules! field {
    ($type:ty, $($field:tt).+) => {
        $crate::Field::<$type, _>::at(::core::mem::offset_of!($type, $($field).+), |value| &value.$($field).+)
    };
}
