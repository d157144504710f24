//! Printing items and collections with `{}` and `{:?}`.

mod debug;
mod depth;
