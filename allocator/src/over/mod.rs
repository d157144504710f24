//! Public parts of a pool that are built on the functions of the engine. They do not access slots, lists or words, and contain
//! no `unsafe` code.

pub(crate) mod handle_forms;
#[cfg(feature = "rayon")]
mod parallel;
mod removal;
mod upkeep;
