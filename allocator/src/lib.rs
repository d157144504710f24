//! Lock-free object pools with handles that never dangle.
//!
//! In games, servers and editors, objects refer to other objects that any thread may free at any moment: a missile follows
//! a pawn that was just killed. With this crate, a read through a stale reference returns `None`. A *class* is a Rust type
//! whose objects live in a pool of their own. The life of an object:
//!
//! ```text
//! allocate ─► handle ─► access ─► free ─► recycle
//!                          │        │
//!                          │        └─ from now on its handles read as nothing, on every thread, for ever
//!                          └─ a few plain loads
//! ```
//!
//! ```
//! use acedia::{Handle, Object, Owned, class, pin};
//!
//! #[derive(Default)]
//! struct Pawn {
//!     health: i32,
//!     trail: Vec<[f32; 3]>,
//! }
//!
//! impl Object for Pawn {
//!     class!(Pawn, "Game.Pawn");
//!     // Runs at the start of every life. The trail is emptied, and its buffer stays.
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
//! # Types and functions
//!
//! | | |
//! |---|---|
//! | [`Object`] | a type that is a class: constructor, finalizer, [`Kind`], [`PoolPolicy`] |
//! | [`Class`] | a class as a value: its name, its numbers; found by name with [`load_class`] |
//! | [`Owned`], [`AnyOwned`] | owns an object; dropping the last owner frees it |
//! | [`Handle`], [`AnyHandle`] | reads an object until its life ends, and nothing after that |
//! | [`Pinned`], [`Guard`] | protects reads: of many objects on this thread, or of one object across threads and `await` |
//! | [`Reserved`] | a slot with a handle, whose object is made later |
//! | [`SecondaryMap`], [`SparseSecondaryMap`] | values beside objects, by handle, until their lives end |
//! | [`LifeVersion`] | the number of a life; a slot never repeats one |
//! | [`pool::Pool`] | the engine: a pool without a class, as an ordinary value |
//!
//! Functions: [`allocate`], [`free`], [`collect_garbage`], [`leaks`], [`configure`], [`shutdown`].
//!
//! # Cost
//!
//! If the same thread allocates and frees an object, neither takes a locked instruction. A read through a handle, under a pin,
//! takes four loads. The pool adds 8 bytes to each object, rounded up to the object's alignment. A class of kind `Value` adds
//! another 8 bytes, for the hash.
//!
//! As behind an `Arc`, a shared object cannot be changed through `&mut`. Put a field that changes behind a lock or into an
//! atomic, or change the object through its only owner ([`Owned::get_mut`], [`Owned::exclusive`]).
//!
//! # Sandboxes
//!
//! On Linux a process that uses pools and later enters a sandbox without the system call `membarrier` calls
//! [`pool::avoid_membarrier`] first, or it aborts.
#![forbid(clippy::undocumented_unsafe_blocks)]
// The engine's access to loom's own words needs it; shuttle's words have no such access.
#![cfg_attr(all(acedia_loom, feature = "shuttle"), allow(unused_unsafe))]

#[cfg(all(acedia_loom, not(any(feature = "loom", feature = "shuttle"))))]
compile_error!("`--cfg acedia_loom` needs the feature `loom` or `shuttle`");

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
#[cfg(acedia_loom)]
pub mod modelling;
#[cfg(all(acedia_loom, feature = "loom"))]
#[doc(hidden)]
pub mod models;
mod near;
mod object;
mod over;
mod panics;
mod policy;
pub mod pool;
mod room;
mod side;
mod statistic;
#[cfg(all(test, unix, not(any(miri, acedia_loom))))]
#[path = "../tests/support/mod.rs"]
mod support;
mod sync;

/// Every option, and a class of values:
///
/// ```
/// use acedia::kind::combine_hash;
/// use acedia::{Object, Owned, PoolPolicy};
///
/// #[derive(Default, Object)]
/// #[object(name = "Doc.Trail", pool = keep_at_most(100), constructor = start, finalizer = Self::forget)]
/// #[object(static_constructor = announce, static_finalizer = announce)]
/// struct Trail {
///     points: Vec<[i32; 2]>,
///     seen_by: Vec<Owned<Point>>,
/// }
///
/// impl Trail {
///     fn start(&mut self) {
///         self.points.clear(); // and keep their memory
///     }
///     fn forget(&mut self) {
///         self.seen_by.clear(); // frees the points now, not at the next life
///     }
///     fn announce() {}
/// }
///
/// #[derive(Default, PartialEq, Object)]
/// #[object(name = "Doc.Point", kind = value, hash = hash)]
/// struct Point(i32, i32);
///
/// impl Point {
///     fn hash(&self) -> i32 {
///         combine_hash(self.0, self.1)
///     }
/// }
///
/// let point = || Point::allocate_with(|it| *it = Point(3, 4));
/// assert!(point() == point());
/// assert_eq!(Trail::class().policy(), PoolPolicy::KeepAtMost(100));
/// ```
///
/// A class of values without a hash does not compile. Neither does a class whose name has no package:
///
/// ```compile_fail,E0277
/// # use acedia::Object;
/// #[derive(Default, PartialEq, Object)]
/// #[object(name = "Doc.Point", kind = value)]
/// struct Point(i32, i32);
/// ```
/// ```compile_fail,E0080
/// # use acedia::Object;
/// #[derive(Default, Object)]
/// #[object(name = "Smoke")]
/// struct Smoke;
/// ```
pub use acedia_macros::Object;
pub use class::{Class, ClassError, classes, load_class, shutdown};
#[cfg(feature = "config")]
pub use class::{NotApplied, configure};
#[cfg(feature = "config")]
pub use config::{Config, ConfigError, PoolOverride};
pub use error::{AccessError, AllocateError, Reason};
pub use kind::Kind;
pub use life_version::LifeVersion;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use object::SavedKeyError;
pub use object::{
    AnyHandle, AnyOwned, Casts, ClassStorage, DynHandle, Family, Freeable, FromItems, Guard, Handle, Leak, Leaks,
    Object, Owned, Pools, ReferenceError, Reserved, allocate, allocate_by_reference, allocate_fresh, allocate_many,
    allocate_with, allocate_with_handle, assert_no_leaks, collect_garbage, free, free_all, leaks, reserve,
    try_allocate, try_allocate_fresh, try_allocate_with, try_reserve,
};
pub use pool::{Pinned, PoolPolicy, Reclaimed, Stats, pin};
pub use side::{Lives, SecondaryMap, SideMap, SparseSecondaryMap};
pub use statistic::{Statistic, Unit};

/// For the expansion of this crate's macros, and for the crates of this workspace.
#[doc(hidden)]
pub mod __private {
    pub use crate::class::{OtherClasses, Registration};
    pub use crate::hint::uncommon;
    pub use crate::near::{near_matches, suggestion};
    pub use crate::object::{CastRegistration, reuse_with};
    pub use crate::panics::{FirstPanic, contain, drop_all};
    #[cfg(acedia_loom)]
    pub use crate::pool::exit_thread;
    pub use crate::pool::{Pins, Thread};
    #[cfg(acedia_loom)]
    pub use crate::sync::loads_are_rmw;
    pub use inventory;
}
