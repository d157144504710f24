//! `Arc` from the system allocator, with or without a `Weak` as its handle.

use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
};

use std::{
    marker::PhantomData,
    sync::{Arc, Weak},
};

/// Every object counted. With `HANDLE`, a `Weak` is made with the object and kept as long.
#[derive(Debug)]
pub(crate) struct Counted<P, const HANDLE: bool>(PhantomData<P>);

impl<P, const HANDLE: bool> Clone for Counted<P, HANDLE> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<P: Payload, const HANDLE: bool> Contender for Counted<P, HANDLE> {
    const NAME: &'static str = if HANDLE { "Arc and Weak" } else { "Arc" };
    // Two counts beside the object, then as `Box`.
    const LAYOUT_BYTES: Option<usize> = Some((size_of::<P>() + 16 + 8).next_multiple_of(16));
    type Owner = (Arc<P>, Option<Weak<P>>);

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        let owner = Arc::new(P::make(seed));
        let handle = HANDLE.then(|| Arc::downgrade(&owner));
        (owner, handle)
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload, const HANDLE: bool> Shared for Counted<P, HANDLE> {}

impl<P: Payload> Readable for Counted<P, false> {
    type Key = Weak<P>;
    type Pin = ();

    fn key(&self, owner: &Self::Owner) -> Weak<P> {
        Arc::downgrade(&owner.0)
    }

    #[inline]
    fn pin(&self) {}

    #[inline]
    fn reader(&self, (): &()) -> impl Fn(&Weak<P>) -> Option<u64> {
        |key| key.upgrade().map(|object| object.first())
    }
}
