//! What the objects hold.

use crate::mimalloc_memory::MiVec;
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
/// Inner memory is mimalloc's for everybody, so that contenders differ by what they do and not by what their objects own: a copy
/// into the system allocator's memory takes longer, because that begins at any multiple of 16 bytes.
pub(crate) trait Payload: Clear + Default + Send + Sync + 'static {
    /// The column's name.
    const NAME: &'static str;
    /// The same payload with its inner memory from the system allocator.
    type InSystem: Payload;

    /// A new object.
    fn make(seed: u64) -> Self;
    /// Writes the content of a life into an object that is empty.
    fn fill(&mut self, seed: u64);
    /// Ends the content, and keeps the inner memory.
    fn empty(&mut self);
    /// What a read reads.
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
    type InSystem = Self;

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

/// The inner memory of an object.
pub(crate) trait Memory<T: Copy + 'static>: Default + Send + Sync + 'static {
    /// New memory that holds `elements`.
    fn of(elements: &'static [T]) -> Self;
    /// Adds `elements` to what it holds.
    fn extend(&mut self, elements: &'static [T]);
    /// Keeps the memory, and forgets what it holds.
    fn clear(&mut self);
    /// How many elements it holds.
    fn len(&self) -> usize;
}

macro_rules! memory {
    ($Vector:ident) => {
        impl<T: Copy + Send + Sync + 'static> Memory<T> for $Vector<T> {
            #[inline]
            fn of(elements: &'static [T]) -> Self {
                Self::from(elements)
            }

            #[inline]
            fn extend(&mut self, elements: &'static [T]) {
                self.extend_from_slice(elements);
            }

            #[inline]
            fn clear(&mut self) {
                self.clear();
            }

            #[inline]
            fn len(&self) -> usize {
                self.len()
            }
        }
    };
}

memory!(MiVec);
memory!(Vec);

/// What holds its content in a vector: a payload of that name and content.
macro_rules! vector {
    ($(#[$meta:meta])* $Payload:ident, $name:literal, $Element:ty, $content:expr) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        pub(crate) struct $Payload<M = MiVec<$Element>>(M);

        impl<M: Memory<$Element>> Clear for $Payload<M> {
            fn clear(&mut self) {
                self.empty();
            }
        }

        impl<M: Memory<$Element>> Payload for $Payload<M> {
            const NAME: &'static str = $name;
            type InSystem = $Payload<Vec<$Element>>;

            #[inline]
            fn make(_: u64) -> Self {
                Self(M::of($content))
            }

            #[inline]
            fn fill(&mut self, _: u64) {
                self.0.extend($content);
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
    &TEXT.0
);
vector!(
    /// A `Vec` of 64 numbers.
    List,
    "Vec of 64 u32",
    u32,
    &NUMBERS.0
);
