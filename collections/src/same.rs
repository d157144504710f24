//! Whether two items have the same content, to any depth.

use std::collections::HashSet;

use crate::Item;
use crate::collection::Collection;

impl Item {
    /// Whether both are equal, and collections have equal items in the same places, all the way down.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, Item};
    ///
    /// let nested = || Item::from(ArrayList::from([ArrayList::from([1, 2])]));
    /// assert!(nested() != nested()); // two objects
    /// assert!(nested().same_content(&nested()));
    /// ```
    ///
    /// Lists are equal item by item, and tables entry by entry, in any order. Collections that are watched are looked into
    /// too, so two that watch each other in a circle can be compared: what is being compared already counts as equal.
    ///
    /// # Panics
    ///
    /// If waiting for a collection, text or ref in it would have no end, above all because this thread is changing it: see
    /// [`ArrayList`](crate::ArrayList#threads).
    ///
    /// # Cost
    ///
    /// That of both trees, which may be of any depth. Each collection is copied before it is compared, so that no lock is held
    /// for long, and none while another is taken.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        let mut open = vec![(self.clone(), other.clone())];
        let mut seen = HashSet::new();
        while let Some((left, right)) = open.pop() {
            let same = Collection::with(&left, |left| {
                Collection::with(&right, |right| {
                    left.is_same(right) || left.pair(right, &mut open, &mut seen)
                })
            });
            let same = match same {
                Some(both) => both.unwrap_or(false),
                None => left == right,
            };
            if !same {
                return false;
            }
        }
        true
    }
}

impl Collection<'_> {
    /// Puts what must be equal, if both are to have the same content, on the list. `false` if they can't have.
    fn pair(self, other: Collection<'_>, open: &mut Vec<(Item, Item)>, seen: &mut HashSet<(usize, usize)>) -> bool {
        let places = [self.place().address(), other.place().address()];
        if !seen.insert((places[0], places[1])) {
            return true;
        }
        match (self, other) {
            (Self::List(left), Collection::List(right)) => {
                let left: Vec<_> = left.read().iter().cloned().collect();
                let right = right.read();
                let same = left.len() == right.len();
                open.extend(left.into_iter().zip(right.iter().cloned()));
                same
            }
            (Self::Table(left), Collection::Table(right)) => {
                let left: Vec<_> = left
                    .read()
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect();
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
