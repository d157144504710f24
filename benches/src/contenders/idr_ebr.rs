//! `idr-ebr`: an allocation for every object, epochs for readers.

use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
};

use idr_ebr::{EbrGuard, Key};

/// One resolver.
#[derive(Debug)]
pub(crate) struct Idr<P: Payload>(&'static idr_ebr::Idr<P>);

impl<P: Payload> Clone for Idr<P> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<P: Payload> Contender for Idr<P> {
    const NAME: &'static str = "idr-ebr";
    type Owner = Key;

    fn new() -> Self {
        Self(Box::leak(Box::default()))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Key {
        self.0.insert(P::make(seed)).expect("the resolver has room")
    }

    #[inline(always)]
    fn free(&mut self, owner: Key) {
        self.0.remove(owner);
    }
}

impl<P: Payload> Shared for Idr<P> {}

impl<P: Payload> Readable for Idr<P> {
    type Key = Key;
    type Pin = EbrGuard;

    fn key(&self, owner: &Key) -> Key {
        *owner
    }

    #[inline]
    fn pin(&self) -> EbrGuard {
        EbrGuard::new()
    }

    #[inline]
    fn reader(&self, pin: &EbrGuard) -> impl Fn(&Key) -> Option<u64> {
        |key| self.0.get(*key, pin).map(|object| object.first())
    }
}
