//! `Box` and `Vec` in mimalloc's memory, beside the system allocator that the rest of the process uses.
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

/// A `Vec` in mimalloc's memory. `T` must not be zero-sized.
pub(crate) struct MiVec<T: Copy> {
    // Three words, as `Vec` and `String` are. The place dangles while the capacity is 0.
    place: NonNull<T>,
    length: usize,
    capacity: usize,
}

// SAFETY: a `MiVec` owns its elements as a `Vec` does, and mimalloc frees a block on any thread.
unsafe impl<T: Copy + Send> Send for MiVec<T> {}
// SAFETY: nothing changes through a shared reference.
unsafe impl<T: Copy + Sync> Sync for MiVec<T> {}

impl<T: Copy> Default for MiVec<T> {
    #[inline]
    fn default() -> Self {
        Self {
            place: NonNull::dangling(),
            length: 0,
            capacity: 0,
        }
    }
}

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

impl<T: Copy> MiVec<T> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    pub(crate) fn extend_from_slice(&mut self, elements: &[T]) {
        if self.capacity - self.length < elements.len() {
            self.grow(elements.len());
        }
        // SAFETY: within the memory, as was asked just now.
        let end = unsafe { self.place.add(self.length) };
        // SAFETY: there is room for so many, nobody else knows the memory, and `T` is `Copy`.
        unsafe { end.copy_from_nonoverlapping(NonNull::from_ref(elements).cast(), elements.len()) };
        self.length += elements.len();
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let capacity = (self.length + more).max(2 * self.capacity);
        let layout = Layout::array::<T>(capacity).expect("the bench's vectors are short");
        let place = allocate(layout);
        // SAFETY: the new memory has room for all that is in the old.
        unsafe { place.copy_from_nonoverlapping(self.place, self.length) };
        let length = self.length;
        drop(std::mem::replace(
            self,
            Self {
                place,
                length,
                capacity,
            },
        ));
    }
}

impl<T: Copy> Drop for MiVec<T> {
    #[inline]
    fn drop(&mut self) {
        if self.capacity > 0 {
            // SAFETY: the layout was fine when the memory was allocated.
            let layout = unsafe { Layout::array::<T>(self.capacity).unwrap_unchecked() };
            free(self.place, layout);
        }
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
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: no caller asks for no bytes.
    let place = unsafe { MiMalloc.alloc(layout) };
    NonNull::new(place.cast()).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Ends what [`allocate`] began.
#[inline]
fn free<T>(place: NonNull<T>, layout: Layout) {
    // SAFETY: all callers pass what `allocate` gave them for that layout, once, when they are dropped.
    unsafe { MiMalloc.dealloc(place.as_ptr().cast(), layout) };
}

#[cfg(test)]
mod tests {
    use super::MiVec;

    #[test]
    fn a_vector_grows_and_keeps_its_memory() {
        let mut vector = MiVec::default();
        for round in 0..3 {
            vector.clear();
            for n in 0..100_u32 {
                vector.extend_from_slice(&[n, n + round]);
            }
            assert_eq!(vector.len(), 200);
            // SAFETY: so many were written.
            let elements = unsafe { std::slice::from_raw_parts(vector.place.as_ptr(), vector.len()) };
            assert!(elements.iter().copied().eq((0..100).flat_map(|n| [n, n + round])));
        }
        let place = vector.place;
        vector.clear();
        vector.extend_from_slice(&[7; 200]);
        assert_eq!(vector.place, place);
        assert_eq!(MiVec::from([1_u8, 2].as_slice()).len(), 2);
    }
}
