#![doc = include_str!("../README.md")]
//!
//! # What to use
//!
//! | To | Use |
//! |---|---|
//! | store a text that never changes | [`Text`], an object |
//! | share a text that changes | [`MutableText`], an object with a lock |
//! | build a text, or look up the operations on texts | [`BaseText`], the value inside `Text` and `MutableText` |
//! | pass strings, characters and texts to these operations | [`Content`] |
//! | convert one kind of text into another, without a copy if the object is not shared | [`IntoText`] |
//! | color characters | [`Character`], [`Format`], [`Color`] |
//! | choose how characters are compared | [`Matching`] |
//! | make a constant once | [`text!`], [`formatted!`], [`CachedText`] |
//! | keep one object for each string | [`TextCache`] |
//! | parse a text step by step | [`Parser`] |
//! | fill in a text with arguments | [`Template`] |
//! | decode UTF-8 that arrives in pieces | [`Utf8Decoder`] |
//!
//! # Cost
//!
//! A text is stored as UTF-8: up to 28 bytes in the object, a longer text in a separate buffer. When a text is freed, a buffer of
//! up to 4 KiB stays in its slot for the next text. A text of more than 64 bytes has an index, built on first use, for its length
//! and positions. Plain text stores no formatting. Searching, comparing and replacing take linear time.
//!
//! # Not supported
//!
//! * Normalization and grapheme clusters: positions count code points, and texts are compared by code points.
//! * Language-specific rules: case mapping is the simple mapping of Unicode 16, one code point for one, and texts are ordered by
//!   code points.
//! * Regular expressions: [`BaseText::find`] searches for a fixed text, and a [`Parser`] reads step by step.
//! * Formats other than colors.
//! * Interned strings, which are compared as one integer: `ustr` keeps them for the rest of the process, `lasso` in an interner
//!   that you drop.
#![doc(html_root_url = "https://docs.rs/acedia-text/latest")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

mod base;
mod buffer;
mod cache;
mod case;
mod character;
mod chars;
mod constructors;
mod content;
mod copies;
mod formatting;
mod hash;
mod index;
mod into_text;
mod lock;
mod malformed;
mod matching;
mod mutable;
mod parser;
mod part;
mod places;
#[cfg(feature = "serde")]
mod serde;
mod split;
mod template;
mod text;
mod text_cache;
mod utf8;

pub use base::BaseText;
pub use cache::CachedText;
pub use character::Character;
pub use chars::Characters;
pub use content::Content;
pub use formatting::{Color, ColorError, Format, MarkupError, MarkupErrorKind, markup_errors};
#[doc(hidden)]
pub use hash::Keyed;
pub use hash::{exact_hash, inexact, is_exact};
pub use into_text::IntoText;
pub use malformed::MalformedMarkup;
pub use matching::{Case, Formats, Matching};
pub use mutable::MutableText;
pub use parser::{ParseError, Parser, Sign};
pub use part::Part;
pub use split::Split;
pub use template::Template;
pub use text::{Text, key_hash};
pub use text_cache::TextCache;
pub use utf8::{Utf8Decoder, Utf8Error, Utf8ErrorKind};
