//! When two items are equal.

use std::collections::HashSet;

use super::{Item, Repr};
use crate::collection::Collection;

impl PartialEq for Item {
    /// By the kind of the objects' class, whether they are owned or watched. Numbers equal boxes of the same type and value,
    /// and nothing equals nothing. A collection is equal to itself alone: see [`same_content`](Item::same_content).
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        if let (Repr::Owned(_, left), Repr::Owned(_, right)) = (&self.0, &other.0) {
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

    /// Where one of them is no object of its own.
    fn equals_mixed(&self, other: &Self) -> bool {
        if let (Some(left), Some(right)) = (self.watched(), other.watched()) {
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
