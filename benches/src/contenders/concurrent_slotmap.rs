//! `concurrent-slotmap`: slots with versions, Hyaline for readers, no recycling of inner memory.

use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
};

use concurrent_slotmap::{SlotId, SlotMap, hyaline::Guard};

/// More than any workload holds. Only address space is taken at once.
const CAPACITY: u32 = 1 << 21;

/// One slot map.
#[derive(Debug)]
pub(crate) struct SharedSlots<P: 'static>(&'static SlotMap<SlotId, P>);

impl<P> Clone for SharedSlots<P> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<P: Payload> Contender for SharedSlots<P> {
    const NAME: &'static str = "concurrent-slotmap";
    type Owner = SlotId;

    fn new() -> Self {
        Self(Box::leak(Box::new(SlotMap::new(CAPACITY))))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> SlotId {
        self.0.insert(P::make(seed), &self.0.pin())
    }

    #[inline(always)]
    fn free(&mut self, owner: SlotId) {
        self.0.remove(owner, &self.0.pin());
    }
}

impl<P: Payload> Shared for SharedSlots<P> {}

impl<P: Payload> Readable for SharedSlots<P> {
    type Key = SlotId;
    type Pin = Guard<'static>;

    fn key(&self, owner: &SlotId) -> SlotId {
        *owner
    }

    #[inline]
    fn pin(&self) -> Guard<'static> {
        self.0.pin()
    }

    #[inline]
    fn reader(&self, pin: &Guard<'static>) -> impl Fn(&SlotId) -> Option<u64> {
        |key| self.0.get(*key, pin).map(Payload::first)
    }
}
