//! `{}` of items and collections, for people: similar to JSON.

use std::fmt::{self, Debug, Display, Formatter};

use super::depth::{is_shown, printing};
use crate::collection::Collection;
use crate::item::simple::Simple;
use crate::{ArrayList, HashTable, Item, View};

impl Display for Item {
    /// Similar to JSON: in one line, or in many with `{:#}`. Objects other than texts, boxes, refs and collections
    /// print their class and slot. Collections are printed to the eighth level, and through handles each once.
    ///
    /// ```
    /// use acedia_boxes::{IntArrayBox, IntRef};
    /// use acedia_collections::{ArrayList, HashTable, Item};
    ///
    /// let watched = IntRef::new(7);
    /// let table = HashTable::from([("a", ArrayList::from([1.5, 2.0]))]);
    /// let list = ArrayList::from([Item::from(1), "b".into(), true.into(), table.into()]);
    /// list.write().push(watched.handle()).push(None::<i32>).push(IntArrayBox::new([1, 2]));
    /// let shown = r#"[1, "b", true, {"a": [1.5, 2.0]}, 7, null, [1, 2]]"#;
    /// assert_eq!(list.to_string(), shown);
    /// assert_eq!(Item::from(list).to_string(), shown);
    /// ```
    ///
    /// Prints `<locked>` for a collection that is being changed. Waits for a text or ref that is being changed, as that
    /// text or ref does when it prints itself.
    ///
    /// # Panics
    ///
    /// If a text or ref is being changed by this thread, or by a thread that waits for this one: see
    /// [`ArrayList`](ArrayList#threads). `{:?}` never waits.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.view() {
            View::None => f.write_str("null"),
            View::Bool(value) => Display::fmt(&value, f),
            View::Byte(value) => Display::fmt(&value, f),
            View::Int(value) => Display::fmt(&value, f),
            View::Long(value) => Display::fmt(&value, f),
            // With a decimal point, even for whole numbers.
            View::Float(value) => Debug::fmt(&value, f),
            View::Owned(_) | View::Watched(_) => self.fmt_object(f),
        }
    }
}

impl Item {
    fn fmt_object(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let printed = Collection::with(self, |collection| {
            let is_shown = self.watched().is_some() && is_shown(collection.place());
            match collection {
                Collection::List(_) if is_shown => f.write_str("[…]"),
                Collection::Table(_) if is_shown => f.write_str("{…}"),
                Collection::List(list) => Display::fmt(list, f),
                Collection::Table(table) => Display::fmt(table, f),
            }
        });
        printed.unwrap_or_else(|| match Simple::of(self) {
            Simple::Other(class) => match self.handle() {
                Some(handle) => write!(f, "{class}(slot {})", handle.index()),
                None => f.write_str("null"),
            },
            simple => simple.fmt(f),
        })
    }
}

/// As [`Item`] prints itself.
impl Debug for Simple {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("null"),
            Self::Bool(value) => Display::fmt(value, f),
            Self::Integer(value) => Display::fmt(value, f),
            Self::Double(value) => Debug::fmt(value, f),
            Self::String(value) => Debug::fmt(value, f),
            Self::Array(items) => f.debug_list().entries(items).finish(),
            Self::Other(class) => Display::fmt(class, f),
        }
    }
}

/// An item as an element of a list or map of `Formatter`.
struct Shown<'a>(&'a Item);

impl Debug for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self.0, f)
    }
}

impl Display for ArrayList {
    /// As an [`Item`] of it: `[1, "b", null]`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        printing(self.place(), |is_too_deep| match self.try_read() {
            _ if is_too_deep => f.write_str("[…]"),
            Some(items) => f.debug_list().entries(items.iter().map(Shown)).finish(),
            None => f.write_str("<locked>"),
        })
    }
}

impl Display for HashTable {
    /// As an [`Item`] of it: `{"name": "Bob", 7: null}`.
    ///
    /// ```
    /// use acedia_collections::{HashTable, Item};
    ///
    /// let table = HashTable::from([("a", 1)]);
    /// assert_eq!(table.to_string(), r#"{"a": 1}"#);
    /// table.write().set("a", table.handle()); // a circle
    /// assert!(table.to_string().contains("{…}"));
    /// let entries = table.write();
    /// assert_eq!(table.to_string(), "<locked>");
    /// ```
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        printing(self.place(), |is_too_deep| match self.try_read() {
            _ if is_too_deep => f.write_str("{…}"),
            Some(entries) => {
                let shown = entries.iter().map(|(key, item)| (Shown(key), Shown(item)));
                f.debug_map().entries(shown).finish()
            }
            None => f.write_str("<locked>"),
        })
    }
}
