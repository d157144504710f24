//! Markup: formats written into the text. [`markup_errors`] describes the notation.
//!
//! Malformed markup is text, too: an error reports the malformed part, and reading goes on after it. Reading takes one pass over
//! the source and one over the text. Open blocks are on an explicit stack, so their depth is not limited.

mod error;
mod gradient;
mod read;
mod special;
mod write;

pub use error::{MarkupError, MarkupErrorKind};
pub use read::markup_errors;
pub(crate) use read::parse;
pub(crate) use write::write;
