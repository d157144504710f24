//! Lock-free object pools with handles that never dangle.
//!
//! This crate is the facade: it re-exports the crates of the workspace under one name. Start with the tour of the
//! [object protocol](acedia_allocator), or with [`pool`] if you want a pool without classes. [`text`] and [`boxes`] have the
//! classes for what programs keep most.
//!
//! ```
//! use acedia::{Handle, Object, Owned, class, pin};
//!
//! #[derive(Default)]
//! struct Rocket {
//!     trail: Vec<[f32; 3]>,
//! }
//!
//! impl Object for Rocket {
//!     class!(Rocket, "Doc.Rocket");
//! }
//!
//! let rocket: Owned<Rocket> = Rocket::allocate();
//! let target: Handle<Rocket> = rocket.handle();
//! assert!(target.get(&pin()).is_some());
//! drop(rocket);
//! assert!(target.get(&pin()).is_none());
//! ```

/// Levels of actors, their spawn and destroy sequences, and references to them.
pub use acedia_actors as actors;
pub use acedia_allocator::*;
/// Values among objects: boxes that do not change, refs that do, and arrays of both.
pub use acedia_boxes as boxes;
/// Lists and tables of any objects, nested as you like.
pub use acedia_collections as collections;
/// Signals whose connections end with the life of their receiver.
pub use acedia_signals as signals;
/// Text of any script, as objects and as plain values.
pub use acedia_text as text;

/// The examples of the README, held to what compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(doctest)]
mod guide;
