//! [`Values`]: the items of a table whose keys are a shape's.

use std::mem;

use crate::Item;
use crate::few::Few;

/// The items of a table whose keys are a shape's.
pub(super) enum Values {
    Few(Few<Item, FEW>),
    Many(Vec<Item>),
}

/// Most tables have no more entries.
const FEW: usize = 12;

impl Default for Values {
    fn default() -> Self {
        Self::Few(Few::default())
    }
}

impl Values {
    #[inline]
    pub(super) fn all(&self) -> &[Item] {
        match self {
            Self::Few(few) => few.all(),
            Self::Many(items) => items,
        }
    }

    #[inline]
    pub(super) fn all_mut(&mut self) -> &mut [Item] {
        match self {
            Self::Few(few) => few.all_mut(),
            Self::Many(items) => items,
        }
    }

    /// Fills it, which was empty, with the last of `items`, from `start` on.
    #[inline]
    pub(super) fn fill(&mut self, items: &mut Vec<Item>, start: usize) {
        if let Self::Few(few) = self {
            if few.fill(items[start..].iter_mut().map(mem::take)) {
                return items.truncate(start);
            }
        }
        *self = Self::Many(items.split_off(start));
    }

    /// Releases everything.
    #[inline]
    pub(super) fn clear(&mut self) {
        match self {
            Self::Few(few) => few.empty(drop),
            Self::Many(_) => *self = Self::default(),
        }
    }

    /// Everything. Leaves nothing.
    pub(super) fn take(&mut self) -> Vec<Item> {
        match mem::take(self) {
            Self::Few(mut few) => few.all_mut().iter_mut().map(mem::take).collect(),
            Self::Many(items) => items,
        }
    }
}
