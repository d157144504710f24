//! `Box` from an allocator of its own, where everything inside the object is from too.

use crate::{
    contender::{Contender, Shared},
    heap::{Heap, HeapBox},
    payload::Payload,
};
use std::marker::PhantomData;

/// Every object a block of its own.
#[derive(Debug)]
pub(crate) struct Boxed<P, A>(PhantomData<(P, A)>);

impl<P, A> Clone for Boxed<P, A> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<P: Payload, A: Heap> Contender for Boxed<P, A> {
    const NAME: &'static str = A::BOX;
    // Memory that an allocator keeps for many blocks together comes on top.
    const LAYOUT_BYTES: Option<usize> = Some({
        let block = (size_of::<P>() + A::HEADER).next_multiple_of(16);
        if block < A::SMALLEST { A::SMALLEST } else { block }
    });
    type Owner = HeapBox<P::In<A>, A>;

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        HeapBox::new(Payload::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload, A: Heap> Shared for Boxed<P, A> {}
