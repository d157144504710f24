//! `lockfree_object_pool::LinearObjectPool`: objects are reset and kept; no handles.

use crate::{
    contender::{Contender, Shared},
    payload::Payload,
};

use lockfree_object_pool::{LinearObjectPool, LinearReusable};
use std::fmt;

/// One pool, the one its author recommends.
pub(crate) struct Linear<P: Payload>(&'static LinearObjectPool<P>);

impl<P: Payload> Clone for Linear<P> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<P: Payload> fmt::Debug for Linear<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Linear").finish_non_exhaustive()
    }
}

impl<P: Payload> Contender for Linear<P> {
    const NAME: &'static str = "lockfree-object-pool";
    type Owner = LinearReusable<'static, P>;

    fn new() -> Self {
        Self(Box::leak(Box::new(LinearObjectPool::new(P::default, P::empty))))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        let mut object = self.0.pull();
        object.fill(seed);
        object
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload> Shared for Linear<P> {}
