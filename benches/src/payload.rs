//! What the objects hold.

use crate::mimalloc_memory::MiVec;
use sharded_slab::Clear;
use std::array;

/// The 64 bytes of every text.
const TEXT: &str = "a handle names a slot and a life, and a life never comes again..";

/// The 64 numbers of every list.
static NUMBERS: [u32; 64] = [7; 64];

/// Content that is filled at the start of every life.
///
/// Contenders that recycle objects call [`empty`](Self::empty) and [`fill`](Self::fill), so that inner memory is kept.
/// The others call [`make`](Self::make) and drop.
pub(crate) trait Payload: Clear + Default + Send + Sync + 'static {
    /// The column's name.
    const NAME: &'static str;
    /// The same payload with its inner memory from mimalloc.
    type InMimalloc: Send + 'static;

    /// A new object.
    fn make(seed: u64) -> Self;
    /// A new object, inner memory included, in mimalloc.
    fn make_in_mimalloc(seed: u64) -> Self::InMimalloc;
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
    type InMimalloc = Self;

    #[inline]
    fn make(seed: u64) -> Self {
        Self(array::from_fn(|place| seed.wrapping_add(place as u64)))
    }

    #[inline]
    fn make_in_mimalloc(seed: u64) -> Self {
        Self::make(seed)
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

/// A `String` of 64 bytes.
#[derive(Debug, Default)]
pub(crate) struct Text(String);

impl Clear for Text {
    fn clear(&mut self) {
        self.empty();
    }
}

impl Payload for Text {
    const NAME: &'static str = "String of 64";
    type InMimalloc = MiVec<u8>;

    #[inline]
    fn make(_: u64) -> Self {
        Self(String::from(TEXT))
    }

    #[inline]
    fn make_in_mimalloc(_: u64) -> MiVec<u8> {
        MiVec::from(TEXT.as_bytes())
    }

    #[inline]
    fn fill(&mut self, _: u64) {
        self.0.push_str(TEXT);
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

/// A `Vec` of 64 numbers.
#[derive(Debug, Default)]
pub(crate) struct List(Vec<u32>);

impl Clear for List {
    fn clear(&mut self) {
        self.empty();
    }
}

impl Payload for List {
    const NAME: &'static str = "Vec of 64 u32";
    type InMimalloc = MiVec<u32>;

    #[inline]
    fn make(_: u64) -> Self {
        Self(NUMBERS.to_vec())
    }

    #[inline]
    fn make_in_mimalloc(_: u64) -> MiVec<u32> {
        MiVec::from(NUMBERS.as_slice())
    }

    #[inline]
    fn fill(&mut self, _: u64) {
        self.0.extend_from_slice(&NUMBERS);
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
