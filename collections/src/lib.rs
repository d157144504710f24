#![doc = include_str!("../README.md")]
//!
//! # Types
//!
//! | | |
//! |---|---|
//! | [`Item`] | an element of a collection: an owned object, a watched object, a number or `bool`, or nothing |
//! | [`ArrayList`] | items by number, behind a lock |
//! | [`HashTable`] | items by key, behind a lock |
//! | [`Key`] | the types that can be looked up without making an object first |
//! | [`Items`], [`Entries`] | the contents of a collection, to read |
//! | [`ListWriter`], [`TableWriter`] | the contents of a collection, to change |
//! | [`Pointer`], [`Nested`] | the path to an item in nested collections, and access by it |
//! | [`Refused`] | the error of putting in a collection that would own itself |
//!
//! # Circles
//!
//! A collection that owns itself, directly or through others, would never be freed. Putting one in where that would
//! happen fails with [`Refused`]. A handle does not own, so collections that watch each other are no circle. The check
//! does not look into the fields of objects of other classes.
//!
//! # Depth
//!
//! Freeing, comparing and the search for circles use no stack per level of nesting.
#![forbid(unsafe_code)]

mod array_list;
mod collection;
mod copy;
mod error;
mod few;
mod hash;
mod hash_table;
mod item;
mod key;
mod lock;
mod nested;
mod place;
mod pointer;
mod release;
mod same;
mod scalar;
#[cfg(feature = "serde")]
mod serde;
mod show;
mod stack;

pub use array_list::{ArrayList, Items, Iter as ListIter, ListWriter};
pub use error::{Reason, Refused};
pub use hash_table::{Entries, Entry, HashTable, Iter as TableIter, TableWriter};
pub use item::{Item, View, WrongItem};
pub use key::Key;
pub use nested::{Nested, NestedError};
pub use pointer::Pointer;
#[cfg(feature = "serde")]
pub use serde::{ItemError, Tagged, from_item, to_item};

/// For the crates of this workspace that read and print collections.
#[doc(hidden)]
pub mod __private {
    pub use crate::collection::Collection;
    pub use crate::hash_table::entries::ByShape;
    pub use crate::hash_table::shape::{KEY_ROOM, MOST_KEYS, Shape, ShapeKey};
    pub use crate::item::simple::Simple;
    pub use crate::nested::DEEPEST;
    pub use crate::pointer::number;
    pub use crate::scalar::Scalar;
    pub use crate::stack::Stack;
}
