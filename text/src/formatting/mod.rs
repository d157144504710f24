//! Formatting: colors, and which characters of a text have which.

mod color;
pub(crate) mod colored;
mod excerpt;
mod format;
mod palette;
mod runs;

pub use color::{Color, ColorError};
pub use format::Format;
pub(crate) use runs::Runs;
