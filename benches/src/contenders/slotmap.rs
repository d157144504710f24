//! `slotmap`: one thread, `&mut` for every change, no recycling of inner memory.

use crate::{
    contender::{Contender, Readable},
    payload::Payload,
};

use slotmap::{DefaultKey, SlotMap};

/// One slot map.
#[derive(Debug)]
pub(crate) struct Slots<P>(SlotMap<DefaultKey, P>);

impl<P: Payload> Contender for Slots<P> {
    const NAME: &'static str = "slotmap";
    // A version beside the object.
    const LAYOUT_BYTES: Option<usize> = Some(size_of::<(P, u32)>());
    type Owner = DefaultKey;

    fn new() -> Self {
        Self(SlotMap::new())
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> DefaultKey {
        self.0.insert(P::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: DefaultKey) {
        self.0.remove(owner);
    }
}

impl<P: Payload> Readable for Slots<P> {
    type Key = DefaultKey;
    type Pin = ();

    fn key(&self, owner: &DefaultKey) -> DefaultKey {
        *owner
    }

    #[inline]
    fn pin(&self) {}

    #[inline]
    fn reader(&self, (): &()) -> impl Fn(&DefaultKey) -> Option<u64> {
        |key| self.0.get(*key).map(Payload::first)
    }
}
