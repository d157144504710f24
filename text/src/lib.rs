//! Text of any script: as objects of the pools, and as plain values.
//!
//! Games make, compare, look up and drop the same few thousand texts millions of times, on several threads, and some of them
//! in color. Here a text is an object of a pool: the next text uses its slot and its memory again, cloning it adds an owner,
//! and its hash is computed once.
//!
//! ```
//! use acedia_text::{BaseText, Color, IntoText, Matching, MutableText, Text, formatted, text};
//!
//! // An object that never changes. Texts with the same content are equal.
//! let name = Text::new("Ĉielarko");
//! assert!(name == Text::new("Ĉielarko"));
//! assert_eq!((name.len(), name.char_at(0)), (8, Some('Ĉ')));
//!
//! // An object that changes. All its owners see the same text.
//! let log = MutableText::new("joined: ");
//! log.write().append(&name).set_format(8.., Color::rgb(255, 0, 0).into());
//! assert_eq!(log.read().to_markup(..), "joined: {rgb(255,0,0) Ĉielarko}");
//!
//! // A value, to build a text in.
//! let mut message = BaseText::from("left: ");
//! message.append(&name).make_uppercase();
//! let message = message.into_text();
//! assert!(message.compare("Left: ĉielarko", Matching::ANY_CASE));
//!
//! // Constants, each made once for its place in the source.
//! let greeting = [text!("hello"), formatted!("{$red hello}")];
//! assert!(greeting[0] == greeting[1]);
//! ```
//!
//! # Types
//!
//! | | |
//! |---|---|
//! | [`Text`] | an object that never changes |
//! | [`MutableText`] | an object that changes, behind a lock |
//! | [`BaseText`] | the value inside both, with all operations on texts |
//! | [`Content`] | strings, characters and texts, as arguments of these operations |
//! | [`Character`], [`Format`], [`Color`] | a code point, and how it is shown |
//! | [`Matching`] | how characters are compared |
//! | [`IntoText`] | from one kind to another, without a copy if the object is not shared |
//! | [`CachedText`], [`TextCache`] | a constant, also available as an object; one object for each string |
//! | [`Name`], [`NameOwner`] | an interned text in eight bytes; keeps one in use |
//! | [`Parser`], [`Template`] | reading a text, and filling one in |
//! | [`Utf8Decoder`] | UTF-8 that arrives in pieces |
//!
//! # Cost
//!
//! A text is UTF-8: up to 36 bytes in the object, a longer one in memory that the object keeps from life to life (up to 4 KiB).
//! In a text of more than 64 bytes, the length and the positions of code points are found by an index, which the first request
//! makes. Plain text stores no formatting. Searching, comparing and replacing are linear.
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
