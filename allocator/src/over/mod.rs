//! Public parts of a pool that are built on the functions of the engine. They do not access slots, lists and words, and have no
//! `unsafe` code.

pub(crate) mod handle_forms;
#[cfg(feature = "rayon")]
mod parallel;
mod removal;
mod upkeep;
