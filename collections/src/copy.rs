//! Copying the content of items to any depth.

use crate::collection::Collection;
use crate::{ArrayList, HashTable, Item};

impl Item {
    /// A copy with new lists and tables at every level. A list that is in two places becomes two lists. The copy shares everything
    /// else with this item: texts, refs and watched objects.
    ///
    /// ```
    /// use acedia_collections::{ArrayList, HashTable, Item, Nested};
    ///
    /// let document = Item::from(HashTable::from([("list", ArrayList::from([1, 2]))]));
    /// let copy = document.deep_clone();
    /// copy.set_by("/list/0", 7)?;
    /// assert_eq!(
    ///     (document.get_by("/list/0").as_int(), copy.get_by("/list/0").as_int()),
    ///     (Some(1), Some(7))
    /// );
    /// # Ok::<(), acedia_collections::NestedError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If waiting for a collection in this item would deadlock: see [`ArrayList`](crate::ArrayList#threads).
    ///
    /// # Cost
    ///
    /// Linear in the size of the tree, which may be of any depth.
    #[must_use]
    #[track_caller]
    pub fn deep_clone(&self) -> Self {
        let mut most = u64::MAX;
        self.copy_within(&mut most).unwrap_or_default()
    }

    /// Like [`deep_clone`](Self::deep_clone), but returns `None` if there are more items than `most`. Subtracts the number of
    /// items from `most`. A copy that would be too large is not built.
    #[track_caller]
    #[doc(hidden)]
    pub fn copy_within(&self, most: &mut u64) -> Option<Self> {
        let mut take = |items: usize| most.checked_sub(items as u64).map(|left| *most = left);
        take(1)?;
        // Collections are copied empty first and filled from a list of open pairs, so that deep trees need no deep stack.
        let child = |item: &Self, open: &mut Vec<(Self, Self)>| {
            let copy: Self = match item.object().and_then(Collection::of) {
                Some(Collection::List(_)) => ArrayList::new().into(),
                Some(Collection::Table(_)) => HashTable::new().into(),
                None => return item.clone(),
            };
            open.push((item.clone(), copy.clone()));
            copy
        };
        let mut open = Vec::new();
        let whole = child(self, &mut open);
        while let Some((from, to)) = open.pop() {
            // One collection of the source is locked at a time. Its length is subtracted from the limit before it is copied.
            let both = from
                .object()
                .and_then(Collection::of)
                .zip(to.object().and_then(Collection::of));
            match both {
                Some((Collection::List(from), Collection::List(to))) => {
                    let items = from.read();
                    take(items.len())?;
                    to.write().extend(items.iter().map(|item| child(item, &mut open)));
                }
                Some((Collection::Table(from), Collection::Table(to))) => {
                    let entries = from.read();
                    take(entries.len())?;
                    to.write()
                        .extend(entries.iter().map(|(key, item)| (key.clone(), child(item, &mut open))));
                }
                _ => {}
            }
        }
        Some(whole)
    }
}
