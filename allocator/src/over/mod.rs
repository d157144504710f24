//! Parts of the public face of a pool that stand above the engine: they call its functions, and know nothing of slots, lists and
//! words. They have no `unsafe`.

pub(crate) mod key_forms;
pub(crate) mod owned_guard;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "plain")]
pub(crate) mod plain;
mod removal;
pub(crate) mod reserved;
mod upkeep;
pub(crate) mod values;
mod waiting;
