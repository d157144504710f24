//! `{:?}` of items and collections, for failing tests.

use std::fmt::{self, Debug, Formatter};

use acedia::{Class, Object};
use acedia_boxes::__private::{Visitor, visit};
use acedia_boxes::{ArrayBox, ArrayRef, Primitive, ValueBox, ValueRef};
use acedia_text::{MutableText, Text};

use super::depth::{is_shown, printing};
use crate::collection::Collection;
use crate::{ArrayList, HashTable, Item};

impl Debug for Item {
    /// Prints the value of numbers, texts, boxes and refs. Lists and tables are printed to the eighth level. A
    /// collection that is watched is printed only once. For other objects, prints class and slot.
    ///
    /// ```
    /// use acedia_boxes::{IntBox, IntRef};
    /// use acedia_collections::{ArrayList, HashTable, Item};
    ///
    /// let (watched, freed) = (IntRef::new(7), IntRef::new(8).handle());
    /// let table = HashTable::from([("a", ArrayList::from([1.5]))]);
    /// let list =
    ///     ArrayList::from([Item::from(1), "b".into(), IntBox::new(2).into(), table.into()]);
    /// list.write().push(watched.handle()).push(None::<i32>).push(freed);
    /// let shown =
    ///     r#"[Int(1), "b", IntBox(2), {"a": [Double(1.5)]}, Watched(IntRef(7)), None, None]"#;
    /// assert_eq!(format!("{list:?}"), shown);
    /// ```
    ///
    /// Never waits: prints `<locked>` for an object that is locked.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(object) = self.object() {
            return Content(self, object.class()).fmt(f);
        }
        match (self.watched(), self.plain()) {
            (Some(handle), _) if handle.is_allocated() => {
                f.debug_tuple("Watched").field(&Content(self, handle.class())).finish()
            }
            (Some(handle), _) => f.debug_tuple("Freed").field(&handle).finish(),
            (None, Some(scalar)) => scalar.fmt(f),
            (None, None) => f.write_str("None"),
        }
    }
}

/// The object of an item, and its class.
struct Content<'a>(&'a Item, &'static Class);

impl Debug for Content<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.watched().is_some() && Collection::with(self.0, |it| is_shown(it.place())) == Some(true) {
            return write!(f, "{}(…)", self.1.short_name());
        }
        self.known(f).unwrap_or_else(|| match self.0.handle() {
            Some(handle) => write!(f, "{}(slot {})", self.1, handle.index()),
            None => f.write_str("None"),
        })
    }
}

impl Content<'_> {
    /// Prints objects of the classes that the crate knows.
    fn known(&self, f: &mut Formatter<'_>) -> Option<fmt::Result> {
        self.as_a::<Text>(f)
            .or_else(|| self.as_a::<MutableText>(f))
            .or_else(|| self.as_a::<ArrayList>(f))
            .or_else(|| self.as_a::<HashTable>(f))
            .or_else(|| visit(&mut Printing(self, f)))
    }

    fn as_a<T: Object + Debug>(&self, f: &mut Formatter<'_>) -> Option<fmt::Result> {
        if !self.1.is::<T>() {
            return None;
        }
        self.0.with(|it: &T| it.fmt(f))
    }
}

/// Prints the content if it is a box or ref of a primitive or of an array.
struct Printing<'a, 'b>(&'a Content<'a>, &'a mut Formatter<'b>);

impl Visitor for Printing<'_, '_> {
    type Found = fmt::Result;

    fn visit<T: Primitive>(&mut self) -> Option<fmt::Result> {
        let Self(content, f) = self;
        content
            .as_a::<ValueBox<T>>(f)
            .or_else(|| content.as_a::<ValueRef<T>>(f))
            .or_else(|| content.as_a::<ArrayBox<T>>(f))
            .or_else(|| content.as_a::<ArrayRef<T>>(f))
    }
}

impl Debug for ArrayList {
    /// Prints the items. Does not wait: prints `<locked>` if the list is locked.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        printing(self.place(), |is_too_deep| match self.try_read() {
            _ if is_too_deep => f.write_str("ArrayList(…)"),
            Some(items) => items.fmt(f),
            None => f.write_str("ArrayList(<locked>)"),
        })
    }
}

impl Debug for HashTable {
    /// Prints the entries. Does not wait: prints `<locked>` if the table is locked.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        printing(self.place(), |is_too_deep| match self.try_read() {
            _ if is_too_deep => f.write_str("HashTable(…)"),
            Some(entries) => entries.fmt(f),
            None => f.write_str("HashTable(<locked>)"),
        })
    }
}
