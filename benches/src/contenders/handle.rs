//! Ours: a class instead of a pool, read by `Handle::get`.

use acedia::{Family, Handle, Object, Owned, class, class_table, pin, pool::Pinned};

use crate::{
    contender::{Contender, Readable},
    payload::{Payload, Words},
};

/// A class has one pool in the process: each column that reads has a `COLUMN` of its own, so that each begins with an empty pool.
#[derive(Debug, Default)]
pub(crate) struct Record<const COLUMN: usize>(Words<2>);

impl<const COLUMN: usize> Object for Record<COLUMN>
where
    Self: Family,
{
    class!(family);
}

class_table! {
    Record<0> => "Bench.Record0",
    Record<1> => "Bench.Record1",
    Record<2> => "Bench.Record2",
    Record<3> => "Bench.Record3",
}

/// Every object of a class.
#[derive(Debug)]
pub(crate) struct ByHandle<const COLUMN: usize>;

impl<const COLUMN: usize> Contender for ByHandle<COLUMN>
where
    Record<COLUMN>: Family,
{
    const NAME: &'static str = "acedia, Handle::get";
    type Owner = Owned<Record<COLUMN>>;

    fn new() -> Self {
        Self
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        Record::allocate_with(|record| record.0.fill(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<const COLUMN: usize> Readable for ByHandle<COLUMN>
where
    Record<COLUMN>: Family,
{
    type Key = Handle<Record<COLUMN>>;
    type Pin = Pinned;

    fn key(&self, owner: &Self::Owner) -> Self::Key {
        owner.handle()
    }

    fn pin(&self) -> Pinned {
        pin()
    }

    #[inline]
    fn reader(&self, pin: &Pinned) -> impl Fn(&Self::Key) -> Option<u64> {
        |handle| handle.get(pin).map(|record| record.0.first())
    }
}
