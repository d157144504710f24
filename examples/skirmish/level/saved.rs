//! [`Saved`]: what an actor is, as a table; and vectors and counts as items.

use acedia::Owned;
use acedia::actors::{Actor, Vector};
use acedia::collections::{ArrayList, Entries, Item, Nested, TableWriter};

/// An actor that can say what it is in a table, and become what a table says.
pub(super) trait Saved: Actor {
    /// Whether each level has it from the beginning, so that it needn't be made.
    const IS_ON_THE_MAP: bool;

    fn save(&self, record: &mut TableWriter<'_>);

    /// What the table lacks stays as it is. Whatever a file says, the actor must be able to live with it.
    fn restore(&mut self, record: &Entries);
}

/// A vector as JSON can say it.
pub(super) fn vector(vector: Vector) -> Owned<ArrayList> {
    ArrayList::from([vector.x, vector.y, vector.z])
}

/// The vector that such a list is; what is missing is 0.
pub(super) fn to_vector(item: &Item) -> Vector {
    let part = |pointer: &str| item.get_by(pointer).as_float().unwrap_or(0.0);
    Vector::new(part("/0"), part("/1"), part("/2"))
}

/// A count as JSON can say it.
pub(super) fn number(count: u64) -> Item {
    i64::try_from(count).unwrap_or(i64::MAX).into()
}

/// The count that such an item is; 0 if it is none.
pub(super) fn to_number<N: TryFrom<i64> + Default>(item: &Item) -> N {
    let count = item.as_long().filter(|count| *count >= 0);
    count.and_then(|count| N::try_from(count).ok()).unwrap_or_default()
}
