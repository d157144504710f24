//! [`Stack`]: the items of all collections that a parser is reading.
#![allow(
    missing_docs,
    missing_debug_implementations,
    reason = "for the crates of this workspace alone"
)]

use std::mem;

use crate::Item;

/// The items of all open collections of a document. The items of the innermost collection come last.
///
/// ```text
/// items   1   2   "a"  null  null  null …
///         ───── len ─  none, overwritten by the next items
/// ```
///
/// A pushed item overwrites [`Item::NONE`], which need not be dropped. A taken item leaves [`Item::NONE`]. So pushing and
/// taking are moves that never look at the previous value.
pub struct Stack {
    /// The first `len` items, then [`Item::NONE`].
    items: Vec<Item>,
    len: usize,
}

impl Default for Stack {
    /// Starts with capacity for the items of a small document.
    fn default() -> Self {
        Self {
            items: vec![Item::NONE; 32],
            len: 0,
        }
    }
}

impl Stack {
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "not needed")]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn push(&mut self, item: Item) {
        match self.items.get_mut(self.len) {
            Some(nothing) => mem::forget(mem::replace(nothing, item)),
            None => self.push_behind(item),
        }
        self.len += 1;
    }

    /// Pushes at the end of the vector, and grows it.
    #[cold]
    #[inline(never)]
    fn push_behind(&mut self, item: Item) {
        let room = 2 * self.items.len();
        self.items.push(item);
        self.items.resize_with(room, Item::default);
    }

    /// The items from `start` on, which no longer count. The caller must leave [`Item::NONE`] in their places.
    #[inline]
    pub fn last(&mut self, start: usize) -> &mut [Item] {
        let end = mem::replace(&mut self.len, start);
        &mut self.items[start..end]
    }

    /// Takes the items from `start` on.
    pub fn take(&mut self, start: usize) -> Vec<Item> {
        self.last(start).iter_mut().map(mem::take).collect()
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Item> {
        let last = self.len.checked_sub(1)?;
        self.last(last).first_mut().map(mem::take)
    }

    /// Releases everything, and keeps the memory of at most `kept` items.
    pub fn clear(&mut self, kept: usize) {
        drop(self.take(0));
        if self.items.len() > kept {
            *self = Self::default();
        }
    }
}

impl Extend<Item> for Stack {
    fn extend<I: IntoIterator<Item = Item>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}
