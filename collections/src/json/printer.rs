//! [`Printer`]: how JSON is printed.

/// Prints items as JSON.
///
/// | item | JSON |
/// |---|---|
/// | nothing, and what was watched and is freed | `null` |
/// | `bool`s and numbers, boxes and refs of them | `true`, `false`, numbers that read back as the same value, if not as the same type: JSON has one type of integers, so a `u8`, and an `i64` that is small, come back as `i32` |
/// | texts, mutable or not, and boxes and refs of strings | strings |
/// | lists | arrays |
/// | vectors, and boxes and refs of arrays | arrays, in one line; a vector has three numbers |
/// | tables | objects, of the entries whose keys are immutable texts; in no order, unless [`sorted`](Self::sorted) |
/// | anything else, and floats that are no numbers | see [`Unprintable`] |
///
/// ```
/// use acedia_collections::json::Printer;
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
/// # Ok::<(), acedia_collections::json::PrintError>(())
/// ```
///
/// # Threads
///
/// Each collection is locked while what stands in it is printed. The outermost is locked as for changing it, if nobody is reading
/// it, so others wait until it is printed. A collection in it that nobody else owns, and nobody has a handle of, can't be reached
/// by others then, and needs no lock; so it is with those in that one. A collection that another thread is changing is waited
/// for only when no other is locked, and so is every mutable text, so what is printed may be of different moments.
///
/// # Cost
///
/// What stands in several places, or is watched from there, is printed at each. So tables that all watch each other take more
/// than exponentially much: [`max_bytes`](Self::max_bytes) ends that.
#[derive(Clone, Copy, Debug)]
#[must_use = "a printer does nothing by itself"]
pub struct Printer {
    pub(super) is_pretty: bool,
    pub(super) is_sorted: bool,
    pub(super) unprintable: Unprintable,
    pub(super) max_bytes: u64,
}

impl Default for Printer {
    fn default() -> Self {
        Self::new()
    }
}

/// What becomes of what JSON cannot say: objects of other classes, floats that are infinite or not a number, keys that are no
/// texts, and collections that watch a collection they stand in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unprintable {
    /// In a collection it is `null`, and an entry is left out if its key is no text. Alone it is an error.
    #[default]
    LeaveOut,
    /// It is an error.
    Refuse,
}

impl Printer {
    /// In one line, without spaces, of any length.
    pub const fn new() -> Self {
        Self {
            is_pretty: false,
            is_sorted: false,
            unprintable: Unprintable::LeaveOut,
            max_bytes: u64::MAX,
        }
    }

    /// One line for each item and entry, two spaces further in for each level, up to the 64th.
    #[doc(alias = "PrettyPrint")]
    pub const fn pretty(self) -> Self {
        Self {
            is_pretty: true,
            ..self
        }
    }

    /// The entries of tables in the order of their keys, by code points, so that equal tables are printed alike.
    ///
    /// ```
    /// use acedia_collections::json::{self, Printer};
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

    /// How long the document may become. Looked at whenever something is printed that may stand in several places, so an error
    /// comes early where these are many.
    ///
    /// ```
    /// use acedia_collections::json::{PrintError, Printer};
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let mut shared = ArrayList::from([1]);
    /// for _ in 0..40 {
    ///     shared = ArrayList::from([&shared, &shared]); // a terabyte of it, in many places
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

    /// What becomes of what JSON cannot say.
    pub const fn unprintable(self, unprintable: Unprintable) -> Self {
        Self { unprintable, ..self }
    }
}
