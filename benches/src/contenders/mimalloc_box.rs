//! `Box` from mimalloc, where everything inside the object is from too.

use crate::{
    contender::{Contender, Shared},
    mimalloc_memory::MiBox,
    payload::Payload,
};
use std::marker::PhantomData;

/// Every object a block of mimalloc's of its own.
#[derive(Debug)]
pub(crate) struct MimallocBox<P>(PhantomData<P>);

impl<P> Clone for MimallocBox<P> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<P: Payload> Contender for MimallocBox<P> {
    const NAME: &'static str = "Box, mimalloc";
    // Size classes up to 64 bytes are multiples of 16 in 64-bit builds with that alignment; page headers come on top.
    const LAYOUT_BYTES: Option<usize> = Some(size_of::<P>().next_multiple_of(16));
    type Owner = MiBox<P>;

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        MiBox::new(P::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload> Shared for MimallocBox<P> {}
