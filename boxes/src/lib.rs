//! Pooled values: boxes that do not change, refs that do, and arrays of both.
//!
//! Whoever stores [objects](acedia_allocator) sooner or later wants to store a number among them. A *box* makes an object of
//! a plain value; a *ref* does too, and lets any thread change it. Both live in pools, so making one costs a few
//! nanoseconds, and the memory of strings and arrays is used again and again.
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
//! | `f32` | [`FloatBox`] | [`FloatRef`] | [`FloatArrayBox`] | [`FloatArrayRef`] |
//! | `f64` | [`DoubleBox`] | [`DoubleRef`] | [`DoubleArrayBox`] | [`DoubleArrayRef`] |
//! | `String` | [`StringBox`] | [`StringRef`] | [`StringArrayBox`] | [`StringArrayRef`] |
//! | [`Vector`] | [`VectorBox`] | [`VectorRef`] | [`VectorArrayBox`] | [`VectorArrayRef`] |
//!
//! ```
//! use std::collections::HashMap;
//!
//! use acedia_allocator::AnyOwned;
//! use acedia_boxes::{FloatBox, IntArrayRef, IntBox, IntRef};
//!
//! // Anything can be a key or a value among objects.
//! let mut table: HashMap<AnyOwned, AnyOwned> = HashMap::new();
//! table.insert(IntBox::new(7).into(), IntArrayRef::new([1, 2, 3]).into());
//! let found = &table[&IntBox::new(7).into()];
//! assert_eq!(found.downcast_ref::<IntArrayRef>().unwrap().len(), 3);
//!
//! // Boxes of two classes are two different things, and a ref is only itself.
//! assert_ne!(IntBox::new(13).into_any(), FloatBox::new(13.0).into_any());
//! assert_ne!(IntRef::new(13), IntRef::new(13));
//! ```
//!
//! # Floats
//!
//! Equality must be reflexive here, since objects are keys. So all NaNs are equal to each other, and to nothing else. The
//! two zeros are equal, as everywhere. Equal floats have the same hash. This holds for boxes, for searching in arrays, and
//! for each component of a [`Vector`].
//!
//! Arrays are sorted by number, -0.0 before 0.0, and with the NaNs behind everything else, in the order they had; in
//! descending order they come first. In vectors the two zeros are equal when sorting, too, so that the next component
//! decides.
//!
//! # Hashes
//!
//! The hash numbers are fixed: the original's, without a secret. Who chooses the keys can choose ones with equal hashes, so a
//! table that is fed by strangers can be flooded.
//!
//! # Memory
//!
//! The content of a freed box or ref stays in its slot until the slot's next life or a collection. The memory kept that
//! way has no bound of its own: [`collect_garbage`](acedia_allocator::collect_garbage) gives it back, and
//! [`KeepAtMost`](acedia_allocator::PoolPolicy::KeepAtMost) limits it.
//!
//! # Closures
//!
//! Arrays, strings and vectors are behind a lock while a closure runs. The closure given to `with` may read the same ref
//! again, by any call. Every other second use of a ref inside its own closure would wait for itself for ever, and panics
//! instead, with a message that says so: a change inside `with`, and any use inside `with_mut` or `update`. The closure's
//! argument is the way. Printing a ref is a `with`: what is printed into may read it, and not change it.
//!
//! Numbers and `bool`s have no lock, and nothing panics. `with` gives its closure a copy; the ref may be changed meanwhile,
//! by the closure too. `update` compares when its closure has ended: if the ref's value is not the one that the closure
//! began with, bit for bit, the closure runs again. So a closure that changes its own ref runs again, and one that does so
//! in every run can run for ever.
//!
//! Closures of different refs may use each other's refs. Where threads would wait for each other for ever that way, the last one
//! of them panics instead. Collections and mutable texts count, too. Nothing is known here of whatever else threads wait for: locks
//! of other libraries, channels, and static constructors that use a ref while the thread in its closure allocates the first
//! object of their class.
//!
//! Most programs have this crate as `acedia::boxes` of the facade, whose guide begins with `docs/first-pool.md`.
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

/// For the crates of this workspace that meet any primitive.
#[doc(hidden)]
pub mod __private {
    pub use crate::table::{Visitor, visit};
    pub use crate::value::{Value, Values};
}
