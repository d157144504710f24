//! The hashes of a text: DJB2 as the public hash, and a keyed one for tables.
//!
//! DJB2 is `h * 33 + code` for one code point after another, modulo 2^32. In this form each step depends on the one before.
//! But the result is a polynomial in 33 with the codes as coefficients. So blocks of codes can be summed independently, in any
//! order, and moved to their place by a power of 33: eight bytes at a time in one word (`words.rs`). The result is the same.

mod djb2;
mod keyed;
mod once;
mod short;
mod words;

pub(crate) use djb2::djb2;
pub(crate) use keyed::keyed;
pub use keyed::{Keyed, exact_hash};
pub(crate) use once::Once;
pub use short::{inexact, is_exact};
