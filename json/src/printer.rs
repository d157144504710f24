//! [`Printer`]: how JSON is printed.

/// Prints items as JSON.
///
/// | item | JSON |
/// |---|---|
/// | none, also of a watched object that was freed | `null` |
/// | `bool`s and numbers, boxes and refs of them | `true`, `false`, numbers: integers as they are, an `f32` and an `f64` by the shortest digits that read back as the same `f32` or `f64`. They come back as integers and `f64`s |
/// | texts, mutable or not, and boxes and refs of strings | strings |
/// | lists | arrays |
/// | vectors, and boxes and refs of arrays | arrays, in one line; a vector has three numbers |
/// | tables | objects with the entries whose keys are immutable texts, in order |
/// | anything else, and floats that are infinite or NaN | see [`Unprintable`] |
///
/// ```
/// use acedia_json::Printer;
/// use acedia_collections::{ArrayList, HashTable, Item};
///
/// let item = Item::from(HashTable::from([("list", ArrayList::from([1, 2]))]));
/// assert_eq!(Printer::new().print(&item)?, r#"{"list":[1,2]}"#);
/// assert_eq!(Printer::new().pretty().print(&item)?, "\
/// {
///   \"list\": [
///     1,
///     2
///   ]
/// }");
/// # Ok::<(), acedia_json::PrintError>(())
/// ```
///
/// # Threads
///
/// Each collection is locked while its content is printed. The outermost one is locked as for changing, unless it is being read, so other
/// threads wait until it is printed. A nested collection that has no other owner and no handle is not locked, because no other thread can
/// reach it. The printer waits for a collection that another thread is changing, and for every mutable text, only after it has released
/// all other locks. So parts of the document may be from different moments.
///
/// # Cost
///
/// An item that is in several places, or watched from several places, is printed at each of them. Tables that all watch each other take
/// more than exponential time and length; [`max_bytes`](Self::max_bytes) limits them.
#[derive(Clone, Copy, Debug)]
#[must_use = "a printer does nothing by itself"]
pub struct Printer {
    pub(super) is_pretty: bool,
    pub(super) is_sorted: bool,
    /// Whether watched collections that were printed already are printed again only so often: see `Page::AGAIN`.
    pub(super) is_bounded: bool,
    pub(super) unprintable: Unprintable,
    pub(super) max_bytes: u64,
}

impl Default for Printer {
    fn default() -> Self {
        Self::new()
    }
}

/// The treatment of values that JSON cannot express: objects of other classes, floats that are infinite or NaN, keys that are not texts,
/// and collections that watch a collection they are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unprintable {
    /// In a collection they become `null`, and an entry whose key is not a text is left out. Such a value by itself is an error.
    #[default]
    LeaveOut,
    /// They are an error.
    Refuse,
}

impl Printer {
    /// Prints in one line, without spaces, with no limit of length.
    pub const fn new() -> Self {
        Self {
            is_pretty: false,
            is_sorted: false,
            is_bounded: false,
            unprintable: Unprintable::LeaveOut,
            max_bytes: u64::MAX,
        }
    }

    /// Prints one line for each item and entry, indented by two spaces per level, up to the 64th.
    #[doc(alias = "PrettyPrint")]
    pub const fn pretty(self) -> Self {
        Self {
            is_pretty: true,
            ..self
        }
    }

    /// Prints the entries of tables in the order of their keys, by code points, so that equal tables are printed alike.
    ///
    /// ```
    /// use acedia_json::{self as json, Printer};
    ///
    /// let item = json::parse(r#"{"b": 1, "a": {"d": 2, "c": 3}}"#).unwrap();
    /// assert_eq!(Printer::new().sorted().print(&item)?, r#"{"a":{"c":3,"d":2},"b":1}"#);
    /// # Ok::<(), json::PrintError>(())
    /// ```
    pub const fn sorted(self) -> Self {
        Self {
            is_sorted: true,
            ..self
        }
    }

    /// For `{}`, which prints graphs too.
    pub(crate) const fn bounded(self) -> Self {
        Self {
            is_bounded: true,
            ..self
        }
    }

    /// The maximum length of the document in bytes. It is checked whenever an item is printed that may be in several
    /// places, so the error comes early if there are many such places.
    ///
    /// ```
    /// use acedia_json::{PrintError, Printer};
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let mut shared = ArrayList::from([1]);
    /// for _ in 0..40 {
    ///     shared = ArrayList::from([&shared, &shared]); // one list in 2^40 places
    /// }
    /// let result = Printer::new().max_bytes(1_000_000).print(&Item::from(shared));
    /// assert_eq!(result, Err(PrintError::TooLong(1_000_000)));
    /// ```
    pub const fn max_bytes(self, bytes: u64) -> Self {
        Self {
            max_bytes: bytes,
            ..self
        }
    }

    /// The treatment of values that JSON cannot express.
    pub const fn unprintable(self, unprintable: Unprintable) -> Self {
        Self { unprintable, ..self }
    }
}
