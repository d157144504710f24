//! Naive models of the crates, and drivers that compare them: each fuzz target runs one.

pub mod actors;
pub mod array_ref;
pub mod collections;
pub mod engine;
pub mod handles;
pub mod json;
pub mod markup;
pub mod patch;
pub mod saves;
pub mod text;
