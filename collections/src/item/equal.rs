//! Equality of items.

use super::{Item, Repr};

impl PartialEq for Item {
    /// Objects are compared by the rules of their class, whether they are owned or watched. A number equals the box
    /// that [`to_object`](Item::to_object) makes of it, and none equals none. A collection is equal only to itself;
    /// [`same_content`](Item::same_content) compares contents.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        if let (Repr::Owned(left), Repr::Owned(right)) = (&self.0, &other.0) {
            return left.is_equal(right);
        }
        match (self.plain(), other.plain()) {
            (Some(left), Some(right)) => left == right,
            _ => self.equals_mixed(other),
        }
    }
}

impl Eq for Item {}

impl Item {
    /// For two items, unless both own objects.
    fn equals_mixed(&self, other: &Self) -> bool {
        if let (Some(left), Some(right)) = (self.watched(), other.watched()) {
            // A handle whose object was freed is none, and none equals none.
            return left.is_equal(right) || (!left.is_allocated() && !right.is_allocated());
        }
        match (self.is_none(), other.is_none()) {
            (true, true) => return true,
            (false, false) => {}
            _ => return false,
        }
        if self.plain().or(other.plain()).is_some() {
            let both = self.scalar().zip(other.scalar());
            both.is_some_and(|(left, right)| left == right)
        } else {
            let both = self.handle().zip(other.handle());
            both.is_some_and(|(left, right)| left.is_equal(right))
        }
    }
}
