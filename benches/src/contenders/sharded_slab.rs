//! `sharded_slab::Pool`: objects are cleared and kept.

use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
};

use sharded_slab::Pool;

/// One pool.
#[derive(Debug)]
pub(crate) struct ShardedSlab<P: Payload>(&'static Pool<P>);

impl<P: Payload> Clone for ShardedSlab<P> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<P: Payload> Contender for ShardedSlab<P> {
    const NAME: &'static str = "sharded-slab";
    // A state and the link of the free list beside the object.
    const LAYOUT_BYTES: Option<usize> = Some(size_of::<(P, usize, usize)>());
    type Owner = usize;

    fn new() -> Self {
        Self(Box::leak(Box::default()))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> usize {
        self.0
            .create_with(|object| object.fill(seed))
            .expect("the shard has room")
    }

    #[inline(always)]
    fn free(&mut self, owner: usize) {
        self.0.clear(owner);
    }
}

impl<P: Payload> Shared for ShardedSlab<P> {}

impl<P: Payload> Readable for ShardedSlab<P> {
    type Key = usize;
    type Pin = ();

    fn key(&self, owner: &usize) -> usize {
        *owner
    }

    #[inline]
    fn pin(&self) {}

    #[inline]
    fn reader(&self, (): &()) -> impl Fn(&usize) -> Option<u64> {
        |key| self.0.get(*key).map(|object| object.first())
    }
}
