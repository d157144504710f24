//! `{}` of items and collections: JSON.

use std::fmt::{self, Display, Formatter};

use crate::collection::Collection;
use crate::json::{PrintError, Printer};
use crate::{ArrayList, HashTable, Item};

impl Display for Item {
    /// JSON, as [`json::to_string`](crate::json::to_string) prints it: in one line, or in many with `{:#}`. But a value that JSON cannot
    /// express is `null`. Watched collections are printed at each place that watches them. After a thousand that were printed before, the
    /// others are marked `[…]` and `{…}`, which is not JSON: so printing a graph ends soon, and no parser takes the rest for nothing.
    ///
    /// ```
    /// use acedia_boxes::{IntArrayBox, IntRef};
    /// use acedia_collections::{ArrayList, HashTable, Item};
    ///
    /// let watched = IntRef::new(7);
    /// let table = HashTable::from([("a", ArrayList::from([19.99, 2.0]))]);
    /// let list = ArrayList::from([Item::from(1), "b".into(), true.into(), table.into()]);
    /// list.write().push(watched.handle()).push(None::<i32>).push(IntArrayBox::new([1, 2]));
    /// let shown = r#"[1,"b",true,{"a":[19.99,2.0]},7,null,[1,2]]"#;
    /// assert_eq!(list.to_string(), shown);
    /// assert_eq!(Item::from(list).to_string(), shown);
    /// assert_eq!(format!("{:#}", Item::from(ArrayList::from([1]))), "[\n  1\n]");
    /// ```
    ///
    /// Needs the feature `json`. Without it, `{:?}` prints items, as Rust values.
    ///
    /// # Panics
    ///
    /// As [`json::to_string`](crate::json::to_string): if this thread is changing a collection, text or ref in it. `{:?}` never waits.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        show(f, |printer| printer.print(self))
    }
}

impl Display for ArrayList {
    /// As an [`Item`] of it: `[1,"b",null]`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        show(f, |printer| printer.print_collection(Collection::List(self)))
    }
}

impl Display for HashTable {
    /// As an [`Item`] of it: `{"name":"Bob","lives":3}`.
    ///
    /// ```
    /// use acedia_collections::HashTable;
    ///
    /// let table = HashTable::from([("a", 1)]);
    /// assert_eq!(table.to_string(), r#"{"a":1}"#);
    /// table.write().set("a", table.handle()); // a circle
    /// assert_eq!(table.to_string(), r#"{"a":null}"#);
    /// ```
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        show(f, |printer| printer.print_collection(Collection::Table(self)))
    }
}

fn show(f: &mut Formatter<'_>, print: impl FnOnce(Printer) -> Result<String, PrintError>) -> fmt::Result {
    let printer = Printer::new().bounded();
    let printer = if f.alternate() { printer.pretty() } else { printer };
    f.write_str(print(printer).as_deref().unwrap_or("null"))
}
