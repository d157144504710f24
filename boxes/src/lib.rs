#![doc = include_str!("../README.md")]
//!
//! # Types
//!
//! | | one value | an array |
//! |---|---|---|
//! | does not change; equal and hashed by its content | [`ValueBox`] | [`ArrayBox`] |
//! | any thread changes it; equal only to itself | [`ValueRef`] | [`ArrayRef`] |
//!
//! Each of the four types exists forevery [`Primitive`], under the name of its class:
//!
//! | | | | | |
//! |---|---|---|---|---|
//! | `bool` | [`BoolBox`] | [`BoolRef`] | [`BoolArrayBox`] | [`BoolArrayRef`] |
//! | `u8` | [`ByteBox`] | [`ByteRef`] | [`ByteArrayBox`] | [`ByteArrayRef`] |
//! | `i32` | [`IntBox`] | [`IntRef`] | [`IntArrayBox`] | [`IntArrayRef`] |
//! | `i64` | [`LongBox`] | [`LongRef`] | [`LongArrayBox`] | [`LongArrayRef`] |
//! | `u64` | [`ULongBox`] | [`ULongRef`] | [`ULongArrayBox`] | [`ULongArrayRef`] |
//! | `f32` | [`FloatBox`] | [`FloatRef`] | [`FloatArrayBox`] | [`FloatArrayRef`] |
//! | `f64` | [`DoubleBox`] | [`DoubleRef`] | [`DoubleArrayBox`] | [`DoubleArrayRef`] |
//! | `String` | [`StringBox`] | [`StringRef`] | [`StringArrayBox`] | [`StringArrayRef`] |
//! | [`Vector`] | [`VectorBox`] | [`VectorRef`] | [`VectorArrayBox`] | [`VectorArrayRef`] |
//!
//! # Floats
//!
//! Objects are keys, so each object must be equal to itself. Therefore all NaNs are equal to each other, and a NaN equals no number. Both
//! zeros are equal, as in Rust. Equal floats have the same hash. This holds for boxes, for searching in arrays, and for each
//! component of a [`Vector`].
//!
//! Arrays are sorted by number, with -0.0 before 0.0. NaNs are last, in their previous order. In descending order
//! NaNs come first. When vectors are sorted, both zeros are equal, so the next component decides.
//!
//! # Hashes
//!
//! `hash_code` returns the same number in every process, as in Acedia, the UnrealScript library. So an attacker who chooses the values can
//! make their hashes collide. The tables of `acedia-collections` hash boxes with a random key instead.
//!
//! # Memory
//!
//! The content of a freed box or ref stays in its slot until the slot's next life or a collection. This memory is not bounded:
//! [`collect_garbage`](acedia::collect_garbage) returns it, and
//! [`KeepAtMost`](acedia::PoolPolicy::KeepAtMost) limits the number of free slots.
//!
//! # Closures
//!
//! Arrays, strings and vectors are locked while a closure runs. The closure of `with` may read the same ref again, by
//! any call. Every other use of a ref inside its own closure would deadlock, so it panics with a message: a change inside
//! `with`, and any use inside `with_mut` or `update`. Use the closure's argument instead. Printing a ref calls `with`, so the
//! formatter may read the ref, but must not change it.
//!
//! Numbers and `bool`s have no lock and do not panic. `with` passes a copy to its closure, and the ref may change meanwhile, even
//! by the closure. After its closure, `update` compares the value of the ref with the value at the start of the closure. If the
//! two differ in a bit, the closure runs again. So a closure that changes its own ref in every run never ends.
//!
//! The closure of one ref may use another ref. If threads would deadlock in this way, the last of them panics instead. The same holds for
//! locks of collections and of mutable texts. Deadlocks with other causes are not detected: locks of other libraries, channels, and a static
//! constructor that uses a ref while the thread in that ref's closure allocates the first object of the class.
//!
//! # Not supported
//!
//! * Other primitives, such as `u16` or `char`: [`Primitive`] is sealed. A class of your own holds any type.
//! * One change of several refs: each call changes one, and different refs have no common order.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod array_box;
mod array_ref;
mod boolean;
mod cell;
mod float;
mod hash;
mod integer;
mod lock;
mod primitive;
mod scan;
#[cfg(feature = "serde")]
mod serde;
mod sort;
mod string;
mod table;
mod value;
mod value_box;
mod value_ref;
mod vector;

pub use primitive::{ArrayBox, ArrayRef, Number, Primitive, ValueBox, ValueRef};
pub use table::aliases::*;
pub use vector::Vector;

/// For the crates of this workspace that handle primitives of any type.
#[doc(hidden)]
pub mod __private {
    pub use crate::table::{Visitor, visit};
    pub use crate::value::{Value, Values};
}
