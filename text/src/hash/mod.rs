//! The hashes of a text: DJB2 for everybody, and a keyed one for tables.
//!
//! DJB2 is `h * 33 + code` for one code point after another, modulo 2^32. Taken literally each step waits for the one
//! before. But the result is a polynomial in 33 with the codes as coefficients, so blocks of codes can be summed up on
//! their own, in any order, and be moved to their place by a power of 33: eight bytes at a time in one word
//! (`words`), 128 bytes at a time in vectors (`vectors`, where the machine has AVX2). All ways give the same number.

mod djb2;
mod keyed;
mod once;
mod short;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
mod vectors;
mod words;

pub(crate) use djb2::djb2;
pub(crate) use keyed::{keyed, keyed_short};
pub(crate) use once::Once;
pub(crate) use short::{inexact, is_exact};
