//! A plain reference: nothing is checked and nothing ends. The floor under every read.

use crate::{
    contender::{Contender, Readable},
    payload::Payload,
};

use std::marker::PhantomData;

/// Every object leaked.
#[derive(Debug)]
pub(crate) struct Reference<P>(PhantomData<P>);

impl<P: Payload> Contender for Reference<P> {
    const NAME: &'static str = "plain reference";
    type Owner = &'static P;

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> &'static P {
        Box::leak(Box::new(P::make(seed)))
    }

    #[inline(always)]
    fn free(&mut self, _: &'static P) {}
}

impl<P: Payload> Readable for Reference<P> {
    type Key = &'static P;
    type Pin = ();

    fn key(&self, owner: &&'static P) -> &'static P {
        owner
    }

    #[inline]
    fn pin(&self) {}

    #[inline]
    fn reader(&self, (): &()) -> impl Fn(&&'static P) -> Option<u64> {
        |key| Some(key.first())
    }
}
