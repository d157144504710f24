//! [`Model`]: which life each key names, and whether that life goes on.

use std::collections::HashMap;

use acedia::pool::Key;

use super::op::POOLS;

/// Stands for every pool that was dropped.
pub(super) const GONE: u8 = u8::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Promised to a reservation.
    Reserved,
    Alive,
    Dead,
}

/// The model of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) pool: u8,
    pub(super) number: u64,
    pub(super) state: State,
    /// Owners, a manual share included.
    pub(super) owners: usize,
    pub(super) manual: bool,
}

/// Everything that was ever issued, in any pool.
#[derive(Default)]
pub(super) struct Model {
    pub(super) keys: HashMap<Key, Known>,
    pub(super) list: Vec<Key>,
    pub(super) next: u64,
    /// Alive in each pool, exposed or not.
    pub(super) live: [u64; POOLS as usize],
}

impl Model {
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn issue(&mut self, key: Key, known: Known) {
        let before = self.keys.insert(key, known);
        assert!(before.is_none(), "{key:?} was issued twice: {before:?}, {known:?}");
        self.list.push(key);
    }

    pub(super) fn any(&self, choice: u16) -> Option<Key> {
        (!self.list.is_empty()).then(|| self.list[usize::from(choice) % self.list.len()])
    }

    pub(super) fn known(&mut self, key: Key) -> &mut Known {
        self.keys.get_mut(&key).expect("a key that was issued")
    }

    /// The number that `key` must lead to in `pool`, if it must lead anywhere.
    pub(super) fn resolve(&self, pool: u8, key: Key) -> Option<u64> {
        let known = self.keys.get(&key)?;
        (known.pool == pool && known.state == State::Alive).then_some(known.number)
    }
}
