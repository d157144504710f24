//! [`Saved`]: an actor as a table; and vectors and counts as items.

use acedia::Owned;
use acedia::actors::{Actor, Vector};
use acedia::collections::{ArrayList, Entries, Item, Nested, TableWriter};

/// An actor that can be saved to a table and restored from it.
pub(super) trait Saved: Actor {
    /// Whether each level has it from the beginning, so that restoring need not place it.
    const IS_ON_THE_MAP: bool;

    fn save(&self, record: &mut TableWriter<'_>);

    /// Fields that the table lacks stay as they are. Untrusted values must leave the actor valid.
    fn restore(&mut self, record: &Entries);
}

/// A vector as a list of three numbers.
pub(super) fn vector(vector: Vector) -> Owned<ArrayList> {
    ArrayList::from([vector.x, vector.y, vector.z])
}

/// The vector of such a list; missing numbers are 0.
pub(super) fn to_vector(item: &Item) -> Vector {
    let part = |pointer: &str| item.get_by(pointer).as_float().unwrap_or(0.0);
    Vector::new(part("/0"), part("/1"), part("/2"))
}

/// A count as an integer.
pub(super) fn number(count: u64) -> Item {
    i64::try_from(count).unwrap_or(i64::MAX).into()
}

/// The count in such an item; 0 if it is none.
pub(super) fn to_number<N: TryFrom<i64> + Default>(item: &Item) -> N {
    let count = item.as_long().filter(|count| *count >= 0);
    count.and_then(|count| N::try_from(count).ok()).unwrap_or_default()
}
