//! Text of any script: as objects of the pools, and as plain values.
//!
//! A game says the same few thousand things all day long. Its texts are made, compared, looked up and dropped by the
//! million, on several threads, and some are in color. Here a text is an object: whoever drops it leaves its memory to the
//! next one, a copy is one owner more, and its hash is computed once.
//!
//! ```
//! use acedia_text::{BaseText, Color, IntoText, Matching, MutableText, Text, formatted, text};
//!
//! // An object that never changes: equal to what has the same content.
//! let name = Text::from("Ĉielarko");
//! assert!(name == Text::from("Ĉielarko"));
//! assert_eq!((name.len(), name.char_at(0)), (8, Some('Ĉ')));
//!
//! // An object that changes: everybody who has it sees the same text.
//! let log = MutableText::from("joined: ");
//! log.write().append(&name).set_format(8.., Color::rgb(255, 0, 0).into());
//! assert_eq!(log.read().to_markup(..), "joined: {rgb(255,0,0) Ĉielarko}");
//!
//! // A value, to build a text in.
//! let mut message = BaseText::from("left: ");
//! message.append(&name).make_uppercase();
//! let message = message.into_text();
//! assert!(message.compare("Left: ĉielarko", Matching::ANY_CASE));
//!
//! // Constants, made once for the place where they stand.
//! let greeting = [text!("hello"), formatted!("{$red hello}")];
//! assert!(greeting[0] == greeting[1]);
//! ```
//!
//! # The nouns
//!
//! | | |
//! |---|---|
//! | [`Text`] | an object that never changes |
//! | [`MutableText`] | an object that does, behind a lock |
//! | [`BaseText`] | the value in both: everything that a text can do |
//! | [`Content`] | what can be put into a text or looked for: strings, characters, texts |
//! | [`Character`], [`Format`], [`Color`] | a code point, and how it is shown |
//! | [`Matching`] | when two characters are the same |
//! | [`IntoText`] | from one kind to another, without copying where nobody else looks |
//! | [`CachedText`] | a constant, and an object for who wants one |
//! | [`Parser`], [`Template`] | reading a text, and filling one in |
//! | [`Utf8Decoder`] | bytes in pieces |
//!
//! # What it costs
//!
//! A look-up by position and a length take no time in any script, because every code point of a text is equally wide: one
//! byte, two or four, whatever its widest one needs. The price is paid once, when text that isn't ASCII is first looked at by
//! characters, or changes. Plain text has no formatting to keep. What is searched, compared or replaced is read once.
//!
//! Most programs have this crate as `acedia::text` of the facade, whose guide begins with `docs/first-pool.md`.
#![forbid(unsafe_code)]

mod base;
mod buffer;
mod cache;
mod case;
mod character;
mod chars;
mod content;
mod copies;
mod display;
mod formatting;
mod hash;
mod into_text;
mod lock;
mod long;
mod malformed;
mod matching;
mod mutable;
mod number;
mod parser;
mod part;
#[cfg(feature = "serde")]
mod serde;
mod short;
mod split;
mod template;
mod text;
mod units;
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
pub use parser::{ParseError, Parser, Sign};
pub use part::Part;
pub use split::Split;
pub use template::Template;
pub use text::{Text, exact_hash, inexact, is_exact, key_hash};
pub use utf8::{Utf8Decoder, Utf8Error, Utf8ErrorKind};
