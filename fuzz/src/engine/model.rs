//! [`Model`]: which life each handle names, and whether that life goes on.

use std::collections::HashMap;

use acedia::Handle;

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

/// A handle of a pool of any type.
pub(super) type Name = Handle<()>;

/// The same handle, for a pool of another type.
pub(super) fn retyped<T, U>(handle: Handle<T>) -> Handle<U> {
    Handle::from_bits(handle.to_bits()).expect("the bits of a handle")
}

/// The model of a handle.
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
    pub(super) names: HashMap<Name, Known>,
    pub(super) list: Vec<Name>,
    pub(super) next: u64,
    /// Alive in each pool, exposed or not.
    pub(super) live: [u64; POOLS as usize],
}

impl Model {
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn issue(&mut self, name: Name, known: Known) {
        let before = self.names.insert(name, known);
        assert!(before.is_none(), "{name:?} was issued twice: {before:?}, {known:?}");
        self.list.push(name);
    }

    pub(super) fn any(&self, choice: u16) -> Option<Name> {
        (!self.list.is_empty()).then(|| self.list[usize::from(choice) % self.list.len()])
    }

    pub(super) fn known(&mut self, name: Name) -> &mut Known {
        self.names.get_mut(&name).expect("a handle that was issued")
    }

    /// The number that `name` must lead to in `pool`, if it must lead anywhere.
    pub(super) fn resolve(&self, pool: u8, name: Name) -> Option<u64> {
        let known = self.names.get(&name)?;
        (known.pool == pool && known.state == State::Alive).then_some(known.number)
    }
}
