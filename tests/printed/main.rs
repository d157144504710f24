//! The `{:?}` output of every public type of the crates, as in a failing test. A type that is missing here fails.

mod actors;
mod allocator;
mod boxes;
mod collections;
mod shown;
mod signals;
mod text;
