//! [`Parser`]: the limits of reading.

use acedia_collections::__private::DEEPEST;

/// Parses JSON into items, within limits.
///
/// | JSON | Item |
/// |---|---|
/// | `null` | none |
/// | `true`, `false` | a `bool` |
/// | an integer of up to 64 bits, with or without a sign | that integer |
/// | any other number | the nearest `f64`: see [`Decimals`] |
/// | a string | a [`Text`](acedia_text::Text) |
/// | an array | an [`ArrayList`](acedia_collections::ArrayList) |
/// | an object | a [`HashTable`](acedia_collections::HashTable) with texts as keys, which it may share with other tables; if keys are equal, the last one wins |
///
/// ```
/// use acedia_json::{Parser, Problem};
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
/// Nesting uses no stack. Memory is proportional to the number of bytes read, and everything is freed on an error. As
/// in every [`HashTable`](acedia_collections::HashTable), an attacker cannot choose keys with equal hashes.
#[derive(Clone, Copy, Debug)]
pub struct Parser {
    pub(super) max_depth: usize,
    pub(super) max_bytes: u64,
    pub(super) decimals: Decimals,
}

/// The treatment of numbers that change if they become an `f64`: [`Parser::decimals`].
///
/// ```
/// use acedia_json::{self as json, Decimals, Parser, Problem};
///
/// let long = "9007199254740993.0";
/// assert_eq!(json::parse(long)?.as_double(), Some(9007199254740992.0));
///
/// let exact = Parser::new().decimals(Decimals::Exact);
/// assert!(matches!(exact.parse(long).unwrap_err().problem(), Problem::Inexact));
/// assert_eq!(exact.parse("0.1")?.as_double(), Some(0.1));
/// // The same double, printed to 17 digits.
/// assert_eq!(exact.parse("0.10000000000000001")?.as_double(), Some(0.1));
/// # Ok::<(), acedia_json::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decimals {
    /// Such numbers become the nearest double, as in other parsers.
    #[default]
    Nearest,
    /// Such numbers are an error. A decimal of up to 15 digits does not count as changed, unless its double is subnormal. Neither
    /// does a longer decimal, if its double prints as this decimal, either in the shortest form or rounded to at most 17 digits.
    /// Trailing zeros are ignored. Such a decimal prints as the shortest decimal of the same double, so `0.10000000000000001`
    /// becomes `0.1`. An integer beyond 64 bits does not count as changed if a double equals it.
    Exact,
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}

impl Parser {
    /// A parser of documents of up to 131,072 levels and any length, with [`Decimals::Nearest`].
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_depth: DEEPEST,
            max_bytes: u64::MAX,
            decimals: Decimals::Nearest,
        }
    }

    /// The greatest number of lists and tables that may be nested. 0 allows no list or table at all.
    #[must_use]
    pub const fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = levels;
        self
    }

    /// The maximum length of a document in bytes.
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// The treatment of numbers that change if they become an `f64`.
    #[must_use]
    pub const fn decimals(mut self, decimals: Decimals) -> Self {
        self.decimals = decimals;
        self
    }
}
