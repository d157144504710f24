//! Lock-free object pools with handles that never dangle.
//!
//! A *class* is a Rust type whose objects live in a pool of their own. An [`Owned`] owns an object; dropping the last owner
//! frees it. A [`Handle`] is eight bytes and may be copied anywhere. Once the object is freed, each of its handles reads as
//! nothing, on every thread, for ever. The next object of the class reuses the memory and the buffers.
//!
//! The [guide](../../../docs/README.md) is in the folder `docs/` of the repository. It begins with
//! [your first pool](../../../docs/first-pool.md). (The links to `docs/` work only in documentation that was built in a clone.)
//!
//! ```
//! use acedia::prelude::*;
//!
//! #[derive(Default, Object)]
//! #[object(name = "Doc.Rocket", constructor = start)]
//! struct Rocket {
//!     trail: Vec<[f32; 3]>,
//! }
//!
//! impl Rocket {
//!     /// Runs at the start of every life: empties the trail and keeps its buffer.
//!     fn start(&mut self) {
//!         self.trail.clear();
//!     }
//! }
//!
//! let rocket: Owned<Rocket> = Rocket::allocate();
//! let target: Handle<Rocket> = rocket.handle();
//! assert!(target.get(&pin()).is_some());
//! drop(rocket);
//! assert!(target.get(&pin()).is_none());
//! ```
//!
//! # Contents
//!
//! | | | feature |
//! |---|---|---|
//! | [`Object`], [`Owned`], [`Handle`], [`pin`] | classes and their objects; [`derive(Object)`](derive@Object) and [`class!`] make a class | |
//! | [`pool`] | the engine below them: pools without classes | |
//! | [`Config`] | limits of pools from a file | `config` |
//! | [`text`] | text of any script, with colours, as objects and as plain values | `text` |
//! | [`signals`] | signals whose connections end with their receiver's life | `signals` |
//! | [`actors`] | levels of actors by the rules of Unreal Engine 1, 2 and 3 | `actors` |
//! | [`boxes`] | numbers, strings and arrays of them as objects | `boxes` |
//! | [`collections`] | lists and tables of any objects | `collections` |
//! | [`mod@collections::json`] | JSON as lists and tables | `json` |
//!
//! This crate re-exports the others of the workspace. [`prelude`] has the names that most programs use.
//!
//! # Features
//!
//! No feature is on by default; the first two rows of the table need none. Six features add no module. `serde` reads and
//! writes owners, texts, boxes, collections and levels of actors in any self-describing format of that library. `tracing` emits the warnings of
//! actors as events of that library. `stream` makes the emissions of signals asynchronous streams. `simd` hashes long texts with
//! AVX2. `rayon` iterates over living objects on several threads (`par_iter`). `count-refused` counts the reads that found no object
//! (`Stats::refused`). `full` is all features but `count-refused`.
//!
//! # Names of the original
//!
//! These pages call Acedia, a library for UnrealScript, *the original*. Search this documentation for its names;
//! [the chapter on porting](../../../docs/porting.md) lists their replacements.
//!
// If a feature is off, its links in the table lead to the section on features.
#![cfg_attr(not(feature = "json"), doc = "[`mod@collections::json`]: #features")]
#![cfg_attr(not(feature = "config"), doc = "[`Config`]: #features")]
#![cfg_attr(not(feature = "text"), doc = "[`text`]: #features")]
#![cfg_attr(not(feature = "signals"), doc = "[`signals`]: #features")]
#![cfg_attr(not(feature = "actors"), doc = "[`actors`]: #features")]
#![cfg_attr(not(feature = "boxes"), doc = "[`boxes`]: #features")]
#![cfg_attr(not(feature = "collections"), doc = "[`collections`]: #features")]
#![forbid(unsafe_code)]

#[cfg(feature = "actors")]
pub use acedia_actors as actors;
pub use acedia_allocator::*;
#[cfg(feature = "boxes")]
pub use acedia_boxes as boxes;
#[cfg(feature = "collections")]
pub use acedia_collections as collections;
/// Every option, and a class of values:
///
/// ```
/// use acedia::kind::combine_hash;
/// use acedia::prelude::*;
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
/// # use acedia::prelude::*;
/// #[derive(Default, PartialEq, Object)]
/// #[object(name = "Doc.Point", kind = value)]
/// struct Point(i32, i32);
/// ```
/// ```compile_fail,E0080
/// # use acedia::prelude::*;
/// #[derive(Default, Object)]
/// #[object(name = "Smoke")]
/// struct Smoke;
/// ```
pub use acedia_macros::Object;
#[cfg(feature = "signals")]
pub use acedia_signals as signals;
#[cfg(feature = "text")]
pub use acedia_text as text;

pub mod prelude;

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(doctest)]
mod guide;
