//! [`Parser`]: the limits of reading.

/// Reads JSON into items, with limits of your own.
///
/// | JSON | becomes |
/// |---|---|
/// | `null` | nothing |
/// | `true`, `false` | a `bool` |
/// | an integer | an `i32`, an `i64` if it needs more bits, or a float or double that is exactly it |
/// | a decimal | an `f32` if it is one, else a [`DoubleBox`](acedia_boxes::DoubleBox): see [`Decimals`] |
/// | a string | a [`Text`](acedia_text::Text) |
/// | an array | an [`ArrayList`](crate::ArrayList) |
/// | an object | a [`HashTable`](crate::HashTable) with texts as keys, which it may share with others; of equal keys the last one wins |
///
/// ```
/// use acedia_collections::json::{Parser, Problem};
///
/// let parser = Parser::new().max_depth(2);
/// assert!(parser.parse("[[1, 2], [3]]").is_ok());
/// let error = parser.parse("[[[1]]]").unwrap_err();
/// assert!(matches!(error.problem(), Problem::TooDeep(2)));
/// assert_eq!(error.offset(), 2);
/// ```
///
/// # Hostile documents
///
/// Depth takes no stack. Memory is in proportion to what was read, and what was made is freed when an error is met. Equal
/// hashes can't be chosen, as in every [`HashTable`](crate::HashTable).
#[derive(Clone, Copy, Debug)]
pub struct Parser {
    pub(super) max_depth: usize,
    pub(super) max_bytes: u64,
    pub(super) decimals: Decimals,
}

/// What becomes of a decimal that is not what the nearest double is to as many digits: [`Parser::decimals`].
///
/// ```
/// use acedia_collections::json::{Decimals, Parser, Problem};
///
/// let exact = Parser::new();
/// assert_eq!(exact.parse("0.1")?.as_double(), Some(0.1));
/// // The same double, as others print it: to 17 digits.
/// assert_eq!(exact.parse("0.10000000000000001")?.as_double(), Some(0.1));
/// // The nearest double is 9007199254740992.
/// let long = "9007199254740993.0";
/// assert!(matches!(exact.parse(long).unwrap_err().problem(), Problem::Inexact));
///
/// let nearest = Parser::new().decimals(Decimals::Nearest);
/// assert_eq!(nearest.parse(long)?.as_double(), Some(9007199254740992.0));
/// # Ok::<(), acedia_collections::json::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decimals {
    /// The nearest double, as in other readers: for measurements, and constants with more digits than a double has.
    Nearest,
    /// It is refused. What is kept is every decimal of up to 15 digits, but for the smallest doubles there are, and all that a
    /// double prints as: in the shortest way, and rounded to up to 17 digits. Zeros at the end are not counted. What is kept
    /// prints as the shortest decimal of the same double, so `0.10000000000000001` becomes `0.1`.
    #[default]
    Exact,
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}

impl Parser {
    /// Up to 131,072 levels deep, of any length, with [`Decimals::Exact`].
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_depth: 1 << 17,
            max_bytes: u64::MAX,
            decimals: Decimals::Exact,
        }
    }

    /// How many lists and tables may stand inside each other; 0 allows none at all.
    #[must_use]
    pub const fn max_depth(self, levels: usize) -> Self {
        Self {
            max_depth: levels,
            ..self
        }
    }

    /// How long a document may be.
    #[must_use]
    pub const fn max_bytes(self, bytes: u64) -> Self {
        Self {
            max_bytes: bytes,
            ..self
        }
    }

    /// What becomes of decimals that are not what the nearest double is to as many digits.
    #[must_use]
    pub const fn decimals(self, decimals: Decimals) -> Self {
        Self { decimals, ..self }
    }
}
