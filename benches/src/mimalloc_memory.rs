//! `Box` and a frozen `Vec` in mimalloc's memory, beside the system allocator that the rest of the process uses.
//!
//! Both call mimalloc exactly as a program with `#[global_allocator] static GLOBAL: MiMalloc` does.

use mimalloc::MiMalloc;
use std::{
    alloc::{GlobalAlloc, Layout, handle_alloc_error},
    fmt,
    marker::PhantomData,
    ptr::NonNull,
};

/// A `Box` in mimalloc's memory. `T` must not be zero-sized.
pub(crate) struct MiBox<T> {
    place: NonNull<T>,
    owns: PhantomData<T>,
}

// SAFETY: a `MiBox` owns its object as a `Box` does, and mimalloc frees a block on any thread.
unsafe impl<T: Send> Send for MiBox<T> {}

impl<T> MiBox<T> {
    /// Moves `value` into new memory.
    #[inline]
    pub(crate) fn new(value: T) -> Self {
        let place = allocate(Layout::new::<T>());
        // SAFETY: `allocate` returned memory of the size and alignment of a `T`, which nobody else knows.
        unsafe { place.write(value) };
        Self {
            place,
            owns: PhantomData,
        }
    }
}

impl<T> Drop for MiBox<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the object was written in `new` and is dropped once, here.
        unsafe { self.place.drop_in_place() };
        free(self.place, Layout::new::<T>());
    }
}

impl<T> fmt::Debug for MiBox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MiBox").field(&self.place).finish()
    }
}

/// A `Vec` in mimalloc's memory that is made full and does not change. `T` must not be zero-sized.
pub(crate) struct MiVec<T: Copy> {
    place: NonNull<T>,
    // Three words, as `Vec` and `String` are.
    length: usize,
    capacity: usize,
}

// SAFETY: a `MiVec` owns its elements as a `Vec` does, and mimalloc frees a block on any thread.
unsafe impl<T: Copy + Send> Send for MiVec<T> {}

impl<T: Copy> From<&[T]> for MiVec<T> {
    #[inline]
    fn from(elements: &[T]) -> Self {
        let length = elements.len();
        assert!(
            length > 0,
            "an empty vector owns no memory, and is not what is measured"
        );
        let place = allocate(Layout::for_value(elements));
        // SAFETY: `allocate` returned new memory of the layout of `elements`, and `T` is `Copy`.
        unsafe { place.copy_from_nonoverlapping(NonNull::from_ref(elements).cast(), length) };
        Self {
            place,
            length,
            capacity: length,
        }
    }
}

impl<T: Copy> Drop for MiVec<T> {
    #[inline]
    fn drop(&mut self) {
        let elements = NonNull::slice_from_raw_parts(self.place, self.capacity);
        // SAFETY: `from` filled all of `capacity`, and the memory is freed only after this.
        let layout = Layout::for_value(unsafe { elements.as_ref() });
        free(self.place, layout);
    }
}

impl<T: Copy> fmt::Debug for MiVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MiVec")
            .field("place", &self.place)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// New memory of that layout, at least.
#[inline]
fn allocate<T>(layout: Layout) -> NonNull<T> {
    // SAFETY: neither caller asks for no bytes.
    let place = unsafe { MiMalloc.alloc(layout) };
    NonNull::new(place.cast()).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Ends what [`allocate`] began.
#[inline]
fn free<T>(place: NonNull<T>, layout: Layout) {
    // SAFETY: both callers pass what `allocate` gave them for that layout, once, when they are dropped.
    unsafe { MiMalloc.dealloc(place.as_ptr().cast(), layout) };
}
