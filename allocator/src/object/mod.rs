//! Objects of classes: the trait that makes a type a class, and the owners, handles and guards of its objects.
//!
//! It may use all other folders. The engine (`pool`) manages slots; `class` manages classes as values, without their Rust
//! types. Here slots and classes meet, once for each type.
//!
//! ```text
//! declare: class! ──► ClassStorage<T>: Class + Pool<Stored<T>>       object: the trait, and the structs that it names
//!                        │ allocate
//!                        ▼
//!         Owned<T> ── handle ──► Handle<T> ── get, guard ──► &T, Guard<T>
//!            │ into_any             │ as_any
//!            ▼                      ▼
//!         AnyOwned ── handle ──► AnyHandle ── downcast ──► Handle<T>
//!
//! memory: the same as functions, over all classes
//! ```

/// What a handle says of its key, with the class or without.
macro_rules! key_of_handle {
    () => {
        /// The life that the handle names, even if it has ended.
        #[must_use]
        pub const fn life(self) -> LifeVersion {
            self.key.life()
        }

        /// The number of the object's slot. A slot holds at most one living object at a time.
        #[must_use]
        pub const fn index(self) -> u32 {
            self.key.index()
        }

        /// The handle as the engine's key.
        #[must_use]
        pub const fn key(self) -> Key {
            self.key
        }
    };
}

/// What an owner says of the slot and the life of its object, with the type or without.
macro_rules! slot_of_owner {
    () => {
        /// The number of the object's current life.
        #[must_use]
        #[doc(alias = "GetLifeVersion")]
        pub fn life_version(&self) -> LifeVersion {
            self.0.life_version()
        }

        /// The number of the object's slot. No other living object of this copy of acedia has this number.
        #[inline]
        #[must_use]
        pub fn index(&self) -> u32 {
            self.0.index()
        }

        /// How many owners the object has. Exact when no other thread is cloning or dropping one.
        #[must_use]
        #[doc(alias = "_getRefCount")]
        pub fn owners(&self) -> usize {
            self.0.owners()
        }

        /// Whether both owners own the same object.
        #[inline]
        #[must_use]
        pub fn is_same(&self, other: &Self) -> bool {
            self.index() == other.index()
        }
    };
}

mod any;
mod collect;
mod declare;
mod guard;
mod handle;
mod leaks;
mod memory;
#[allow(clippy::module_inception, reason = "a room is named after its noun")]
mod object;
mod owned;
mod reserved;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod saved;
#[cfg(feature = "serde")]
mod serde;

pub use any::{AnyHandle, AnyOwned};
pub use collect::FromItems;
pub use guard::Guard;
pub use handle::Handle;
pub use leaks::{KeptObjects, Leak, Leaks, assert_no_leaks, leaks};
pub use memory::{
    Freeable, Pools, ReferenceError, allocate, allocate_by_reference, allocate_fresh, allocate_many, allocate_with,
    collect_garbage, free, free_all, reuse_with, try_allocate, try_allocate_fresh, try_allocate_with,
};
pub use object::{ClassStorage, Family, Object, Owned};
pub use reserved::{Reserved, allocate_with_handle, reserve, try_reserve};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use saved::SavedKeyError;
