//! [`Nested`]: access to items in nested collections by pointer.

use std::error::Error;
use std::fmt;

use acedia::Owned;

use crate::collection::Collection;
use crate::pointer::{Pointer, number};
use crate::{ArrayList, HashTable, Item, OwnedOrGuard, Refused};

/// The default limit of nesting for collections that are parsed, patched, or inserted by a pointer.
pub const DEEPEST: usize = 1 << 17;

/// Access to items in nested collections by [`Pointer`]. Lists, tables and [`Item`]s implement it.
///
/// ```
/// use acedia_collections::{ArrayList, HashTable, Nested};
///
/// let save =
///     HashTable::from([("pawns", ArrayList::from([HashTable::from([("health", 100)])]))]);
/// assert_eq!(save.get_by("/pawns/0/health").as_int(), Some(100));
/// assert!(save.get_by("/pawns/1/health").is_none());
///
/// save.set_by("/pawns/0/health", 90)?.set_by("/pawns/1", "nobody")?;
/// assert_eq!(save.get_by("pawns/0/health").as_float(), Some(90.0));
/// assert_eq!(save.take_by("/pawns/1").to_string().as_deref(), Some("nobody"));
/// # Ok::<(), acedia_collections::NestedError>(())
/// ```
///
/// A pointer can lead through owned and watched collections. Each collection is locked only while one item in it is
/// looked up. If the whole path must not change meanwhile, prevent other threads from writing.
pub trait Nested: sealed::Sealed {
    /// The item that the pointer refers to, or none. A pointer without components refers to `self`.
    ///
    /// Read the item with the typed getters of [`Item`]: `get_by("/a").as_int()`.
    ///
    /// # Panics
    ///
    /// If waiting for a collection on the path would deadlock: see [`ArrayList`](crate::ArrayList#threads).
    ///
    /// # Cost
    ///
    /// One lock and one look-up for each component. A string is first parsed into a pointer.
    #[must_use]
    #[doc(alias = "GetItemBy")]
    #[doc(alias = "GetItemByJSON")]
    #[doc(alias = "GetBoolBy")]
    #[doc(alias = "GetByteBy")]
    #[doc(alias = "GetIntBy")]
    #[doc(alias = "GetFloatBy")]
    #[doc(alias = "GetVectorBy")]
    #[doc(alias = "GetStringBy")]
    #[doc(alias = "GetFormattedStringBy")]
    #[doc(alias = "GetTextBy")]
    #[doc(alias = "GetHashTableBy")]
    #[doc(alias = "GetArrayListBy")]
    fn get_by(&self, pointer: impl Into<Pointer>) -> Item {
        self.find_by(pointer).unwrap_or_default()
    }

    /// Like [`get_by`](Self::get_by), but `None` if there is no such item. An item that exists and is none is `Some`.
    ///
    /// ```
    /// use acedia_collections::{HashTable, Item, Nested};
    ///
    /// let config = HashTable::from([("proxy", Item::NONE)]);
    /// assert!(config.find_by("/proxy").is_some_and(|item| item.is_none()));
    /// assert!(config.find_by("/host").is_none());
    /// assert!(config.get_by("/proxy").is_none() && config.get_by("/host").is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// As [`get_by`](Self::get_by).
    ///
    /// # Cost
    ///
    /// As [`get_by`](Self::get_by).
    #[must_use]
    fn find_by(&self, pointer: impl Into<Pointer>) -> Option<Item> {
        self.find_in(pointer.into().components())
    }

    /// Like [`find_by`](Self::find_by), with the components of a pointer.
    #[doc(hidden)]
    fn find_in<'a>(&self, components: impl IntoIterator<Item = &'a str>) -> Option<Item> {
        let mut components = components.into_iter();
        match components.next() {
            None => Some(self.whole()),
            Some(first) => components.try_fold(self.step(first)?, |item, component| item.step(component)),
        }
    }

    /// Sets the item to which the pointer refers. The collections on the path must exist. The last component may be a new key of a
    /// table, or `-` or the index just past the end of a list.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, HashTable, Nested};
    ///
    /// let config = HashTable::from([("hosts", ArrayList::from(["a"]))]);
    /// config.set_by("/hosts/-", "b")?.set_by("/port", 80)?;
    /// assert_eq!(config.get_by("/hosts/1").to_string().as_deref(), Some("b"));
    /// assert_eq!(config.get_by("/port").as_int(), Some(80));
    /// # Ok::<(), acedia_collections::NestedError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// * The pointer has no components, or refers to no place.
    /// * The item is a collection that is [`Refused`].
    /// * Collections in `self` would be nested deeper than 131,072 levels, which `json::parse` refuses. `write().set` has no limit.
    ///
    /// # Cost
    ///
    /// Costs as much as [`get_by`](Self::get_by). If the item is a collection, all collections in it are visited.
    fn set_by(&self, pointer: impl Into<Pointer>, item: impl Into<Item>) -> Result<&Self, NestedError> {
        let mut pointer = pointer.into();
        let last = pointer.pop().ok_or(NestedError::Whole)?;
        let (place, item) = (self.get_by(&pointer), item.into());
        // The collections on the path, and the levels in the item.
        if item.is_owned() && pointer.len() + 1 + item.levels() > DEEPEST {
            return Err(NestedError::TooDeep(DEEPEST));
        }
        match Collection::with(&place, |collection| collection.put(&last, item)) {
            Some(Some(Ok(()))) => Ok(self),
            Some(Some(Err(refused))) => Err(NestedError::Refused(refused)),
            Some(None) | None => {
                pointer.push(last);
                Err(NestedError::Missing(pointer))
            }
        }
    }

    /// Removes the item to which the pointer refers from its collection, and returns it. In a table, this removes the whole entry;
    /// in a list, it leaves none in the place. Returns none if the pointer has no components or refers to no place.
    #[doc(alias = "TakeItemBy")]
    fn take_by(&self, pointer: impl Into<Pointer>) -> Item {
        let mut pointer = pointer.into();
        let taken = pointer.pop().and_then(|last| {
            let place = self.get_by(&pointer);
            Collection::with(&place, |collection| collection.take(&last))
        });
        taken.unwrap_or_default()
    }
}

impl<S: sealed::Sealed + ?Sized> Nested for S {}

mod sealed {
    use crate::Item;

    pub trait Sealed {
        /// This value as an item.
        #[doc(hidden)]
        fn whole(&self) -> Item;

        /// The item that one component refers to.
        #[doc(hidden)]
        fn step(&self, component: &str) -> Option<Item>;
    }
}

use sealed::Sealed as _;

impl sealed::Sealed for Item {
    fn whole(&self) -> Item {
        self.clone()
    }

    fn step(&self, component: &str) -> Option<Item> {
        Collection::with(self, |collection| collection.step(component))?
    }
}

macro_rules! collections {
    ($($type:ty => $kind:ident;)+) => {$(
        impl sealed::Sealed for $type {
            fn whole(&self) -> Item {
                self.into()
            }

            fn step(&self, component: &str) -> Option<Item> {
                Collection::$kind(self).step(component)
            }
        }
    )+};
}

collections! {
    Owned<ArrayList> => List;
    Owned<HashTable> => Table;
    OwnedOrGuard<ArrayList> => List;
    OwnedOrGuard<HashTable> => Table;
}

impl Collection<'_> {
    fn step(self, component: &str) -> Option<Item> {
        match self {
            Self::List(list) => {
                let index = number(component)?;
                let items = list.read();
                (index < items.len()).then(|| items[index].clone())
            }
            Self::Table(table) => table.read().get_entry(component).map(|(_, item)| item.clone()),
        }
    }

    /// Sets the item; `None` if the component refers to no place.
    fn put(self, component: &str, item: Item) -> Option<Result<(), Refused>> {
        // The replaced item is released after the lock.
        let done = match self {
            Self::List(list) => {
                let mut items = list.write();
                let index = if component == "-" {
                    items.len()
                } else {
                    number(component)?
                };
                if index > items.len() {
                    return None;
                }
                items.try_set(index, item).map(|before| (before, None))
            }
            Self::Table(table) => table
                .write()
                .try_set(component, item)
                .map(|before| (Item::NONE, before)),
        };
        Some(done.map(drop))
    }

    fn take(self, component: &str) -> Item {
        match self {
            Self::List(list) => number(component)
                .map(|index| list.write().take(index))
                .unwrap_or_default(),
            Self::Table(table) => table.write().take(component),
        }
    }
}

/// The error of [`Nested::set_by`]. Nothing has changed then.
#[derive(Debug)]
#[non_exhaustive]
pub enum NestedError {
    /// The pointer has no components. It refers to `self`, which cannot be replaced.
    Whole,
    /// The pointer refers to no place.
    Missing(Pointer),
    /// The item is a collection that would own itself, or this cannot be checked now.
    Refused(Refused),
    /// Collections would be nested deeper than this limit.
    TooDeep(usize),
}

impl fmt::Display for NestedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("a pointer without components refers to the collection itself; add a component, such as `/name` or `/0`"),
            Self::Missing(pointer) => write!(
                f,
                "`{pointer}` refers to no location: every component before the last must refer to a list or table; in a list, the last \
                 must be `-` or an index up to the list's length"
            ),
            Self::Refused(refused) => refused.fmt(f),
            Self::TooDeep(limit) => write!(f, "lists and tables would be nested deeper than {limit} levels; put the item nearer to the root"),
        }
    }
}

impl Error for NestedError {}
