//! The allocators that a program can choose from, and `Box` and `Vec` in the memory of each.
//!
//! They are called exactly as a program with `#[global_allocator] static GLOBAL: MiMalloc` does, but side by side.

use mimalloc::MiMalloc;
use std::{
    alloc::{GlobalAlloc, Layout, System, handle_alloc_error},
    fmt,
    marker::PhantomData,
    ptr::NonNull,
};

/// An allocator.
pub(crate) trait Heap: GlobalAlloc + Send + Sync + Sized + 'static {
    /// The allocator itself.
    const HEAP: Self;
    /// The name of a `Box` of it in the tables.
    const BOX: &'static str;
    /// Bytes before each small block. Blocks of up to 64 bytes are then multiples of 16.
    const HEADER: usize = 0;
    /// The smallest block.
    const SMALLEST: usize = 16;
}

/// The one that the process uses for everything else.
impl Heap for System {
    const HEAP: Self = Self;
    const BOX: &'static str = "Box, system";
    // Of glibc.
    const HEADER: usize = 8;
    const SMALLEST: usize = 32;
}

impl Heap for MiMalloc {
    const HEAP: Self = Self;
    const BOX: &'static str = "Box, mimalloc";
}

#[cfg(feature = "allocators")]
impl Heap for tikv_jemallocator::Jemalloc {
    const HEAP: Self = Self;
    const BOX: &'static str = "Box, jemalloc";
}

#[cfg(feature = "allocators")]
impl Heap for snmalloc_rs::SnMalloc {
    const HEAP: Self = Self;
    const BOX: &'static str = "Box, snmalloc";
}

/// A `Box` in the memory of `A`. `T` must not be zero-sized.
pub(crate) struct HeapBox<T, A: Heap> {
    place: NonNull<T>,
    owns: PhantomData<(T, A)>,
}

// SAFETY: a `HeapBox` owns its object as a `Box` does, and every allocator frees a block on any thread.
unsafe impl<T: Send, A: Heap> Send for HeapBox<T, A> {}

impl<T, A: Heap> HeapBox<T, A> {
    /// Moves `value` into new memory.
    #[inline]
    pub(crate) fn new(value: T) -> Self {
        let place = allocate::<T, A>(Layout::new::<T>());
        // SAFETY: `allocate` returned memory of the size and alignment of a `T`, to which no other pointer exists.
        unsafe { place.write(value) };
        Self {
            place,
            owns: PhantomData,
        }
    }
}

impl<T, A: Heap> Drop for HeapBox<T, A> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the object was written in `new` and is dropped once, here.
        unsafe { self.place.drop_in_place() };
        free::<T, A>(self.place, Layout::new::<T>());
    }
}

impl<T, A: Heap> fmt::Debug for HeapBox<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HeapBox").field(&self.place).finish()
    }
}

/// A `Vec` in the memory of `A`. `T` must not be zero-sized.
pub(crate) struct HeapVec<T: Copy, A: Heap> {
    // Three words, as `Vec` and `String` are. The place dangles while the capacity is 0.
    place: NonNull<T>,
    length: usize,
    capacity: usize,
    heap: PhantomData<A>,
}

// SAFETY: a `HeapVec` owns its elements as a `Vec` does, and every allocator frees a block on any thread.
unsafe impl<T: Copy + Send, A: Heap> Send for HeapVec<T, A> {}
// SAFETY: nothing changes through a shared reference.
unsafe impl<T: Copy + Sync, A: Heap> Sync for HeapVec<T, A> {}

impl<T: Copy, A: Heap> Default for HeapVec<T, A> {
    #[inline]
    fn default() -> Self {
        Self {
            place: NonNull::dangling(),
            length: 0,
            capacity: 0,
            heap: PhantomData,
        }
    }
}

impl<T: Copy, A: Heap> From<&[T]> for HeapVec<T, A> {
    #[inline]
    fn from(elements: &[T]) -> Self {
        let length = elements.len();
        assert!(
            length > 0,
            "an empty vector owns no memory, and is not what is measured"
        );
        let place = allocate::<T, A>(Layout::for_value(elements));
        // SAFETY: `allocate` returned new memory of the layout of `elements`, and `T` is `Copy`.
        unsafe { place.copy_from_nonoverlapping(NonNull::from_ref(elements).cast(), length) };
        Self {
            place,
            length,
            capacity: length,
            heap: PhantomData,
        }
    }
}

impl<T: Copy, A: Heap> HeapVec<T, A> {
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
        // SAFETY: there is room for so many, no other pointer to the memory exists, and `T` is `Copy`.
        unsafe { end.copy_from_nonoverlapping(NonNull::from_ref(elements).cast(), elements.len()) };
        self.length += elements.len();
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let capacity = (self.length + more).max(2 * self.capacity);
        let layout = Layout::array::<T>(capacity).expect("the bench's vectors are short");
        let place = allocate::<T, A>(layout);
        // SAFETY: the new memory has room for all that is in the old.
        unsafe { place.copy_from_nonoverlapping(self.place, self.length) };
        let length = self.length;
        drop(std::mem::replace(
            self,
            Self {
                place,
                length,
                capacity,
                heap: PhantomData,
            },
        ));
    }
}

impl<T: Copy, A: Heap> Drop for HeapVec<T, A> {
    #[inline]
    fn drop(&mut self) {
        if self.capacity > 0 {
            // SAFETY: the layout was fine when the memory was allocated.
            let layout = unsafe { Layout::array::<T>(self.capacity).unwrap_unchecked() };
            free::<T, A>(self.place, layout);
        }
    }
}

impl<T: Copy, A: Heap> fmt::Debug for HeapVec<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeapVec")
            .field("place", &self.place)
            .field("length", &self.length)
            .finish_non_exhaustive()
    }
}

/// New memory of that layout, at least.
#[inline]
fn allocate<T, A: Heap>(layout: Layout) -> NonNull<T> {
    const { assert!(size_of::<T>() > 0) };
    // SAFETY: no caller asks for no bytes.
    let place = unsafe { A::HEAP.alloc(layout) };
    NonNull::new(place.cast()).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Ends what [`allocate`] began.
#[inline]
fn free<T, A: Heap>(place: NonNull<T>, layout: Layout) {
    // SAFETY: all callers pass what `allocate` gave them for that layout, once, when they are dropped.
    unsafe { A::HEAP.dealloc(place.as_ptr().cast(), layout) };
}

#[cfg(test)]
mod tests;
