#![doc = include_str!("../README.md")]
#![doc(html_root_url = "https://docs.rs/acedia-plain/latest")]

mod chunk;
#[cfg(doctest)]
mod compile_fail;
mod directory;
mod error;
mod field;
mod key;
#[cfg(all(test, acedia_loom))]
mod models;
mod owner;
mod pool;
mod slot;
mod sync;
#[cfg(all(test, not(acedia_loom)))]
mod tests;
mod words;

use bytemuck::{AnyBitPattern, NoUninit};

pub use error::{AccessError, AllocateError, Contended};
pub use field::Field;
pub use key::PlainKey;
pub use owner::PlainOwner;
pub use pool::PlainPool;

/// Types that a [`PlainPool`] can hold: every byte is data, and every pattern of bits is a value. Implemented for all types with
/// bytemuck's `NoUninit` and `AnyBitPattern` (both are a part of `Pod`) that are `Send`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not plain data, or cannot be sent between threads",
    note = "a plain type has no padding, no `bool`, no enum and no pointer; derive bytemuck's `NoUninit` and `AnyBitPattern` for it"
)]
pub trait Plain: NoUninit + AnyBitPattern + Send {}

// So that a type is reported with the note of `Plain`.
#[diagnostic::do_not_recommend]
impl<T: NoUninit + AnyBitPattern + Send> Plain for T {}
