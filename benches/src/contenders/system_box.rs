//! `Box` from the system allocator, which is the one this process uses by default, with everything inside the object from there too.

use crate::{
    contender::{Contender, Shared},
    payload::Payload,
};
use std::marker::PhantomData;

/// Every object a `Box` of its own.
#[derive(Debug)]
pub(crate) struct SystemBox<P>(PhantomData<P>);

impl<P> Clone for SystemBox<P> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<P: Payload> Contender for SystemBox<P> {
    const NAME: &'static str = "Box, system";
    // glibc: one word of header, rounded up to 16, at least 32.
    const LAYOUT_BYTES: Option<usize> = Some(match (size_of::<P>() + 8).next_multiple_of(16) {
        small @ ..32 => small.next_multiple_of(32),
        other => other,
    });
    type Owner = Box<P::InSystem>;

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        Box::new(P::InSystem::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload> Shared for SystemBox<P> {}
