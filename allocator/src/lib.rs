#![doc = include_str!("../README.md")]
//!
//! # What to call
//!
//! | To | Call |
//! |---|---|
//! | define a type of objects | [`#[derive(Object)]`](macro@Object), or [`Object`] and [`class!`] |
//! | allocate an object | [`T::allocate`](Object::allocate), [`T::allocate_with`](Object::allocate_with) |
//! | free an object | drop its last [`Owned`] |
//! | refer to an object | [`Owned::handle`] |
//! | read one object | [`Handle::with`] |
//! | read many objects on this thread | [`pin`], then [`Handle::get`] |
//! | keep an object readable across threads or an `await` | [`Handle::guard`] |
//! | learn why a handle is stale | [`Handle::try_get`] |
//! | change an object | [`Owned::get_mut`], [`Owned::exclusive`], or a lock or an atomic in a field |
//! | associate values with objects | [`SecondaryMap`] |
//! | visit all objects that have a handle | [`Pool::iter`], [`Pool::handles`] |
//! | use a pool without a class, as an ordinary value | [`Pool`] |
//! | store values that are dropped at the end of their lives, and not recycled | [`Values`]; if one thread owns the pool, [`add`](Values::add) and [`remove`](Values::remove) |
//! | limit the number of free objects | [`PoolPolicy`], [`configure`] |
//! | return memory | [`collect_garbage`] |
//! | find leaks | [`leaks`] |
//! | pass a handle through C, JSON or a URL | [`Handle::to_bits`], [`Handle::to_safe_integer`], [its text](Handle#impl-LowerHex-for-Handle<T>) |
//! | hold objects of any class | [`AnyOwned`], [`AnyHandle`] |
//! | find a class by its name | [`load_class`] |
//!
//! The guide, [`_guide`], explains them with examples.
//!
//! # Not supported
//!
//! * `no_std`.
//! * Upgrading a handle to an owner, as `Weak` is upgraded to `Rc`.
//! * Sharing a pool between processes, and any call in a forked child of a process that had several threads, before `exec`.
//! * Compaction: a living object never moves.
//! * A sandbox that begins after the first use of a pool and forbids the system call `membarrier`. If your program has such a
//!   sandbox, call [`pool::avoid_membarrier`] before the first use of a pool.
//!
//! # Cost
//!
//! An allocation and a free perform no atomic read-modify-write, except when the thread exchanges a list of up to 255 free objects
//! with other threads, or if the pool has a bound or a limit below 4,096. Once other threads have read through handles, each free in a
//! class with a finalizer costs a fence. In other classes, up to 255 frees share one fence. A read through a handle under a pin takes
//! four loads. Each slot has 8 bytes of overhead, rounded up to the alignment of the object. Guards, clones of owners and cached hashes
//! add 8, 4 and 8 bytes per slot, once used.
#![doc(html_root_url = "https://docs.rs/acedia/latest")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(clippy::undocumented_unsafe_blocks)]
#![deny(clippy::exhaustive_enums, unsafe_code)]
// Some accesses to loom's atomics are `unsafe`, and to shuttle's they are not.
#![cfg_attr(all(acedia_loom, feature = "shuttle"), allow(unused_unsafe))]

#[cfg(all(acedia_loom, not(any(feature = "loom", feature = "shuttle"))))]
compile_error!("`--cfg acedia_loom` needs the feature `loom` or `shuttle`");

#[cfg(all(doc, not(doctest)))]
#[path = "guide.rs"]
pub mod _guide;
mod class;
#[cfg(doctest)]
mod compile_fail;
#[cfg(feature = "config")]
mod config;
#[cfg(feature = "serde")]
mod data;
mod error;
mod hint;
pub mod kind;
mod life_version;
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
#[allow(unsafe_code, reason = "the engine, and no other module of the libraries")]
pub mod pool;
mod report;
mod side;
mod statistic;
#[cfg(all(test, not(acedia_loom)))]
extern crate self as acedia;
#[cfg(all(test, not(acedia_loom)))]
#[path = "../tests/support/mod.rs"]
mod support;
mod sync;

/// Declares a class by attributes. Here with most options, and with `kind = value`:
///
/// ```
/// use acedia::kind::combine_hash;
/// use acedia::{Object, Owned, PoolPolicy};
///
/// #[derive(Default, Object)]
/// #[object(name = "Doc.Trail", pool = keep_at_most(100))]
/// #[object(constructor = start, finalizer = Self::forget)]
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
/// A class with `kind = value` and no hash does not compile. Neither does a class whose name has no package:
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
#[cfg(feature = "config")]
pub use class::configure;
pub use class::{Class, ClassError, classes, load_class, shutdown};
#[cfg(feature = "config")]
pub use config::{Config, ConfigError};
pub use error::{AccessError, AllocateError, Reason};
pub use kind::Kind;
use life_version::LifeVersion;
pub use object::{
    AnyHandle, AnyOwned, ClassStorage, Family, Leak, Leaks, Object, assert_no_leaks, collect_garbage, leaks,
};
pub use over::handle_forms::HandleError;
pub use pool::{Guard, Handle, Owned, Pinned, Pool, PoolPolicy, Reclaimed, Reserved, Stats, Values, pin};
pub use side::{Lives, SecondaryMap};
pub use statistic::Statistic;

/// For the expansion of this crate's macros, and for the crates of this workspace.
#[doc(hidden)]
pub mod __private {
    pub use crate::class::{OtherClasses, Registration};
    #[cfg(feature = "serde")]
    pub use crate::data::{Any, Data, DataError, Depth, Leaf, Reader, View, Writer, visit};
    pub use crate::hint::uncommon;
    pub use crate::near::{near_matches, suggestion};
    pub use crate::object::{KeptObjects, TheTypeHasNoFunctionOfThisName, reuse_with};
    pub use crate::panics::{FirstPanic, contain, drop_all};
    #[cfg(acedia_loom)]
    pub use crate::pool::exit_thread;
    pub use crate::pool::{Participant, Pins};
    #[cfg(acedia_loom)]
    pub use crate::sync::loads_are_rmw;
    pub use inventory;
}
