//! [`Printer`]: how JSON is printed.

/// Prints items as JSON.
///
/// | Item | JSON |
/// |---|---|
/// | none, or a watched object that was freed | `null` |
/// | `bool`s, and boxes and refs of `bool`s | `true`, `false` |
/// | numbers, and boxes and refs of numbers | numbers: an integer as it is, and an `f32` or `f64` with the fewest digits from which the same `f32` or `f64` is parsed. The parser returns both as `f64` |
/// | texts, mutable or not, and boxes and refs of strings | strings |
/// | lists | arrays |
/// | vectors, and boxes and refs of arrays | arrays, always in one line; a vector has three numbers |
/// | tables | objects with the entries whose keys are immutable texts, in order |
/// | any other item, and floats that are infinite or NaN | see [`Unprintable`] |
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
/// Each collection is locked while its content is printed. The outermost collection is locked for writing, unless another guard is
/// reading it, so other threads wait until it is printed. A nested collection that has no other owner and no handle is not locked,
/// because no other thread can access it. Before the printer waits for a mutable text, or for a collection that another thread is
/// changing, it releases all other locks. So parts of the document may be from different moments.
///
/// # Cost
///
/// An item that is owned or watched in several places is printed in each of them. If tables all watch each other, time and length
/// are more than exponential; [`max_bytes`](Self::max_bytes) limits both.
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

/// The treatment of values that JSON cannot express: objects of other classes, floats that are infinite or NaN, keys that are not
/// texts, and collections that watch a collection that contains them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unprintable {
    /// In a collection, such values become `null`, and an entry whose key is not a text is left out. Outside of a
    /// collection, such a value is an error.
    #[default]
    LeaveOut,
    /// Such values are an error.
    Refuse,
}

impl Printer {
    /// Prints in one line, without spaces, and without a limit of length.
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
    pub const fn pretty(mut self) -> Self {
        self.is_pretty = true;
        self
    }

    /// Prints the entries of tables in the order of their keys, by code points, so that equal tables are printed
    /// identically.
    ///
    /// ```
    /// use acedia_json::{self as json, Printer};
    ///
    /// let item = json::parse(r#"{"b": 1, "a": {"d": 2, "c": 3}}"#).unwrap();
    /// assert_eq!(Printer::new().sorted().print(&item)?, r#"{"a":{"c":3,"d":2},"b":1}"#);
    /// # Ok::<(), json::PrintError>(())
    /// ```
    pub const fn sorted(mut self) -> Self {
        self.is_sorted = true;
        self
    }

    /// For `{}`, which prints graphs too.
    pub(crate) const fn bounded(mut self) -> Self {
        self.is_bounded = true;
        self
    }

    /// The maximum length of the document in bytes. The limit is checked whenever an item is printed that may be in
    /// several places, so a document that grows by repetitions fails early.
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
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// The treatment of values that JSON cannot express.
    pub const fn unprintable(mut self, unprintable: Unprintable) -> Self {
        self.unprintable = unprintable;
        self
    }
}
