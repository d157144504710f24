//! `papaya` as a table of sessions: objects by number, read without a lock.

use super::numbers::{Fold, Numbers};
use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
};

use papaya::{HashMap, LocalGuard};

/// One table.
#[derive(Debug)]
pub(crate) struct Papaya<P: Payload> {
    table: &'static HashMap<u64, P, Fold>,
    numbers: Numbers,
}

impl<P: Payload> Clone for Papaya<P> {
    fn clone(&self) -> Self {
        Self {
            table: self.table,
            numbers: Numbers::new(),
        }
    }
}

impl<P: Payload> Contender for Papaya<P> {
    const NAME: &'static str = "papaya";
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
        self.table.insert(number, P::make(seed), &self.table.guard());
        number
    }

    #[inline(always)]
    fn free(&mut self, owner: u64) {
        self.table.remove(&owner, &self.table.guard());
    }
}

impl<P: Payload> Shared for Papaya<P> {}

impl<P: Payload> Readable for Papaya<P> {
    type Key = u64;
    type Pin = LocalGuard<'static>;

    fn key(&self, owner: &u64) -> u64 {
        *owner
    }

    #[inline]
    fn pin(&self) -> LocalGuard<'static> {
        self.table.guard()
    }

    #[inline]
    fn reader(&self, pin: &LocalGuard<'static>) -> impl Fn(&u64) -> Option<u64> {
        |key| self.table.get(key, pin).map(Payload::first)
    }
}
