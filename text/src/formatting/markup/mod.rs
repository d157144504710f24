//! Markup: formats written into the text. [`markup_errors`] describes the notation.
//!
//! An error reports a malformed part, the text omits it, and reading goes on after it. Reading takes one pass over the source and
//! one over the text. Open blocks are on an explicit stack, so their depth is not limited.

mod error;
mod gradient;
mod read;
mod special;
mod write;

pub use error::{MarkupError, MarkupErrorKind};
pub use read::markup_errors;
pub(crate) use read::parse;
pub(crate) use write::write;
