//! The content of the objects.

use crate::heap::{Heap, HeapVec};
use mimalloc::MiMalloc;
use sharded_slab::Clear;
use std::array;

/// Content that begins with a cache line, wherever the linker puts it: how long a copy takes depends on that.
#[repr(align(64))]
struct Aligned<T>(T);

/// The 64 bytes of every text.
static TEXT: Aligned<[u8; 64]> = Aligned(*b"a handle names a slot and a life, and a life never comes again..");

/// The 64 numbers of every list.
static NUMBERS: Aligned<[u32; 64]> = Aligned([7; 64]);

/// Content that is filled at the start of every life.
///
/// Contenders that recycle objects call [`empty`](Self::empty) and [`fill`](Self::fill), so that inner memory is kept.
/// The others call [`make`](Self::make) and drop.
///
/// Inner memory is mimalloc's for all contenders but the boxes of other allocators, so that contenders differ by what they do and not by
/// what their objects own: a copy into the system allocator's memory takes longer, because that begins at any multiple of 16 bytes.
pub(crate) trait Payload: Clear + Default + Send + Sync + 'static {
    /// The column's name.
    const NAME: &'static str;
    /// The same payload with its inner memory from another allocator.
    type In<A: Heap>: Payload;

    /// A new object.
    fn make(seed: u64) -> Self;
    /// Writes the content of a life into an object that is empty.
    fn fill(&mut self, seed: u64);
    /// Ends the content, and keeps the inner memory.
    fn empty(&mut self);
    /// The word that a read reads.
    fn first(&self) -> u64;
}

/// `N` words, nothing inside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<const N: usize>([u64; N]);

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Clear for Words<N> {
    fn clear(&mut self) {
        self.empty();
    }
}

impl<const N: usize> Payload for Words<N> {
    const NAME: &'static str = match N {
        2 => "16 B",
        8 => "64 B",
        _ => "words",
    };
    type In<A: Heap> = Self;

    #[inline]
    fn make(seed: u64) -> Self {
        Self(array::from_fn(|place| seed.wrapping_add(place as u64)))
    }

    #[inline]
    fn fill(&mut self, seed: u64) {
        *self = Self::make(seed);
    }

    // Plain data has nothing to give up.
    #[inline]
    fn empty(&mut self) {}

    #[inline]
    fn first(&self) -> u64 {
        self.0[0]
    }
}

/// A payload of that name and content that holds the content in a vector.
macro_rules! vector {
    ($(#[$meta:meta])* $Payload:ident, $name:literal, $Element:ty, $content:expr) => {
        $(#[$meta])*
        #[derive(Debug)]
        pub(crate) struct $Payload<A: Heap = MiMalloc>(HeapVec<$Element, A>);

        impl<A: Heap> Default for $Payload<A> {
            fn default() -> Self {
                Self(HeapVec::default())
            }
        }

        impl<A: Heap> Clear for $Payload<A> {
            fn clear(&mut self) {
                self.empty();
            }
        }

        impl<A: Heap> Payload for $Payload<A> {
            const NAME: &'static str = $name;
            type In<B: Heap> = $Payload<B>;

            #[inline]
            fn make(_: u64) -> Self {
                Self(HeapVec::from($content.as_slice()))
            }

            #[inline]
            fn fill(&mut self, _: u64) {
                self.0.extend_from_slice(&$content);
            }

            #[inline]
            fn empty(&mut self) {
                self.0.clear();
            }

            #[inline]
            fn first(&self) -> u64 {
                self.0.len() as u64
            }
        }
    };
}

vector!(
    /// A `String` of 64 bytes.
    Text,
    "String of 64",
    u8,
    TEXT.0
);
vector!(
    /// A `Vec` of 64 numbers.
    List,
    "Vec of 64 u32",
    u32,
    NUMBERS.0
);
