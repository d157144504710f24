#![doc = include_str!("../README.md")]
//!
//! # Types
//!
//! | | one value | an array |
//! |---|---|---|
//! | does not change; equal and hashed by its content | [`ValueBox`] | [`ArrayBox`] |
//! | any thread changes it; equal to itself alone | [`ValueRef`] | [`ArrayRef`] |
//!
//! Each is there for every [`Primitive`], under the name of its class:
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
//! Equality must be reflexive here, since objects are keys. So all NaNs are equal to each other, and to no number. The two
//! zeros are equal, as everywhere. Equal floats have the same hash. This holds for boxes, for searching in arrays, and for each
//! component of a [`Vector`].
//!
//! Arrays are sorted by number, with -0.0 before 0.0. NaNs are last, in the order they had; in descending order they come
//! first. In vectors the two zeros are equal when sorting, too, so that the next component decides.
//!
//! # Hashes
//!
//! The hash numbers are fixed: they are the original's and use no secret. An attacker who chooses values can choose colliding
//! ones. The tables of `acedia-collections` do not use them: they hash boxes with a random key.
//!
//! # Memory
//!
//! The content of a freed box or ref stays in its slot until the slot's next life or a collection. The total is not bounded:
//! [`collect_garbage`](acedia::collect_garbage) gives the memory back, and
//! [`KeepAtMost`](acedia::PoolPolicy::KeepAtMost) limits the number of free slots.
//!
//! # Closures
//!
//! Arrays, strings and vectors are locked while a closure runs. The closure given to `with` may read the same ref again, by
//! any call. Every other use of a ref inside its own closure would deadlock, and panics instead, with a message: a change
//! inside `with`, and any use inside `with_mut` or `update`. Use the closure's argument. Printing a ref is a `with`: the
//! formatter may read the ref, but not change it.
//!
//! Numbers and `bool`s have no lock and do not panic. `with` gives its closure a copy, and the ref may be changed meanwhile, by
//! the closure too. `update` compares after its closure: if the ref's value is not, bit for bit, the one at the start of the
//! closure, the closure runs again. So a closure that changes its own ref runs again, and one that does so in every run never
//! ends.
//!
//! Closures of different refs may use each other's refs. If threads would deadlock that way, the last of them panics instead.
//! Collections and mutable texts are included. Other reasons to wait are not detected: locks of other libraries, channels, and
//! a static constructor that uses a ref while the thread in that ref's closure allocates the first object of the class.
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
