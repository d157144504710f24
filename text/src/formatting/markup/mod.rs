//! Markup: formatting written into the text. The notation stands at [`markup_errors`].
//!
//! Everything is text, malformed markup too: an error says what was not understood, and the rest is read on. One pass
//! over the source, one over the text; open blocks wait on a stack of their own, so it doesn't matter how deep they
//! are.

mod error;
mod gradient;
mod read;
mod special;
mod write;

pub use error::{MarkupError, MarkupErrorKind};
pub use read::markup_errors;
pub(crate) use read::parse;
pub(crate) use write::write;
