//! [`Color`]: red, green, blue and alpha, and their notations.

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use super::excerpt::Excerpt;
use super::palette;

/// A color of 8 bits per channel.
///
/// ```
/// use acedia_text::Color;
///
/// let orange = Color::rgb(255, 165, 0);
/// assert_eq!(orange, Color { red: 255, green: 165, blue: 0, alpha: 255 });
/// assert_eq!("$orange".parse(), Ok(orange));
/// assert_eq!(orange.to_string(), "rgb(255,165,0)");
/// ```
///
/// # Notations
///
/// | Notation | Meaning |
/// |---|---|
/// | `rgb(255,165,0)`, `rgba(255,165,0,128)` | the channels |
/// | `rgb(r=255,g=165,b=0)`, `rgba(r=255,g=165,b=0,a=128)` | the channels with their names |
/// | `255,165,0`, `255,165,0,128` | the channels, in short |
/// | `#ffa500` | the channels in hexadecimal |
/// | `$orange` | a color with a name: see [`named`](Self::named) |
///
/// Case is ignored. Spaces are not allowed. A color without alpha is opaque. A channel above 255 counts as 255.
/// Printing uses the first notation, with alpha only if the color is not opaque.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity: 255 is opaque.
    pub alpha: u8,
}

impl Color {
    /// An opaque color.
    #[must_use]
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self::rgba(red, green, blue, u8::MAX)
    }

    /// A color with an opacity, from 0 to 255.
    #[must_use]
    pub const fn rgba(red: u8, green: u8, blue: u8, alpha: u8) -> Self {
        Self {
            red,
            green,
            blue,
            alpha,
        }
    }

    /// The color with this name of CSS (148 names), in any case.
    ///
    /// ```
    /// use acedia_text::Color;
    ///
    /// assert_eq!(Color::named("LimeGreen"), Some(Color::rgb(50, 205, 50)));
    /// assert_eq!(Color::named("octarine"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        palette::named(name).map(|[red, green, blue]| Self::rgb(red, green, blue))
    }

    /// The color at the start of `text`, and the text after it.
    pub(super) fn read(text: &str) -> Result<(Self, &str), ColorError> {
        let no_notation = || ColorError::Notation(text.into());
        let Some(name) = text.strip_prefix('$') else {
            return numbers(text).ok_or_else(no_notation);
        };
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let (name, rest) = name.split_at(end);
        match Self::named(name) {
            Some(color) => Ok((color, rest)),
            None if name.is_empty() => Err(no_notation()),
            None => Err(ColorError::Name(name.into())),
        }
    }
}

impl FromStr for Color {
    type Err = ColorError;

    /// Parses any of the [notations](Color#notations).
    fn from_str(text: &str) -> Result<Self, ColorError> {
        match Self::read(text)? {
            (color, "") => Ok(color),
            (_, rest) => Err(ColorError::Rest(rest.into())),
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            red,
            green,
            blue,
            alpha,
        } = *self;
        match alpha {
            u8::MAX => write!(f, "rgb({red},{green},{blue})"),
            _ => write!(f, "rgba({red},{green},{blue},{alpha})"),
        }
    }
}

/// The reason why a text is not a color.
///
/// ```
/// use acedia_text::{Color, ColorError};
///
/// let error = "$octarine".parse::<Color>().unwrap_err();
/// assert_eq!(error, ColorError::Name("octarine".into()));
/// assert_eq!(error.to_string(), "no color has the name `octarine`");
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColorError {
    /// This text is not in any of the notations.
    Notation(Box<str>),
    /// No color has this name.
    Name(Box<str>),
    /// This text follows a color and is not part of it.
    Rest(Box<str>),
}

impl fmt::Display for ColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Notation(text) => write!(
                f,
                "expected a color such as `rgb(255,0,0)`, `255,0,0`, `#ff0000` or `$red`, found `{}`",
                Excerpt(text)
            ),
            Self::Name(name) => write!(f, "no color has the name `{}`", Excerpt(name)),
            Self::Rest(rest) => write!(f, "expected the end of the color, found `{}`", Excerpt(rest)),
        }
    }
}

impl std::error::Error for ColorError {}

/// A color by its channels, and the text after it.
fn numbers(text: &str) -> Option<(Color, &str)> {
    if let Some(digits) = text.strip_prefix('#') {
        return hexadecimal(digits);
    }
    if let Some(list) = after(text, "rgba(") {
        let ([red, green, blue, alpha], rest) = channels(list)?;
        return Some((Color::rgba(red, green, blue, alpha), rest.strip_prefix(')')?));
    }
    if let Some(list) = after(text, "rgb(") {
        let ([red, green, blue], rest) = channels(list)?;
        return Some((Color::rgb(red, green, blue), rest.strip_prefix(')')?));
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let ([red, green, blue], rest) = channels(text)?;
    let alpha = rest.strip_prefix(',').and_then(channel);
    let (alpha, rest) = alpha.unwrap_or((u8::MAX, rest));
    Some((Color::rgba(red, green, blue, alpha), rest))
}

/// Six hexadecimal digits.
fn hexadecimal(text: &str) -> Option<(Color, &str)> {
    let (digits, rest) = text.split_at_checked(6)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some((Color::rgb(red, green, blue), rest))
}

/// `1,2,3` or `r=1,g=2,b=3`, with `COUNT` channels.
fn channels<const COUNT: usize>(text: &str) -> Option<([u8; COUNT], &str)> {
    let with_names = after(text, "r=").is_some();
    let mut channels = [0; COUNT];
    let mut rest = text;
    for (index, (value, name)) in channels.iter_mut().zip(["r=", "g=", "b=", "a="]).enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(',')?;
        }
        if with_names {
            rest = after(rest, name)?;
        }
        (*value, rest) = channel(rest)?;
    }
    Some((channels, rest))
}

/// A decimal number, limited to 255.
fn channel(text: &str) -> Option<(u8, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    (!digits.is_empty()).then(|| (digits.parse().unwrap_or(u8::MAX), rest))
}

/// The text after `prefix`, which may be in any case.
fn after<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}
