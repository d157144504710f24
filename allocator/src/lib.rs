//! Lock-free object pools with handles that never dangle.
//!
//! Game objects die under each other's noses: a missile follows a pawn that was killed a moment ago, on another thread.
//! Here that is no bug but a case to be handled. A *class* is a Rust type whose objects live in a pool of their own; an
//! object has a single story:
//!
//! ```text
//! allocate ─► handle ─► access ─► free ─► recycle
//!                          │        │
//!                          │        └─ its handles lead to nothing from this moment, on every thread, for ever
//!                          └─ a few plain loads
//! ```
//!
//! ```
//! use acedia_allocator::{Handle, Object, Owned, class, pin};
//!
//! #[derive(Default)]
//! struct Pawn {
//!     health: i32,
//!     trail: Vec<[f32; 3]>,
//! }
//!
//! impl Object for Pawn {
//!     class!(Pawn, "Game.Pawn");
//!     // Opens every life. The trail is emptied, and its buffer used again.
//!     fn constructor(&mut self) {
//!         self.health = 100;
//!         self.trail.clear();
//!     }
//! }
//!
//! let pawn: Owned<Pawn> = Pawn::allocate();
//! let target: Handle<Pawn> = pawn.handle(); // 8 bytes: copy it, store it, send it
//!
//! let missile = std::thread::spawn(move || {
//!     let pinned = pin(); // "this thread is reading"
//!     target.get(&pinned).map(|pawn| pawn.health)
//! });
//! missile.join().unwrap();
//!
//! drop(pawn); // freed
//! assert!(target.get(&pin()).is_none());
//! ```
//!
//! # The nouns
//!
//! | | |
//! |---|---|
//! | [`Object`] | a type that is a class: constructor, finalizer, [`Kind`], [`PoolPolicy`] |
//! | [`Class`] | a class as a value: its name, its numbers; found by name with [`load_class`] |
//! | [`Owned`], [`AnyOwned`] | responsible for an object; the last one that is dropped frees it |
//! | [`Handle`], [`AnyHandle`] | leads to an object while its life goes on, and to nothing after that |
//! | [`Pinned`], [`Guard`] | reading: many objects on this thread, or one across threads and `await` |
//! | [`Reserved`] | a handle whose object comes later |
//! | [`LifeVersion`] | which of its lives a slot is in; never repeats |
//! | [`pool::Pool`] | the engine: the same without classes, as an ordinary value |
//!
//! And the verbs: [`allocate`], [`free`], [`collect_garbage`], [`configure`], [`shutdown`].
//!
//! # What it costs
//!
//! Allocating and freeing take no locked instruction as long as a thread frees what it allocated; reading through a handle
//! under a pin takes four loads. An object has 8 bytes beside it, rounded to its alignment; one of a class of
//! values 8 more, for its hash. Objects that can be seen cannot be changed, as behind an `Arc`: what changes is behind a lock or atomic, or is changed by its only owner
//! ([`Owned::get_mut`], [`Owned::exclusive`]).
//!
//! Most programs have this crate through the facade `acedia`, whose guide begins with `docs/first-pool.md`.
#![forbid(clippy::undocumented_unsafe_blocks)]

mod class;
#[cfg(doctest)]
mod compile_fail;
#[cfg(feature = "config")]
mod config;
mod error;
mod hint;
pub mod kind;
mod life_version;
#[cfg(all(test, not(acedia_loom)))]
mod litmus;
mod lock;
#[cfg(all(test, acedia_loom))]
mod models;
mod near;
mod object;
mod panics;
pub mod pool;
#[cfg(all(test, unix, not(any(miri, acedia_loom))))]
#[path = "../tests/support/mod.rs"]
mod support;
mod sync;

pub use class::{Class, ClassError, classes, load_class, shutdown};
#[cfg(feature = "config")]
pub use class::{NotApplied, configure};
#[cfg(feature = "config")]
pub use config::{Config, ConfigError, PoolOverride};
pub use error::{AccessError, AllocateError, Reason};
pub use kind::Kind;
pub use life_version::LifeVersion;
pub use object::{
    AnyHandle, AnyOwned, ClassStorage, Family, Freeable, Guard, Handle, Object, Owned, Pools, ReferenceError, Reserved,
    allocate, allocate_by_reference, allocate_fresh, allocate_with, collect_garbage, free, free_all, reserve,
    try_allocate, try_allocate_fresh, try_allocate_with, try_reserve,
};
pub use pool::{Pinned, PoolPolicy, Reclaimed, Stats, pin};

/// For the expansion of this crate's macros, and for the crates of this workspace.
#[doc(hidden)]
pub mod __private {
    pub use crate::class::Registration;
    pub use crate::hint::uncommon;
    pub use crate::lock::{Lock, Reading, Subject, Writing};
    pub use crate::near::{near_matches, suggestion};
    pub use crate::object::reuse_with;
    pub use crate::panics::{FirstPanic, contain, drop_all};
    #[cfg(acedia_loom)]
    pub use crate::pool::exit_thread;
    #[cfg(acedia_loom)]
    pub use crate::sync::loads_are_rmw;
    pub use inventory;
}
