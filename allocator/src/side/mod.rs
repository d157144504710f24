//! Side maps: values of the objects of a pool or class, by handle.
//!
//! This folder may import all others.
//!
//! ```text
//! lives: has the life of this handle ended? ──► map: SecondaryMap ◄── store: entries by slot, in pages
//! ```

mod lives;
mod map;
mod store;

pub use lives::Lives;
pub use map::SecondaryMap;
