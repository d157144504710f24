//! `plurality::Pool`: owning pointers into slots, no handles, no recycling of inner memory.

use crate::{
    contender::{Contender, Shared},
    payload::Payload,
};

use plurality::Pool;
use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

/// A pool for each thread, because only one thread at a time may allocate in one. Any thread may drop its objects.
///
/// The mutex is never locked: it lets a thread make the next one's pool through a shared reference.
pub(crate) struct Plural<P>(Mutex<Pool<P>>);

impl<P: Payload> Clone for Plural<P> {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl<P> fmt::Debug for Plural<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Plural").finish_non_exhaustive()
    }
}

impl<P: Payload> Contender for Plural<P> {
    const NAME: &'static str = "plurality";
    type Owner = plurality::Box<P>;

    fn new() -> Self {
        Self(Mutex::new(Pool::new()))
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        let pool = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        pool.alloc_box_with(|| P::make(seed))
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload> Shared for Plural<P> {}
