//! [`Parser`]: the limits of reading.

/// Parses JSON into items, within limits.
///
/// | JSON | becomes |
/// |---|---|
/// | `null` | nothing |
/// | `true`, `false` | a `bool` |
/// | an integer | an `i32`, an `i64` if it needs more bits, or a float or double if that is exact |
/// | a decimal | an `f32` if that is exact, else a [`DoubleBox`](acedia_boxes::DoubleBox): see [`Decimals`] |
/// | a string | a [`Text`](acedia_text::Text) |
/// | an array | an [`ArrayList`](crate::ArrayList) |
/// | an object | a [`HashTable`](crate::HashTable) with texts as keys, which it may share with other tables; of equal keys the last one wins |
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
/// Nesting uses no stack. Memory is proportional to the bytes read, and everything is freed on an error. An attacker
/// cannot choose keys with equal hashes, as in every [`HashTable`](crate::HashTable).
#[derive(Clone, Copy, Debug)]
pub struct Parser {
    pub(super) max_depth: usize,
    pub(super) max_bytes: u64,
    pub(super) decimals: Decimals,
}

/// The treatment of decimals that do not survive a round trip through `f64`: [`Parser::decimals`].
///
/// ```
/// use acedia_collections::json::{Decimals, Parser, Problem};
///
/// let exact = Parser::new();
/// assert_eq!(exact.parse("0.1")?.as_double(), Some(0.1));
/// // The same double, printed to 17 digits.
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
    /// They become the nearest double, as in other parsers: for measurements, and constants with more digits than a
    /// double has.
    Nearest,
    /// They are refused. A decimal survives if it has up to 15 digits, unless its double is subnormal, or if a double
    /// prints as it: in the shortest form, or rounded to up to 17 digits. Trailing zeros do not count. A decimal that
    /// survives prints as the shortest decimal of the same double, so `0.10000000000000001` becomes `0.1`.
    #[default]
    Exact,
}

impl Default for Parser {
    fn default() -> Self {
        Self::new()
    }
}

impl Parser {
    /// Documents of up to 131,072 levels and any length, with [`Decimals::Exact`].
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_depth: 1 << 17,
            max_bytes: u64::MAX,
            decimals: Decimals::Exact,
        }
    }

    /// The number of lists and tables that may be nested; 0 allows none at all.
    #[must_use]
    pub const fn max_depth(self, levels: usize) -> Self {
        Self {
            max_depth: levels,
            ..self
        }
    }

    /// The maximum length of a document in bytes.
    #[must_use]
    pub const fn max_bytes(self, bytes: u64) -> Self {
        Self {
            max_bytes: bytes,
            ..self
        }
    }

    /// The treatment of decimals that do not survive a round trip through `f64`.
    #[must_use]
    pub const fn decimals(self, decimals: Decimals) -> Self {
        Self { decimals, ..self }
    }
}
