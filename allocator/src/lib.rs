//! Lock-free object pools with handles that never dangle.
#![forbid(clippy::undocumented_unsafe_blocks)]

mod any;
mod class;
mod config;
mod configure;
mod error;
mod guard;
mod handle;
pub mod kind;
mod life_version;
mod memory;
mod near;
mod object;
mod owned;
pub mod pool;
mod registry;
mod reserved;
mod statics;
mod sync;

pub use any::{AnyHandle, AnyOwned};
pub use class::{Class, ClassStorage};
pub use config::{Config, ConfigError, PoolOverride};
pub use configure::{NotApplied, configure};
pub use error::{AccessError, AllocateError, Reason};
pub use guard::Guard;
pub use handle::Handle;
pub use kind::Kind;
pub use life_version::LifeVersion;
pub use memory::{
    Freeable, Pools, ReferenceError, allocate, allocate_by_reference, allocate_fresh, allocate_with, collect_garbage,
    free, free_all, try_allocate, try_allocate_fresh, try_allocate_with,
};
pub use object::{Family, Object};
pub use owned::Owned;
pub use pool::{Pinned, PoolPolicy, Reclaimed, Stats, pin};
pub use registry::{ClassError, classes, load_class};
pub use reserved::{Reserved, reserve, try_reserve};
pub use statics::shutdown;

/// For the expansion of this crate's macros.
#[doc(hidden)]
pub mod __private {
    pub use crate::registry::Registration;
    pub use inventory;
}
