//! Lock-free object pools with handles that never dangle.
//!
//! A *class* is a Rust type whose objects live in a pool of their own. [`Owned`] is responsible for an object, and frees it
//! when the last one is dropped. [`Handle`] is eight bytes, may be copied anywhere, and leads to nothing from the moment the
//! object is freed, on every thread, for ever. The next object of the class takes over the memory of the last one, with
//! whatever buffers that has grown.
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
//!     /// Opens every life: the trail is emptied, and its buffer used again.
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
//! # Where to go on
//!
//! | | | feature |
//! |---|---|---|
//! | [`Object`], [`Owned`], [`Handle`], [`pin`] | classes and their objects; [`derive(Object)`](derive@Object) and [`class!`] make a class | |
//! | [`pool`] | the engine below them: pools without classes | |
//! | [`text`] | text of any script, with colours, as objects and as plain values | `text` |
//! | [`signals`] | signals whose connections end with their receiver's life | `signals` |
//! | [`actors`] | levels of actors by the rules of Unreal Engine 1, 2 and 3 | `actors` |
//! | [`Config`] | limits of pools from a file | `config` |
//! | `boxes` | numbers, strings and arrays of them as objects | `boxes`, not by default |
//! | `collections` | lists and tables of any objects | `collections`, not by default |
//! | `collections::json` | JSON as lists and tables | `json`, not by default |
//!
//! Three more features are off by default: `serde` (owners, texts, boxes and collections in any format), `tracing` (warnings of
//! actors as its events), `simd` (AVX2 for the hashes of long texts). `full` is all of them.
//!
//! The guide is in `docs/` of the repository: it begins with `docs/first-pool.md`. What these pages call *the original* is Acedia, a
//! library for UnrealScript: its names lead here by the search, and `docs/porting.md` says what stands in their place.
//!
//! Each of these is a crate of its own, which this one re-exports; [`prelude`] has the names that most programs want.
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
///         self.seen_by.clear(); // must not wait for the next life
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
/// A class of values that says nothing of their hash does not compile, nor one whose name has no package:
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

/// The examples of the README, held to what compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

#[cfg(doctest)]
mod guide;
