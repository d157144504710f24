//! Comparing the content of items to any depth.

use std::collections::HashSet;

use acedia_text::Keyed;

use crate::Item;
use crate::collection::{Collection, Content};

impl Item {
    /// Whether both items are equal. Collections are compared by content at every level.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let nested = || Item::from(ArrayList::from([ArrayList::from([1, 2])]));
    /// assert!(nested() != nested()); // two objects
    /// assert!(nested().same_content(&nested()));
    /// ```
    ///
    /// Lists are equal if they have equal items in the same order, and tables if they have equal entries in any order.
    /// Watched collections are compared, too. A pair of collections that is already being compared counts as equal, so
    /// collections that watch each other in a cycle can be compared.
    ///
    /// # Panics
    ///
    /// If waiting for a collection, text or ref in one of the items would deadlock, for instance because this thread is
    /// changing it: see [`ArrayList`](crate::ArrayList#threads).
    ///
    /// # Cost
    ///
    /// Linear in the size of both trees, which may be of any depth. Collections are locked briefly and one at a time. Their
    /// values are compared without a lock.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        self.same_by(other, Self::eq)
    }

    /// Like [`same_content`](Self::same_content), but calls `same` if the left item is not a collection.
    #[doc(hidden)]
    pub fn same_by(&self, other: &Self, same: fn(&Self, &Self) -> bool) -> bool {
        let mut open = vec![(self.clone(), other.clone())];
        let mut seen = HashSet::default();
        while let Some((left, right)) = open.pop() {
            // Two collections add the pairs of their items to `open`, so that deep trees need no deep stack.
            let found = Collection::with(&left, |left| {
                Collection::with(&right, |right| left.pair(right, &mut open, &mut seen))
            });
            // The outer `None`: the left item is not a collection. The inner one: the right item is not one.
            let is_same = match found {
                Some(both) => both.unwrap_or(false),
                None => same(&left, &right),
            };
            if !is_same {
                return false;
            }
        }
        true
    }
}

impl Collection<'_> {
    /// Adds to `open` the pairs of items that must be equal for the collections to be equal. `false` if their class, length or
    /// keys differ.
    fn pair(
        self,
        other: Collection<'_>,
        open: &mut Vec<(Item, Item)>,
        seen: &mut HashSet<(usize, usize), Keyed>,
    ) -> bool {
        let places = [self.place().address(), other.place().address()];
        // A pair that is already being compared may be met again inside itself. It differs only if another pair does.
        if places[0] == places[1] || !seen.insert((places[0], places[1])) {
            return true;
        }
        // First, so that collections of different lengths are not copied.
        let len = other.len();
        if self.len() != len {
            return false;
        }
        match (self.content(), other) {
            (Content::List(left), Collection::List(right)) => {
                let right = right.read();
                let same = left.len() == right.len();
                open.extend(left.into_iter().zip(right.iter().cloned()));
                same
            }
            (Content::Table(left), Collection::Table(right)) => {
                let right = right.read();
                left.len() == right.len()
                    && left.into_iter().all(|(key, value)| {
                        let found = right.get_entry(&key).map(|(_, other)| (value, other.clone()));
                        found.map(|pair| open.push(pair)).is_some()
                    })
            }
            _ => false,
        }
    }
}
