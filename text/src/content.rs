//! [`Content`]: strings, characters and texts, as arguments.

#[cfg(test)]
mod tests;

use acedia::Owned;

use crate::formatting::Runs;
use crate::{BaseText, CachedText, Character, Text};

/// A string, a character or a text that is inserted into a text, compared with a text, or searched for in a text.
///
/// ```
/// use acedia_text::{BaseText, Character, Color, Matching, Text};
///
/// let name = Text::new("Bob");
/// let mut greeting = BaseText::new();
/// greeting
///     .append("Hello, ")
///     .append(&name)
///     .append(Character::new('!', Color::rgb(255, 0, 0).into()));
/// assert_eq!(greeting, "Hello, Bob!");
/// assert!(
///     greeting.starts_with("Hello", Matching::EXACT)
///         && greeting.contains('b', Matching::ANY_CASE)
/// );
/// ```
///
/// Strings and `char`s are plain; texts keep their formats.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made into a text or searched for in a text",
    label = "not a string, a character or a text",
    note = "lock a `MutableText` first: `&*text.read()`",
    note = "print a number first: `&number.to_string()`"
)]
pub trait Content: sealed::Sealed {}

impl<C: sealed::Sealed + ?Sized> Content for C {}

/// The three kinds of content.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    Str(&'a str),
    Char(Character),
    Text(&'a BaseText),
}

impl Piece<'_> {
    /// Whether a string is certainly longer than `len` code points, judged by its bytes: no code point has more than four.
    pub(crate) fn exceeds(self, len: usize) -> bool {
        matches!(self, Self::Str(text) if text.len() / 4 > len)
    }

    /// Applies `look` to the string and the formats of the content.
    pub(crate) fn with<R>(self, look: impl FnOnce(&str, &Runs) -> R) -> R {
        match self {
            Self::Text(text) => look(text.as_str(), text.runs()),
            Self::Str(text) => look(text, &Runs::new()),
            Self::Char(character) => {
                let mut runs = Runs::new();
                runs.push(0, 1, character.format);
                look(character.code.encode_utf8(&mut [0; 4]), &runs)
            }
        }
    }
}

pub(crate) mod sealed {
    use super::Piece;

    pub trait Sealed {
        #[doc(hidden)]
        fn piece(&self) -> Piece<'_>;
    }
}

/// The piece of each kind of content.
macro_rules! contents {
    ($($content:ty: $this:ident => $piece:expr;)*) => {
        $(impl sealed::Sealed for $content {
            #[inline]
            fn piece(&self) -> Piece<'_> {
                let $this = self;
                $piece
            }
        })*
    };
}

contents! {
    str: text => Piece::Str(text);
    String: text => Piece::Str(text);
    char: c => Piece::Char(Character::from(*c));
    Character: character => Piece::Char(*character);
    BaseText: text => Piece::Text(text);
    Text: text => Piece::Text(text);
    Owned<Text>: text => Piece::Text(text);
    CachedText: text => Piece::Text(text);
}

impl<C: sealed::Sealed + ?Sized> sealed::Sealed for &C {
    #[inline]
    fn piece(&self) -> Piece<'_> {
        (**self).piece()
    }
}
