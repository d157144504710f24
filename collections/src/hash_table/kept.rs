//! [`Kept`]: the storage of a table's entries.

use std::mem;

use acedia::__private::drop_all;
use acedia::Owned;
use acedia_text::is_exact;

use super::ordered::{Ordered, Stored};
use super::shape::Shape;
use crate::few::Few;
use crate::release::Contents;
use crate::stack::Stack;
use crate::{Item, Key};

pub(super) enum Kept {
    /// The table's own keys, each with its item.
    Own(Own),
    /// An item for each key of a shape, inline, so that readers of the table find the items next to it. Without a shape, there are no
    /// items.
    Few(Option<Owned<Shape>>, Few<Item, FEW>),
    /// An item for each key of a shape.
    Many(Owned<Shape>, Vec<Item>),
}

/// Entries with keys of the table's own.
#[derive(Default)]
pub(super) struct Own {
    pub(super) table: Ordered,
    /// The number of keys that are only watched, dead ones included. Nearly always 0: then no key can be dead.
    pub(super) watched: usize,
    pub(super) collisions: usize,
    pub(super) minimal_capacity: usize,
}

impl Own {
    /// Whether the hash alone identifies an entry, so that no key need be compared. `false` if keys are watched, because a freed
    /// key leaves its hash behind.
    #[inline]
    pub(super) fn is_told_by(&self, hash: u64) -> bool {
        is_exact(hash) && self.watched == 0
    }

    /// Adds the keys of a shape, and an item for each.
    fn extend(&mut self, shape: &Shape, values: impl Iterator<Item = Item>) {
        for ((hash, key), value) in shape.hashed().zip(values) {
            let key = key.clone();
            self.table.push(Stored { hash, key, value });
        }
    }

    /// The item of any key. Keys seldom share a hash, so only the first entry with the hash is tried here.
    #[inline(never)]
    pub(super) fn get(&self, key: impl Key) -> Option<&Item> {
        let hash = key.key_hash()?;
        let stored = self.table.at(self.table.find(hash, |_| true)?)?;
        if key.finds(&stored.key) {
            Some(&stored.value)
        } else {
            self.get_with_care(hash, &key)
        }
    }

    /// The item of a key, if several may have this hash. A tail call, so that the caller spills no registers before it.
    #[inline(never)]
    fn get_with_care(&self, hash: u64, key: &impl Key) -> Option<&Item> {
        Some(&self.table.at(self.place_with_care(hash, key)?)?.value)
    }

    /// The place of a key that has this hash, compared as in [`get`](Self::get).
    #[inline]
    pub(super) fn place(&self, hash: u64, key: &impl Key) -> Option<usize> {
        let place = self.table.find(hash, |_| true)?;
        if self.is_told_by(hash) || key.finds(&self.table.at(place)?.key) {
            Some(place)
        } else {
            self.place_with_care(hash, key)
        }
    }

    /// The place of a key, if several may have this hash.
    #[inline(never)]
    fn place_with_care(&self, hash: u64, key: &impl Key) -> Option<usize> {
        self.table.find(hash, |stored| key.finds(&stored.key))
    }
}

/// Most tables in JSON documents have no more entries.
const FEW: usize = 12;

/// The greatest capacity, in entries, that a freed table keeps.
const KEPT: usize = 4096 / size_of::<Stored>();

impl Default for Kept {
    fn default() -> Self {
        Self::Own(Own::default())
    }
}

impl Kept {
    #[inline]
    pub(super) fn shape(&self) -> Option<&Shape> {
        match self {
            Self::Few(shape, _) => shape.as_deref(),
            Self::Many(shape, _) => Some(shape),
            Self::Own(_) => None,
        }
    }

    /// The items of the keys of a shape.
    #[inline]
    pub(super) fn values(&self) -> &[Item] {
        match self {
            Self::Few(_, few) => few.all(),
            Self::Many(_, items) => items,
            Self::Own(_) => &[],
        }
    }

    #[inline]
    pub(super) fn values_mut(&mut self) -> &mut [Item] {
        match self {
            Self::Few(_, few) => few.all_mut(),
            Self::Many(_, items) => items,
            Self::Own(_) => &mut [],
        }
    }

    /// The shape and the items, if there is capacity for another inline item, and the shape has no other owner.
    pub(super) fn growing(&mut self) -> Option<(&mut Shape, &mut Few<Item, FEW>)> {
        match self {
            Self::Few(Some(shape), few) if few.len() < FEW => Some((shape.get_mut()?, few)),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn own(&self) -> Option<&Own> {
        match self {
            Self::Own(own) => Some(own),
            Self::Few(..) | Self::Many(..) => None,
        }
    }

    /// Like [`own`](Self::own), but mutable. If the keys are a shape's, they are copied first.
    #[inline]
    pub(super) fn own_mut(&mut self) -> &mut Own {
        if let Self::Few(..) | Self::Many(..) = self {
            self.leave_shape();
        }
        match self {
            Self::Own(own) => own,
            Self::Few(..) | Self::Many(..) => unreachable!("the shape was left"),
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_shape(&mut self) {
        let mut own = Own::default();
        // Most tables leave their shape for one more key.
        own.table.reserve(self.values().len() + 1);
        match self {
            Self::Few(Some(shape), few) => own.extend(shape, few.take()),
            Self::Many(shape, items) => own.extend(shape, mem::take(items).into_iter()),
            Self::Few(None, _) | Self::Own(_) => {}
        }
        *self = Self::Own(own);
    }

    /// Fills an empty table with the values on the stack from `start` on, one for each key of a shape.
    #[inline]
    pub(super) fn fill(&mut self, shape: Owned<Shape>, values: &mut Stack, start: usize) {
        let values = values.last(start);
        if let Self::Own(_) = self {
            *self = Self::Few(None, Few::default());
        }
        if let Self::Few(own, few) = self {
            if few.fill(values, mem::take) {
                *own = Some(shape);
                return;
            }
        }
        *self = Self::Many(shape, values.iter_mut().map(mem::take).collect());
    }

    #[inline(never)]
    fn release_many(&mut self) {
        match self {
            Self::Few(..) => {}
            Self::Many(..) => drop_all(self.take().into_iter()),
            Self::Own(own) => {
                (own.collisions, own.minimal_capacity, own.watched) = (0, 0, 0);
                // Taken out, so that a panic of a finalizer leaves an empty table.
                let mut table = mem::take(&mut own.table);
                drop_all(table.drain(0).flat_map(Stored::both));
                if table.is_at_most(KEPT) {
                    own.table = table;
                }
            }
        }
    }
}

impl Contents for Kept {
    #[inline]
    fn release(&mut self) {
        if let Self::Few(shape, few) = self {
            let _shape = shape.take();
            drop_all(few.take());
        } else {
            self.release_many();
        }
    }

    /// All items, and the table's own keys.
    fn take(&mut self) -> Vec<Item> {
        match mem::take(self) {
            Self::Few(_, mut few) => few.take().collect(),
            Self::Many(_, items) => items,
            Self::Own(mut own) => own.table.drain(0).flat_map(Stored::both).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
