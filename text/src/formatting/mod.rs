//! Formatting: colors, and which characters of a text have which.

mod color;
mod format;
mod runs;

pub use color::Color;
pub use format::Format;
pub(crate) use runs::Runs;
