//! `DashMap` as a table of sessions: objects by number, with a lock for each of its shards.

use super::numbers::{Fold, Numbers};
use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
};

use dashmap::DashMap;
use std::fmt;

/// One table.
pub(crate) struct Dash<P: Payload> {
    table: &'static DashMap<u64, P, Fold>,
    numbers: Numbers,
}

impl<P: Payload> Clone for Dash<P> {
    fn clone(&self) -> Self {
        Self {
            table: self.table,
            numbers: Numbers::new(),
        }
    }
}

impl<P: Payload> fmt::Debug for Dash<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dash").finish_non_exhaustive()
    }
}

impl<P: Payload> Contender for Dash<P> {
    const NAME: &'static str = "DashMap";
    type Owner = u64;

    fn new() -> Self {
        Self {
            table: Box::leak(Box::default()),
            numbers: Numbers::new(),
        }
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> u64 {
        let number = self.numbers.next();
        self.table.insert(number, P::make(seed));
        number
    }

    #[inline(always)]
    fn free(&mut self, owner: u64) {
        self.table.remove(&owner);
    }
}

impl<P: Payload> Shared for Dash<P> {}

impl<P: Payload> Readable for Dash<P> {
    type Key = u64;
    type Pin = ();

    fn key(&self, owner: &u64) -> u64 {
        *owner
    }

    #[inline]
    fn pin(&self) {}

    #[inline]
    fn reader(&self, (): &()) -> impl Fn(&u64) -> Option<u64> {
        |key| self.table.get(key).map(|object| object.first())
    }
}
