//! UTF-8: texts to bytes, and bytes in pieces to texts.

#[cfg(test)]
mod tests;

use std::error::Error;
use std::{fmt, mem};

use crate::BaseText;

impl BaseText {
    /// The text as UTF-8.
    #[must_use]
    #[doc(alias = "Encode")]
    pub fn to_utf8(&self) -> Vec<u8> {
        self.as_str().into()
    }

    /// Decodes a text from UTF-8 bytes.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("nǐ hǎo");
    /// assert_eq!(BaseText::from_utf8(&text.to_utf8()), Ok(text));
    /// let error = BaseText::from_utf8(b"10\xb0C").unwrap_err();
    /// assert_eq!(error.to_string(), "byte 2 is not UTF-8");
    /// ```
    ///
    /// # Errors
    ///
    /// The bytes are not valid UTF-8. Overlong forms, surrogates, numbers beyond U+10FFFF, and an incomplete last
    /// character are errors.
    #[doc(alias = "Decode")]
    pub fn from_utf8(bytes: &[u8]) -> Result<Self, Utf8Error> {
        let mut text = Self::new();
        let mut decoder = Utf8Decoder::new();
        decoder.feed(bytes, &mut text)?;
        decoder.finish()?;
        Ok(text)
    }
}

/// Decodes UTF-8 that arrives in pieces, which may end anywhere, even inside a character.
///
/// ```
/// use acedia_text::{BaseText, Utf8Decoder};
///
/// let mut text = BaseText::new();
/// let mut decoder = Utf8Decoder::new();
/// decoder.feed(b"gr\xc3", &mut text)?;
/// decoder.feed(b"\xbcn", &mut text)?;
/// decoder.finish()?;
/// assert_eq!(text, "grün");
/// # Ok::<(), acedia_text::Utf8Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Utf8Decoder {
    /// The number of bytes decoded so far.
    done: u64,
    /// The beginning of an incomplete character.
    cut: Vec<u8>,
    error: Option<Utf8Error>,
}

impl Utf8Decoder {
    /// A decoder that has read nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a piece and adds its characters to a text.
    ///
    /// # Errors
    ///
    /// The bytes are not valid UTF-8. The characters before the error have been added. Every later call returns the
    /// same error.
    pub fn feed(&mut self, bytes: &[u8], text: &mut BaseText) -> Result<(), Utf8Error> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut joined = mem::take(&mut self.cut);
        let bytes = if joined.is_empty() {
            bytes
        } else {
            joined.extend_from_slice(bytes);
            &joined
        };
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        text.append(valid);
        self.done += valid.len() as u64;
        let rest = &bytes[valid.len()..];
        if std::str::from_utf8(rest).is_err_and(|error| error.error_len().is_some()) {
            self.error = Some(Utf8Error {
                offset: self.done,
                kind: Utf8ErrorKind::Invalid,
            });
        }
        self.cut.extend_from_slice(rest);
        self.error.map_or(Ok(()), Err)
    }

    /// Checks that the last character is complete.
    ///
    /// # Errors
    ///
    /// The last character is incomplete, or there was an error before.
    pub fn finish(self) -> Result<(), Utf8Error> {
        match self.error {
            Some(error) => Err(error),
            None if !self.cut.is_empty() => Err(Utf8Error {
                offset: self.done,
                kind: Utf8ErrorKind::CutOff,
            }),
            None => Ok(()),
        }
    }
}

/// An error in UTF-8: its place and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utf8Error {
    offset: u64,
    kind: Utf8ErrorKind,
}

/// The kind of a [`Utf8Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Utf8ErrorKind {
    /// No character has these bytes.
    Invalid,
    /// The bytes end inside a character.
    CutOff,
}

impl Utf8Error {
    /// The offset of the malformed character, in bytes from the first byte read.
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// The kind of error.
    #[must_use]
    pub const fn kind(self) -> Utf8ErrorKind {
        self.kind
    }
}

impl fmt::Display for Utf8Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Utf8ErrorKind::Invalid => write!(f, "byte {} is not UTF-8", self.offset),
            Utf8ErrorKind::CutOff => write!(f, "the character that begins at byte {} is cut off", self.offset),
        }
    }
}

impl Error for Utf8Error {}
