//! `opool`: objects are reset and kept, up to a number chosen beforehand; no handles.

use crate::{
    contender::{Contender, Shared},
    payload::Payload,
};

use opool::{Pool, PoolAllocator, RefGuard};

/// More than any workload that takes part holds at once, because what does not fit is dropped.
const CAPACITY: usize = 4096;

/// How an object is made and emptied.
#[derive(Debug)]
pub(crate) struct Recipe;

impl<P: Payload> PoolAllocator<P> for Recipe {
    #[inline]
    fn reset(&self, object: &mut P) {
        object.empty();
    }

    #[inline(always)]
    fn allocate(&self) -> P {
        P::default()
    }
}

/// One pool.
#[derive(Debug)]
pub(crate) struct Opool<P: Payload>(&'static Pool<Recipe, P>);

impl<P: Payload> Clone for Opool<P> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<P: Payload> Contender for Opool<P> {
    const NAME: &'static str = "opool";
    type Owner = RefGuard<'static, Recipe, P>;

    fn new() -> Self {
        Self(Box::leak(Box::new(Pool::new(CAPACITY, Recipe))))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        let mut object = self.0.get();
        object.fill(seed);
        object
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload> Shared for Opool<P> {}
