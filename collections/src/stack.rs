//! [`Stack`]: the items of all collections that are being read.

use std::mem;

use crate::Item;

/// The items of all collections that are being read: those of the innermost one are the last.
///
/// ```text
/// items   1   2   "a"  null  null  null …
///         ───── len ─  nothings, for what comes next
/// ```
///
/// What comes takes the place of a nothing, which need not be dropped; what is taken leaves one. So to push and to take is to move,
/// without a look at what was there.
pub(crate) struct Stack {
    /// All behind the first `len` are nothings.
    items: Vec<Item>,
    len: usize,
}

impl Default for Stack {
    /// With room at once for the items of a small document, which is over before there would be any after growing.
    fn default() -> Self {
        Self {
            items: vec![Item::NONE; 32],
            len: 0,
        }
    }
}

impl Stack {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn push(&mut self, item: Item) {
        match self.items.get_mut(self.len) {
            Some(nothing) => mem::forget(mem::replace(nothing, item)),
            None => self.push_behind(item),
        }
        self.len += 1;
    }

    /// The same where there is no nothing any more.
    #[cold]
    #[inline(never)]
    fn push_behind(&mut self, item: Item) {
        let room = 2 * self.items.len();
        self.items.push(item);
        self.items.resize_with(room, Item::default);
    }

    /// The last ones, from `start` on, to be taken: whoever asks leaves nothings.
    #[inline]
    pub(crate) fn last(&mut self, start: usize) -> &mut [Item] {
        let end = mem::replace(&mut self.len, start);
        &mut self.items[start..end]
    }

    /// Takes the last ones, from `start` on.
    pub(crate) fn take(&mut self, start: usize) -> Vec<Item> {
        self.last(start).iter_mut().map(mem::take).collect()
    }

    pub(crate) fn pop(&mut self) -> Option<Item> {
        let last = self.len.checked_sub(1)?;
        self.last(last).first_mut().map(mem::take)
    }

    /// Releases everything, and keeps some memory: for so many items at most.
    pub(crate) fn clear(&mut self, kept: usize) {
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

#[cfg(test)]
mod tests;
