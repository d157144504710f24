//! Pooled text.
#![forbid(unsafe_code)]

mod base;
mod buffer;
mod cache;
mod case;
mod character;
mod chars;
mod content;
mod display;
mod formatting;
mod hash;
mod into_text;
mod mutable;
mod number;
mod parser;
mod part;
mod template;
mod text;
mod utf8;

pub use base::{BaseText, Case, Formats, Matching, Split};
pub use cache::CachedText;
pub use character::Character;
pub use chars::{Characters, Chars};
pub use content::Content;
pub use formatting::{Color, ColorError, Format, MarkupError, MarkupErrorKind, markup_errors};
pub use into_text::IntoText;
pub use mutable::MutableText;
pub use parser::{ParseError, Parser, Sign};
pub use part::Part;
pub use template::Template;
pub use text::{Text, key_hash};
pub use utf8::{Utf8Decoder, Utf8Error, Utf8ErrorKind};
