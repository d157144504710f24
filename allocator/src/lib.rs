//! Lock-free object pools with handles that never dangle.
#![forbid(clippy::undocumented_unsafe_blocks)]

mod error;
mod life_version;
pub mod pool;
mod sync;

pub use error::{AccessError, AllocateError, Reason};
pub use life_version::LifeVersion;
pub use pool::PoolPolicy;
