//! [`Parser`]: reads a text from left to right, step by step.
//!
//! Not based on winnow: its integers and floats follow other rules, and counting positions in characters takes more code than its
//! combinators save.

mod error;
mod number;
mod quoted;
#[cfg(test)]
mod tests;

pub use error::ParseError;
pub use number::Sign;

use std::fmt;

use crate::buffer::count;
use crate::content::Content;
use crate::{BaseText, Character, Matching, Part};

/// Reads a text from left to right, step by step.
///
/// ```
/// use acedia_text::{BaseText, ParseError, Parser};
///
/// /// `give "Health pack" 3 to Bob`
/// fn give(parser: &mut Parser<'_>) -> Result<(String, i32, String), ParseError> {
///     parser.eat("give")?;
///     parser.skip();
///     let item = parser.string()?;
///     parser.skip();
///     // Without a number it is one.
///     let count = parser.integer().unwrap_or(1);
///     parser.skip();
///     parser.eat("to")?;
///     parser.skip();
///     let receiver = parser.name()?;
///     parser.end()?;
///     Ok((item.to_string(), count, receiver.to_string()))
/// }
///
/// let text = BaseText::from(r#"give "Health pack" 3 to Bob"#);
/// assert_eq!(give(&mut text.parser()), Ok(("Health pack".into(), 3, "Bob".into())));
/// let text = BaseText::from("give ammo Bob");
/// let error = give(&mut text.parser()).unwrap_err();
/// assert_eq!(error.to_string(), "character 10: expected `to`, found `B`");
/// // Step by step.
/// let text = BaseText::from("x = ff;");
/// let mut parser = text.parser();
/// assert_eq!(parser.character()?.code, 'x');
/// assert_eq!(parser.whitespace(), " ");
/// assert!(parser.is_at("=") && parser.peek() == Some('='.into()));
/// parser.eat("=")?;
/// parser.skip();
/// assert_eq!(parser.integer_in(16)?, 255);
/// assert_eq!((parser.position(), parser.remaining()), (6, 1));
/// assert_eq!(parser.byte()?, b';');
/// assert!(parser.is_finished() && parser.remainder().is_empty());
/// assert_eq!(
///     parser.error("a line").to_string(),
///     "character 7: expected a line, found the end"
/// );
/// # Ok::<(), ParseError>(())
/// ```
///
/// | To | Call |
/// |---|---|
/// | take literals | [`eat`](Self::eat), [`eat_by`](Self::eat_by), [`character`](Self::character), [`byte`](Self::byte), [`whitespace`](Self::whitespace) |
/// | take numbers | [`integer`](Self::integer), [`integer_in`](Self::integer_in), [`unsigned`](Self::unsigned), [`unsigned_exact`](Self::unsigned_exact), [`number`](Self::number) |
/// | take words and strings | [`name`](Self::name), [`string`](Self::string), [`string_literal`](Self::string_literal), [`escaped`](Self::escaped) |
/// | take everything up to a condition | [`until`](Self::until), [`until_where`](Self::until_where), [`remainder`](Self::remainder) |
/// | skip space | [`skip`](Self::skip) |
/// | look ahead | [`peek`](Self::peek), [`is_at`](Self::is_at), [`is_finished`](Self::is_finished), [`position`](Self::position), [`remaining`](Self::remaining) |
/// | combine, fail, end | [`attempt`](Self::attempt), [`error`](Self::error), [`end`](Self::end) |
///
/// A step that can fail returns a `Result`, and moves the parser only if it succeeds. So `?` chains steps, `or_else` chooses
/// between them, `unwrap_or` makes a step optional, and [`attempt`](Self::attempt) combines several into one.
///
/// # Differences from Acedia's parser
///
/// | In Acedia | Here |
/// |---|---|
/// | `Ok()`, `Fail()`, the failed state | `Result` and `?`; [`error`](Self::error) makes an error |
/// | `Confirm()`, `R()` | [`attempt`](Self::attempt) |
/// | `GetCurrentState()`, `GetConfirmedState()`, `RestoreState()` | `clone()`, which copies three words: a parser is its own state |
/// | `IsStateValid()`, `IsStateOk()` | not needed: the parser borrows the text, so the text cannot be changed or freed meanwhile |
/// | `MUntilMany()` | [`until_where`](Self::until_where) and [`is_at`](Self::is_at) |
/// | a count of the characters read | the difference of two [`position`](Self::position)s |
///
/// # Cost
///
/// Each step is linear in the characters that it reads. [`eat`](Self::eat), [`is_at`](Self::is_at) and [`until`](Self::until)
/// also look up their [position](BaseText#memory). Only [`string`](Self::string) and [`string_literal`](Self::string_literal)
/// allocate, and steps whose argument is a colored [`Character`].
#[derive(Clone)]
pub struct Parser<'a> {
    text: &'a BaseText,
    /// The number of characters read.
    at: usize,
    /// The number of bytes read.
    byte: usize,
}

const _: () = assert!(size_of::<Parser<'_>>() == 3 * size_of::<usize>());

impl fmt::Debug for Parser<'_> {
    /// Prints the position and the rest: `Parser(character 4, rest "ammo Bob")`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parser(character {}, rest {:?})", self.at, self.remainder())
    }
}

impl BaseText {
    /// A parser at the start of the text.
    #[must_use]
    #[doc(alias("Parse", "ParseString"))]
    pub fn parser(&self) -> Parser<'_> {
        Parser::new(self)
    }
}

impl<'a> Parser<'a> {
    /// A parser at the start of `text`.
    #[must_use]
    #[doc(alias("Initialize", "InitializeS", "NewParser"))]
    pub const fn new(text: &'a BaseText) -> Self {
        Self { text, at: 0, byte: 0 }
    }

    /// The number of characters read so far.
    #[must_use]
    #[doc(alias("GetParsedLength", "GetCurrentState", "GetConfirmedState"))]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// The number of characters left.
    #[must_use]
    #[doc(alias = "GetRemainingLength")]
    pub fn remaining(&self) -> usize {
        self.text.len() - self.at
    }

    /// Whether nothing is left.
    #[must_use]
    #[doc(alias = "HasFinished")]
    pub fn is_finished(&self) -> bool {
        self.rest().is_empty()
    }

    /// The rest of the text.
    #[must_use]
    #[doc(alias = "GetRemainder")]
    #[doc(alias = "rest")]
    pub fn remainder(&self) -> Part<'a> {
        Part::new(self.text, self.at..self.text.len())
    }

    /// The next character, without reading it.
    #[must_use]
    pub fn peek(&self) -> Option<Character> {
        let code = self.next()?;
        Some(Character::new(code, self.text.runs().at(self.at)))
    }

    /// An error at this place: "expected a color, found `x`" if `expected` is "a color".
    #[doc(alias = "Fail")]
    #[must_use]
    pub fn error(&self, expected: &'static str) -> ParseError {
        ParseError::noun(expected, self.at, self.next())
    }

    /// Combines several steps into one: if `steps` fails, the parser returns to its position before them.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("12:ab");
    /// let mut parser = text.parser();
    /// let time = parser.attempt(|parser| {
    ///     let hours = parser.unsigned(10)?;
    ///     parser.eat(':')?;
    ///     Ok((hours, parser.unsigned(10)?))
    /// });
    /// assert_eq!(time.unwrap_err().position(), 3);
    /// assert_eq!(parser.position(), 0);
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `steps`.
    #[doc(alias("R", "Confirm", "RestoreState", "IsStateValid", "IsStateOk", "Ok"))]
    pub fn attempt<T>(&mut self, steps: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        let start = self.clone();
        let result = steps(self);
        if result.is_err() {
            *self = start;
        }
        result
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    ///
    /// There are characters left.
    pub fn end(&self) -> Result<(), ParseError> {
        if self.is_finished() {
            Ok(())
        } else {
            Err(self.error("the end"))
        }
    }

    /// Reads exactly this text, string or character, in any format. Reading an empty string or text always succeeds.
    ///
    /// # Errors
    ///
    /// The next characters are different.
    #[doc(alias("Match", "MatchS"))]
    pub fn eat(&mut self, content: impl Content) -> Result<Part<'a>, ParseError> {
        self.eat_by(content, Matching::EXACT)
    }

    /// Like [`eat`](Self::eat), but compares characters by `matching`.
    ///
    /// ```
    /// use acedia_text::{BaseText, Matching};
    ///
    /// let text = BaseText::from("Give me");
    /// let mut parser = text.parser();
    /// assert_eq!(parser.eat_by("GIVE", Matching::ANY_CASE).unwrap(), "Give");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`eat`](Self::eat).
    pub fn eat_by(&mut self, content: impl Content, matching: Matching) -> Result<Part<'a>, ParseError> {
        let len = self.looking_at(&content, matching);
        let len = len.ok_or_else(|| ParseError::text(&content, self.at, self.next()))?;
        Ok(self.take(len))
    }

    /// Whether [`eat`](Self::eat) would succeed with this content.
    #[must_use]
    pub fn is_at(&self, content: impl Content) -> bool {
        self.looking_at(&content, Matching::EXACT).is_some()
    }

    /// Reads whitespace, if there is any, and returns its length.
    #[doc(alias = "Skip")]
    pub fn skip(&mut self) -> usize {
        self.whitespace().len()
    }

    /// Reads whitespace, if there is any.
    #[doc(alias = "MWhitespaces")]
    pub fn whitespace(&mut self) -> Part<'a> {
        self.take_while(|c| Character::from(c).is_whitespace())
    }

    /// Reads the next character.
    ///
    /// # Errors
    ///
    /// Nothing is left.
    #[doc(alias = "MCharacter")]
    pub fn character(&mut self) -> Result<Character, ParseError> {
        self.character_where("a character", |_| true)
    }

    /// Reads the next character, which must be at most U+00FF, as a byte.
    ///
    /// # Errors
    ///
    /// Nothing is left, or the next character is above U+00FF.
    #[doc(alias = "MByte")]
    pub fn byte(&mut self) -> Result<u8, ParseError> {
        let byte = self.next().and_then(|c| u8::try_from(c).ok());
        let byte = byte.ok_or_else(|| self.error("a character up to U+00FF"))?;
        self.step(byte.into());
        Ok(byte)
    }

    /// Reads a name: a Latin letter, then letters and digits.
    ///
    /// # Errors
    ///
    /// The next character is not a Latin letter.
    #[doc(alias = "MName")]
    pub fn name(&mut self) -> Result<Part<'a>, ParseError> {
        if !self.next().is_some_and(|first| first.is_ascii_alphabetic()) {
            return Err(self.error("a name"));
        }
        Ok(self.take_while(|c| c.is_ascii_alphanumeric()))
    }

    /// Reads up to, but not including, the first character for which `stop` returns `true`, or to the end. The part may be empty.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("key = value");
    /// let key =
    ///     text.parser().until(|character| character.code == '=' || character.is_whitespace());
    /// assert_eq!(key, "key");
    /// ```
    #[doc(alias = "MUntil")]
    pub fn until(&mut self, stop: impl FnMut(Character) -> bool) -> Part<'a> {
        let len = self.text.characters_in(self.at..self.text.len()).position(stop);
        self.take(len.unwrap_or(self.remaining()))
    }

    /// Reads up to the first position at which `stop` returns `true`, or to the end. `stop` gets a parser at that
    /// position. The part may be empty.
    ///
    /// ```
    /// use acedia_text::BaseText;
    ///
    /// let text = BaseText::from("some comment --> code");
    /// let mut parser = text.parser();
    /// let comment = parser.until_where(|rest| rest.is_at("-->") || rest.is_at("--!>"));
    /// assert_eq!(comment, "some comment ");
    /// assert_eq!(parser.remainder(), "--> code");
    /// ```
    #[doc(alias = "MUntilMany")]
    pub fn until_where(&mut self, mut stop: impl FnMut(&Self) -> bool) -> Part<'a> {
        let start = self.at;
        while let Some(c) = self.next() {
            if stop(self) {
                break;
            }
            self.step(c);
        }
        Part::new(self.text, start..self.at)
    }

    fn rest(&self) -> &'a str {
        &self.text.as_str()[self.byte..]
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads the next character, which is `c`.
    fn step(&mut self, c: char) {
        self.at += 1;
        self.byte += c.len_utf8();
    }

    fn character_where(
        &mut self,
        expected: &'static str,
        wanted: impl FnOnce(Character) -> bool,
    ) -> Result<Character, ParseError> {
        let character = self.peek().filter(|character| wanted(*character));
        let character = character.ok_or_else(|| self.error(expected))?;
        self.step(character.code);
        Ok(character)
    }

    /// Reads the next `len` characters. At least `len` characters must be left.
    fn take(&mut self, len: usize) -> Part<'a> {
        let rest = self.rest();
        let end = rest.char_indices().nth(len).map_or(rest.len(), |(byte, _)| byte);
        self.take_bytes(end)
    }

    /// Reads the next `len` bytes, which are whole characters.
    fn take_bytes(&mut self, len: usize) -> Part<'a> {
        let start = self.at;
        self.at += count(&self.rest()[..len]);
        self.byte += len;
        Part::new(self.text, start..self.at)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> Part<'a> {
        let rest = self.rest();
        self.take_bytes(rest.find(|c| !wanted(c)).unwrap_or(rest.len()))
    }

    /// The length of `content`, if the next characters match it.
    fn looking_at(&self, content: &impl Content, matching: Matching) -> Option<usize> {
        content
            .piece()
            .with(|text, runs| self.text.is_at(self.at, text, runs, matching).then(|| count(text)))
    }
}
