//! [`Rare`]: what few actors have. Kept apart, so that the others don't pay for it.

use std::collections::HashMap;

use crate::Name;

/// What few actors have, by slot.
#[derive(Default)]
pub(crate) struct RareFacts(HashMap<usize, Rare>);

/// What few actors have.
#[derive(Default)]
pub(crate) struct Rare {
    /// The name that was asked for.
    pub(crate) name: Name,
    /// The states below the active one, the deepest first; `None` is no state.
    pub(crate) paused: Vec<Option<usize>>,
}

impl RareFacts {
    pub(crate) fn of(&self, slot: usize) -> Option<&Rare> {
        // Mostly there is nothing at all, and nothing to hash.
        if self.0.is_empty() { None } else { self.0.get(&slot) }
    }

    pub(crate) fn of_mut(&mut self, slot: usize) -> Option<&mut Rare> {
        if self.0.is_empty() { None } else { self.0.get_mut(&slot) }
    }

    pub(crate) fn entry(&mut self, slot: usize) -> &mut Rare {
        self.0.entry(slot).or_default()
    }

    pub(crate) fn forget(&mut self, slot: usize) {
        if !self.0.is_empty() {
            self.0.remove(&slot);
        }
    }
}
