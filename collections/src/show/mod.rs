//! Printing items and collections with `{}` and `{:?}`.

mod debug;
mod depth;
#[cfg(feature = "json")]
mod display;
