//! [`show`]: items and collections as JSON with `{}`.

use std::fmt::{self, Debug, Display, Formatter};

use acedia::Owned;
use acedia_collections::__private::Collection;
use acedia_collections::{ArrayList, HashTable, Item};

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
pub fn show<'a>(of: impl Into<Shown<'a>>) -> Shown<'a> {
    of.into()
}

/// An item or collection that `{}` prints as JSON: see [`show`].
#[derive(Clone, Copy)]
pub struct Shown<'a>(Of<'a>);

#[derive(Clone, Copy)]
enum Of<'a> {
    Item(&'a Item),
    Collection(Collection<'a>),
}

impl<'a> From<&'a Item> for Shown<'a> {
    fn from(item: &'a Item) -> Self {
        Self(Of::Item(item))
    }
}

/// A collection, or an owner of it.
macro_rules! collections {
    ($($collection:ty => $kind:ident),*) => {
        $(impl<'a> From<&'a $collection> for Shown<'a> {
            fn from(collection: &'a $collection) -> Self {
                Self(Of::Collection(Collection::$kind(collection)))
            }
        })*
    };
}

collections!(ArrayList => List, Owned<ArrayList> => List, HashTable => Table, Owned<HashTable> => Table);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let printer = Printer::new().bounded();
        let printer = if f.alternate() { printer.pretty() } else { printer };
        let shown = match self.0 {
            Of::Item(item) => printer.print(item),
            Of::Collection(collection) => printer.print_collection(collection),
        };
        f.write_str(shown.as_deref().unwrap_or("null"))
    }
}

impl Debug for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Of::Item(item) => item.fmt(f),
            Of::Collection(Collection::List(list)) => list.fmt(f),
            Of::Collection(Collection::Table(table)) => table.fmt(f),
        }
    }
}
