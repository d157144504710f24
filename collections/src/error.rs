//! [`Refused`]: an item that was not put in, and why.

use std::error::Error;
use std::fmt;

use crate::Item;

/// The error of a collection that has refused an item. [`into_item`](Self::into_item) returns the item.
///
/// ```
/// use acedia_collections::{ArrayList, Reason};
///
/// let list = ArrayList::new();
/// let refused = list.write().try_push(&list).unwrap_err();
/// assert_eq!(refused.reason(), Reason::Cycle);
/// assert!(refused.to_string().starts_with("the collection would own itself"));
/// list.write().push(list.handle()); // a handle does not own
/// ```
#[derive(Debug)]
pub struct Refused {
    item: Item,
    reason: Reason,
}

impl Refused {
    pub(crate) fn new(item: Item, reason: Reason) -> Self {
        Self { item, reason }
    }

    /// Why the item was refused.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The item that was refused.
    #[must_use]
    pub fn into_item(self) -> Item {
        self.item
    }
}

/// Why an item was [`Refused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The collection would own itself, directly or through others, and never be freed.
    Cycle,
    /// The index is beyond the end of the list.
    Beyond,
    /// The key is none, its object was freed, or [`replace`](crate::TableWriter::replace) did not find the key.
    NoKey,
    /// It cannot be checked now whether the collection would own itself: this thread is changing a collection in the item, or
    /// another thread has been changing one for longer than 50 ms. The check is needed only if the receiving collection is itself
    /// an item of another collection.
    Busy,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cycle => "the collection would own itself and never be freed; insert its handle instead, which does not own it",
            Self::Beyond => "the index is beyond the end of the list; `push` adds an item at the end",
            Self::NoKey => "the key is not in the table, is none, or refers to a freed object",
            Self::Busy => {
                "a collection in the item is being changed, so the check for cycles is not possible now; try again later"
            }
        })
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.reason, f)
    }
}

impl Error for Refused {}
