#![doc = include_str!("../README.md")]
//!
//! # What to use
//!
//! | To | Use |
//! |---|---|
//! | keep items by index | [`ArrayList`] |
//! | keep items by key | [`HashTable`]; [`Key`] lists the types that look-ups accept in place of a key object |
//! | store a number, an object, or a handle to an object | [`Item`], an element of a collection |
//! | read a collection | [`ArrayList::read`], [`HashTable::read`]: [`Items`], [`Entries`] |
//! | change a collection | [`ArrayList::write`], [`HashTable::write`]: [`ListWriter`], [`TableWriter`] |
//! | find an item in nested collections by its path | [`Nested`], [`Pointer`] (a JSON pointer) |
//! | handle an item that would make a collection own itself | [`Refused`] |
//!
//! # Cycles
//!
//! A collection that owns itself, directly or through other collections, would never be freed. A method that would make
//! a collection own itself panics, or returns [`Refused`] if its name begins with `try_`. Cycles through the fields of your
//! own objects are not detected. A handle does not own its object, so collections may hold handles to each other.
//!
//! # Depth
//!
//! Freeing, comparing and cycle checks use a fixed amount of stack at any depth.
//!
//! # Not supported
//!
//! * A table entry whose key is the empty item, `Item::NONE`.
//! * Changing a collection while it is iterated: the guard of [`ArrayList::read`] or [`HashTable::read`] keeps it
//!   locked.
//! * `serde` for objects of your own classes in a collection: the result is an error that names the class.
#![doc(html_root_url = "https://docs.rs/acedia-collections/latest")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

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

pub use array_list::{ArrayList, Items, ListWriter};
pub use error::{Reason, Refused};
pub use hash_table::{Entries, Entry, HashTable, TableWriter};
pub use item::{Item, OwnedOrGuard, View, WrongItem};
pub use key::Key;
pub use nested::{Nested, NestedError};
pub use pointer::Pointer;
#[cfg(feature = "serde")]
pub use serde::{ItemError, from_item, to_item};

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
