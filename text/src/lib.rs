//! Pooled text.
#![forbid(unsafe_code)]

mod formatting;

pub use formatting::{Color, ColorError, Format, MarkupError, MarkupErrorKind, markup_errors};
