//! The errors of parsing and printing JSON.

use std::error::Error;
use std::fmt;
use std::io;

use acedia::Class;

/// The error of a text that is not JSON, exceeds a limit, or has a number that cannot be kept. Contains the place of
/// the error.
///
/// ```
/// use acedia_json::{self as json, Problem};
///
/// let error = json::parse("{\n  \"lives\": 03\n}").unwrap_err();
/// assert!(matches!(error.problem(), Problem::LeadingZero));
/// assert_eq!((error.line(), error.column(), error.offset()), (2, 13, 14));
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 13: a number must not have leading zeros"
/// );
/// assert_eq!(
///     json::parse("[1 2]").unwrap_err().to_string(),
///     "line 1, column 4: expected `,` or `]`"
/// );
/// ```
#[derive(Debug)]
pub struct ParseError {
    pub(super) problem: Problem,
    pub(super) place: Place,
    pub(super) is_eof: bool,
}

/// A place in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) offset: u64,
    pub(super) line: u64,
    pub(super) column: u64,
}

/// The cause of a [`ParseError`]: [`ParseError::problem`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// This text was expected here, but the document has another byte or ends.
    Expected(&'static str),
    /// A byte order mark at the beginning.
    ByteOrderMark,
    /// A comment.
    Comment,
    /// A number with a zero before other digits.
    LeadingZero,
    /// `NaN` or `Infinity`.
    NotFinite,
    /// A string in single quotes.
    SingleQuote,
    /// A comma before `]` or `}`.
    TrailingComma,
    /// A key without quotes.
    UnquotedKey,
    /// A word of another language, such as `True`, `None` or `undefined`.
    Word,
    /// A number that begins with its point, such as `.5`.
    LeadingPoint,
    /// A number that is not valid JSON.
    Number,
    /// A number beyond the largest `f64`, or of more than 65,536 bytes.
    NumberTooLarge,
    /// With [`Decimals::Exact`](super::Decimals::Exact), a number that an `f64` would change.
    Inexact,
    /// A control character in a string, which must be escaped.
    Control,
    /// An escape sequence that JSON does not have.
    Escape,
    /// Half of a surrogate pair, which is not a character.
    Surrogate,
    /// Bytes that are not UTF-8.
    Utf8,
    /// The document ends inside a string.
    Unterminated,
    /// Lists and tables are nested deeper than this limit.
    TooDeep(usize),
    /// The document has more bytes than this limit.
    TooLong(u64),
    /// The reader failed.
    Io(io::Error),
}

impl ParseError {
    /// The cause of the error.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Whether the input ended too early, so that more input could complete it. `false` for a wrong byte, for an exceeded limit,
    /// and for a reader that failed.
    ///
    /// ```
    /// use acedia_json as json;
    ///
    /// for cut in ["", "[1.", "[tru", "-", "{\"a", "\"\\u12"] {
    ///     assert!(json::parse(cut).unwrap_err().is_eof());
    /// }
    /// assert!(!json::parse("[1x").unwrap_err().is_eof());
    /// ```
    #[must_use]
    pub fn is_eof(&self) -> bool {
        self.is_eof
    }

    /// The error in the format of compilers, which editors recognize: `FILE:LINE:COLUMN: MESSAGE`.
    ///
    /// If the text was one line of a file, its [`line`](Self::line) is 1. Then print the line's own number with
    /// [`column`](Self::column) and [`problem`](Self::problem).
    ///
    /// ```
    /// use acedia_json as json;
    ///
    /// let error = json::parse("{\n  \"a\": 1,\n}").unwrap_err();
    /// let line = "save.json:3:1: JSON does not allow a trailing comma before `]` or `}`";
    /// assert_eq!(error.in_file("save.json"), line);
    /// ```
    #[must_use]
    pub fn in_file(&self, file: impl fmt::Display) -> String {
        let Place { line, column, .. } = self.place;
        format!("{file}:{line}:{column}: {}", self.problem)
    }

    /// The position of the error, in bytes from the start of the input.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.place.offset
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.place.line
    }

    /// The column in bytes, counted from 1.
    #[must_use]
    pub fn column(&self) -> u64 {
        self.place.column
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::ByteOrderMark => f.write_str("JSON must not start with a byte order mark; remove its three bytes"),
            Self::Comment => f.write_str("JSON does not allow comments"),
            Self::LeadingZero => f.write_str("a number must not have leading zeros"),
            Self::NotFinite => f.write_str("JSON does not allow `NaN` or `Infinity`"),
            Self::SingleQuote => f.write_str("a string must have double quotes"),
            Self::TrailingComma => f.write_str("JSON does not allow a trailing comma before `]` or `}`"),
            Self::UnquotedKey => f.write_str("a key must have double quotes"),
            Self::Word => f.write_str("the only words of JSON are `true`, `false` and `null`, in lower case"),
            Self::LeadingPoint => f.write_str("a digit is missing before this decimal point"),
            Self::Number => f.write_str("a digit is missing in this number"),
            Self::NumberTooLarge => f.write_str("this number is too large for a double, or has more than 65,536 bytes"),
            Self::Inexact => {
                f.write_str("a double cannot hold this number exactly; to round it, parse with `Decimals::Nearest`")
            }
            Self::Control => f.write_str("a control character in a string must be escaped"),
            Self::Escape => f.write_str("JSON has no such escape sequence"),
            Self::Surrogate => f.write_str("half of a surrogate pair is not a character"),
            Self::Utf8 => f.write_str("this is not UTF-8"),
            Self::Unterminated => f.write_str("the closing quote of the string is missing"),
            Self::TooDeep(limit) => write!(f, "lists and tables are nested deeper than {limit} levels"),
            Self::TooLong(limit) => write!(f, "the document has more than {limit} bytes"),
            Self::Io(error) => write!(f, "reading failed: {error}"),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column, .. } = self.place;
        write!(f, "line {line}, column {column}: {}", self.problem)
    }
}

impl Error for ParseError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// The error of an item that was not printed.
///
/// ```
/// use acedia::{Object, class};
/// use acedia_json::{PrintError, Printer, Unprintable};
/// use acedia_collections::{ArrayList, Item};
///
/// #[derive(Default)]
/// struct Door;
/// impl Object for Door {
///     class!(Door, "Inn.Door");
/// }
///
/// let list = Item::from(ArrayList::from([Door::allocate()]));
/// assert_eq!(Printer::new().print(&list).unwrap(), "[null]");
/// let error = Printer::new().unprintable(Unprintable::Refuse).print(&list).unwrap_err();
/// assert_eq!(error, PrintError::Class(Door::class()));
/// assert_eq!(error.to_string(), "JSON cannot express an object of Inn.Door");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrintError {
    /// JSON cannot express objects of this class.
    Class(&'static Class),
    /// The key of an entry is of this class, which is not a text.
    Key(&'static Class),
    /// A float is infinite or not a number.
    NotFinite,
    /// A collection watches a collection that contains it, so printing would never end.
    Cycle,
    /// The document would be longer than this limit, given by [`max_bytes`](super::Printer::max_bytes).
    TooLong(u64),
}

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(class) => write!(f, "JSON cannot express an object of {class}"),
            Self::Key(class) => write!(f, "a key in JSON must be a text, but this key is of class {class}"),
            Self::NotFinite => f.write_str("JSON cannot express infinity or NaN"),
            Self::Cycle => f.write_str("a handle refers to an outer collection, so printing would never end"),
            Self::TooLong(max) => write!(f, "the document would be longer than {max} bytes"),
        }
    }
}

impl Error for PrintError {}
