//! What every public type of the crates says when it is printed, as a failing test does. A type that is not here fails.

mod actors;
mod allocator;
mod boxes;
mod collections;
mod shown;
mod signals;
mod text;
