//! `{:?}` of items and collections, for failing tests.

use std::cell::Cell;
use std::fmt::{self, Debug, Formatter};

use acedia::Class;
use acedia_boxes::__private::{Visitor, visit};
use acedia_boxes::{ArrayBox, ArrayRef, Primitive, ValueBox, ValueRef};
use acedia_text::{MutableText, Text};

use crate::{ArrayList, HashTable, Item};

impl Debug for Item {
    /// Prints the value of numbers, texts, boxes and refs. Owned lists and tables are printed to the eighth level. For other objects
    /// and watched collections, prints class and slot. An item that watched an object until it was freed prints as `Freed(…)`.
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
        self.known(f).unwrap_or_else(|| match self.0.handle() {
            Some(handle) => write!(f, "{}(slot {})", self.1, handle.index()),
            None => f.write_str("None"),
        })
    }
}

impl Content<'_> {
    /// Prints objects of the classes that the crate knows. Not watched collections, which may contain themselves.
    fn known(&self, f: &mut Formatter<'_>) -> Option<fmt::Result> {
        if self.0.is_owned() {
            let list = self.0.with(|list: &ArrayList| list.fmt(f));
            let collection = list.or_else(|| self.0.with(|table: &HashTable| table.fmt(f)));
            if collection.is_some() {
                return collection;
            }
        }
        let text = self.0.with(|text: &Text| text.fmt(f));
        text.or_else(|| self.0.with(|text: &MutableText| text.fmt(f)))
            .or_else(|| visit(&mut Printing(self.0, f)))
    }
}

/// Prints the content if it is a box or ref of a primitive or of an array.
struct Printing<'a, 'b>(&'a Item, &'a mut Formatter<'b>);

impl Visitor for Printing<'_, '_> {
    type Found = fmt::Result;

    fn visit<T: Primitive>(&mut self) -> Option<fmt::Result> {
        let Self(item, f) = self;
        item.with(|it: &ValueBox<T>| it.fmt(f))
            .or_else(|| item.with(|it: &ValueRef<T>| it.fmt(f)))
            .or_else(|| item.with(|it: &ArrayBox<T>| it.fmt(f)))
            .or_else(|| item.with(|it: &ArrayRef<T>| it.fmt(f)))
    }
}

/// Prints a collection, unless it is nested too deep to be looked into.
pub(crate) fn nested(
    name: &str,
    f: &mut Formatter<'_>,
    print: impl FnOnce(&mut Formatter<'_>) -> Option<fmt::Result>,
) -> fmt::Result {
    /// Collections nested deeper than this are not printed.
    const DEEPEST: u32 = 8;
    thread_local! {
        /// How many collections are being printed inside each other.
        static DEPTH: Cell<u32> = const { Cell::new(0) };
    }
    /// Restores the depth when it is dropped, even during a panic of the writer.
    struct Around(u32);
    impl Drop for Around {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let around = Around(DEPTH.replace(DEPTH.get() + 1));
    if around.0 >= DEEPEST {
        return write!(f, "{name}(…)");
    }
    print(f).unwrap_or_else(|| write!(f, "{name}(<locked>)"))
}
