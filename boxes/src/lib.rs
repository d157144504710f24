#![doc = include_str!("../README.md")]
//!
//! # Types
//!
//! | Object | One value | An array |
//! |---|---|---|
//! | A *box* never changes. It is compared and hashed by its content | [`ValueBox`] | [`ArrayBox`] |
//! | A *ref* can be changed by any thread. It is equal only to itself | [`ValueRef`] | [`ArrayRef`] |
//!
//! Each of these four generic types has an alias for every [`Primitive`]:
//!
//! | Primitive | Box | Ref | Box of an array | Ref to an array |
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
//! Objects can be used as keys, so each object must be equal to itself. Therefore all NaNs are equal to each other, and a NaN
//! equals no number. Both zeros are equal, as in Rust. Equal floats have the same hash. These rules hold for boxes, for
//! searches in arrays, and for each component of a [`Vector`].
//!
//! Arrays of floats are sorted numerically, with -0.0 before 0.0. In ascending order NaNs come last, in their previous order;
//! in descending order they come first. When vectors are sorted, -0.0 and 0.0 are equal, so the next component decides.
//!
//! # Hashes
//!
//! `hash_code` returns the same number in every process, as in Acedia, the UnrealScript library. So an attacker can choose values
//! with equal hashes. The tables of `acedia-collections` hash boxes with a random key instead.
//!
//! # Memory
//!
//! The content of a freed box or ref stays in its slot until the slot's next life, or until
//! [`collect_garbage`](acedia::collect_garbage) frees it. By default this memory has no limit.
//! [`KeepAtMost`](acedia::PoolPolicy::KeepAtMost) limits the number of free slots.
//!
//! # Closures
//!
//! A ref of an array, a string or a vector is locked while one of its closures runs. The closure of `with` may call any method
//! that reads the same ref. Changing the ref inside `with`, or using it inside `with_mut` or `update`, would deadlock, so it
//! panics with a message. Use the argument of the closure instead. Printing a ref calls `with`, so the writer that receives the
//! output may read the ref, but must not change it.
//!
//! Refs of numbers and `bool`s have no lock and do not panic. `with` passes a copy to its closure, so the closure itself may
//! change the ref meanwhile. `update` runs its closure again if the bits of the value have changed since the closure began. So
//! an `update` whose closure changes the same ref in every run never ends.
//!
//! The closure of one ref may use another ref. If threads would deadlock in this way, the thread whose wait would close the cycle
//! panics instead. This detection also covers the locks of collections and of mutable texts. It does not cover channels, locks of
//! other libraries, or static constructors (which run before the first object of a class is allocated). For example, thread A
//! runs the static constructor of a class, which uses a ref. Thread B is in a closure of that ref, and allocates an object of the
//! class. Then both wait forever.
//!
//! # Not supported
//!
//! * Other primitives, such as `u16` or `char`: [`Primitive`] is sealed. For any other type, define a class.
//! * Atomic changes to several refs: each call changes one ref, and threads may see changes to different refs in different
//!   orders.
#![doc(html_root_url = "https://docs.rs/acedia-boxes/latest")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

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
    pub use crate::value::Value;
}
