//! How items and collections print themselves.

mod debug;
mod depth;
mod display;
