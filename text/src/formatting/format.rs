//! [`Format`]: the format of one character.

use std::fmt;

use crate::Color;

/// The format of a character: a color, or plain.
///
/// ```
/// use acedia_text::{Color, Format};
///
/// let red = Format::from(Color::rgb(255, 0, 0));
/// assert_eq!(red.color(), Some(Color::rgb(255, 0, 0)));
/// assert_eq!(Format::PLAIN.or(red), red);
/// assert_eq!(Format::default(), Format::PLAIN);
/// ```
///
/// Two formats are equal if both are plain, or both have the same color, opacity included. A format has 5 bytes.
#[doc(alias("Formatting", "IsFormattingEqual", "isColored"))]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Format {
    color: Option<Color>,
}

const _: () = assert!(size_of::<Format>() == 5);

impl Format {
    /// No color.
    #[doc(alias = "EmptyFormatting")]
    pub const PLAIN: Self = Self { color: None };

    /// The format with this color.
    #[doc(alias = "FormattingFromColor")]
    #[must_use]
    pub const fn colored(color: Color) -> Self {
        Self { color: Some(color) }
    }

    /// The color, or `None` if the format is plain.
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        self.color
    }

    /// Whether there is no color.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        self.color.is_none()
    }

    /// This format, or `default` if this one is plain.
    #[must_use]
    pub const fn or(self, default: Self) -> Self {
        if self.is_plain() { default } else { self }
    }
}

impl fmt::Display for Format {
    /// Prints `rgb(255,0,0)` or `plain`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.color {
            Some(color) => fmt::Display::fmt(&color, f),
            None => f.pad("plain"),
        }
    }
}

impl fmt::Debug for Format {
    /// Prints `Format(rgb(255,0,0))` or `Format(plain)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({self})")
    }
}

impl From<Color> for Format {
    fn from(color: Color) -> Self {
        Self::colored(color)
    }
}

impl From<Option<Color>> for Format {
    fn from(color: Option<Color>) -> Self {
        Self { color }
    }
}
