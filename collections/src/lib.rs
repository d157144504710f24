//! Lists and tables of any objects.
//!
//! A script or a configuration keeps things of all kinds together: numbers, texts, objects of the game, and other
//! collections. Some of them belong to the collection. Others belong to somebody else, who may free them at any time.
//!
//! ```
//! use acedia_boxes::IntRef;
//! use acedia_collections::{ArrayList, HashTable};
//! use acedia_text::Text;
//!
//! let health = IntRef::new(100); // somebody else's
//! let pawn = HashTable::from([("name", "Bob")]);
//! pawn.write()
//!     .set("level", 7)
//!     .set("health", health.handle()) // is only watched
//!     .set("inventory", ArrayList::from(["sword", "rope"])); // is owned
//!
//! let entries = pawn.read();
//! assert_eq!(entries["level"].as_int(), Some(7));
//! assert_eq!(entries[&Text::from("health")].as_int(), Some(100));
//! let inventory = entries["inventory"].as_list().unwrap();
//! assert_eq!(inventory.read()[1].as_string().as_deref(), Some("rope"));
//!
//! drop(health);
//! assert!(entries["health"].is_none()); // freed, so nothing
//! ```
//!
//! # The nouns
//!
//! | | |
//! |---|---|
//! | [`Item`] | what stands in a collection: owned, watched, a number, or nothing |
//! | [`ArrayList`] | items by number, behind a lock |
//! | [`HashTable`] | items by key, behind a lock |
//! | [`Key`] | what can be looked for, without making an object of it |
//! | [`Items`], [`Entries`] | what is in them, to be read |
//! | [`ListWriter`], [`TableWriter`] | the same, to be changed |
//! | [`Pointer`], [`Nested`] | the way to an item deep inside, and what goes it |
//! | [`Refused`] | why a collection can't stand there |
//!
//! # Circles
//!
//! A collection that owns itself, directly or through others, would never be freed. So none is put where that would happen:
//! it is [`Refused`]. Collections that watch each other by handles are no circle. An object of another class, which owns
//! collections in its fields, can't be looked into.
//!
//! # Depth
//!
//! Freeing, comparing and the search for circles take no stack for the depth of a structure.
//!
//! Most programs have this crate as `acedia::collections` of the facade, whose guide begins with `docs/first-pool.md`.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "json"),
    allow(
        dead_code,
        reason = "tables that share their keys, and collections made of items at once, are for JSON alone"
    )
)]

mod array_list;
mod collection;
mod error;
mod few;
mod hash;
mod hash_table;
mod item;
#[cfg(feature = "json")]
pub mod json;
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
pub use item::{Item, View};
pub use key::Key;
pub use nested::{Nested, NestedError};
pub use pointer::Pointer;
#[cfg(feature = "serde")]
pub use serde::Tagged;
