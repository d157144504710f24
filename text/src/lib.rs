#![doc = include_str!("../README.md")]
//!
//! # What to use
//!
//! | To | Use |
//! |---|---|
//! | keep a text that never changes | [`Text`], an object |
//! | change a text that several owners see | [`MutableText`], an object with a lock |
//! | build a text, and find all operations on texts | [`BaseText`], the value inside both |
//! | pass strings, characters and texts to these operations | [`Content`] |
//! | convert one kind into another, without a copy if the object is not shared | [`IntoText`] |
//! | colour code points | [`Character`], [`Format`], [`Color`] |
//! | choose how characters are compared | [`Matching`] |
//! | make a constant once | [`text!`], [`formatted!`], [`CachedText`]; one object for each string: [`TextCache`] |
//! | compare names by one word | [`Name`], kept in use by a [`NameOwner`] |
//! | read a text step by step, or fill one in | [`Parser`], [`Template`] |
//! | decode UTF-8 that arrives in pieces | [`Utf8Decoder`] |
//!
//! # Cost
//!
//! A text is UTF-8: up to 28 bytes in the object, a longer one in memory that the object keeps from life to life (up to 4 KiB).
//! In a text of more than 64 bytes, the length and the positions of code points are found by an index, which the first request
//! makes. Plain text stores no formatting. Searching, comparing and replacing are linear.
//!
//! # Not supported
//!
//! * Normalization and grapheme clusters: a position counts code points, and texts are equal if their code points are.
//! * Rules of a language: letters change case one for one, by Unicode's simple mapping, and texts are ordered by code points.
//! * Regular expressions: [`BaseText::find`] looks for a fixed part, and a [`Parser`] reads step by step.
//! * Formats other than colours.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod base;
mod buffer;
mod cache;
mod case;
mod character;
mod chars;
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
mod name;
mod number;
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
pub use chars::{Characters, Chars};
pub use content::Content;
pub use formatting::{Color, ColorError, Format, MarkupError, MarkupErrorKind, markup_errors};
pub use into_text::IntoText;
pub use malformed::MalformedMarkup;
pub use matching::{Case, Formats, Matching};
pub use mutable::MutableText;
pub use name::{Name, NameOwner};
pub use parser::{ParseError, Parser, Sign};
pub use part::Part;
pub use split::Split;
pub use template::Template;
pub use text::{Text, exact_hash, inexact, is_exact, key_hash};
pub use text_cache::TextCache;
pub use utf8::{Utf8Decoder, Utf8Error, Utf8ErrorKind};
