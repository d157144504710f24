//! Objects of classes: the trait that makes a type a class, and the owners, handles and guards of its objects.
//!
//! It may use all other folders. The engine (`pool`) manages slots. `class` manages classes as values, without their Rust
//! types. This folder connects slots and classes, once for each type.
//!
//! ```text
//! declare: class! ──► ClassStorage<T>: Class + Pool<T, OfClass>       object: the trait, and the structs that it names
//!                        │ allocate
//!                        ▼
//!         Owned<T> ── handle ──► Handle<T> ── get, guard ──► &T, Guard<T>
//!            │ into_any             │ to_any
//!            ▼                      ▼
//!         AnyOwned ── handle ──► AnyHandle ── downcast ──► Handle<T>
//!
//! memory: functions over all classes
//! ```

mod any;
mod declare;
mod handle;
mod leaks;
mod memory;
#[allow(clippy::module_inception, reason = "a room is named after its noun")]
mod object;
mod owned;
#[cfg(feature = "serde")]
mod serde;

pub use any::{AnyHandle, AnyOwned};
pub use declare::TheTypeHasNoFunctionOfThisName;
pub use leaks::{KeptObjects, Leak, Leaks, assert_no_leaks, leaks};
pub use memory::{collect_garbage, reuse_with};
pub use object::{ClassStorage, Family, Object};
