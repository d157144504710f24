//! [`show`]: items and collections as JSON with `{}`.

use std::fmt;

use acedia_collections::Item;

use super::printer::Printer;

/// Makes an item printable as JSON: in one line with `{}`, and in many lines with `{:#}`. A value that JSON cannot express is
/// `null`. A watched collection is printed in each place that watches it. After a thousand repetitions, further ones are printed as
/// `[…]` and `{…}`. So printing a graph ends soon, and a parser rejects the result, because these marks are not JSON.
///
/// ```
/// use acedia_boxes::{IntArrayBox, IntRef};
/// use acedia_collections::{ArrayList, HashTable, Item};
/// use acedia_json::show;
///
/// let watched = IntRef::new(7);
/// let table = HashTable::from([("a", ArrayList::from([19.99, 2.0]))]);
/// let list = ArrayList::from([Item::from(1), "b".into(), true.into(), table.into()]);
/// list.write().push(watched.handle()).push(None::<i32>).push(IntArrayBox::new([1, 2]));
/// let shown = r#"[1,"b",true,{"a":[19.99,2.0]},7,null,[1,2]]"#;
/// assert_eq!(show(&list).to_string(), shown);
/// assert_eq!(show(&Item::from(list)).to_string(), shown);
/// assert_eq!(format!("{:#}", show(&ArrayList::from([1]))), "[\n  1\n]");
///
/// let table = HashTable::from([("a", 1)]);
/// assert_eq!(show(&table).to_string(), r#"{"a":1}"#);
/// table.write().set("a", table.handle()); // a cycle
/// assert_eq!(show(&table).to_string(), r#"{"a":null}"#);
/// ```
///
/// # Panics
///
/// Printing panics as [`to_string`](super::to_string) does, if this thread is changing a collection, text or ref in the item.
/// `{:?}` of items and collections does not wait.
pub fn show(of: impl Into<Item>) -> Shown {
    Shown(of.into())
}

/// An item that `{}` prints as JSON: see [`show`].
#[derive(Clone)]
pub struct Shown(Item);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::new().bounded();
        let printer = if f.alternate() { printer.pretty() } else { printer };
        f.write_str(printer.print(&self.0).as_deref().unwrap_or("null"))
    }
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
