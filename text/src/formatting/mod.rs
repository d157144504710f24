//! Formatting: colors, the formats of characters, and the strings that contain them.

mod color;
pub(crate) mod colored;
mod excerpt;
mod format;
pub(crate) mod markup;
mod palette;
mod runs;

pub use color::{Color, ColorError};
pub(crate) use excerpt::Excerpt;
pub use format::Format;
pub use markup::{MarkupError, MarkupErrorKind, markup_errors};
pub(crate) use runs::{Runs, Spans};
