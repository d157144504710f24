//! Ours: the engine's pool, with and without a handle for every object, with and without a finalizer.

use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
    readers::guard_if_asked,
};

use acedia::pool::{Global, Hooks, Key, Owner, Pinned, Pool, pin};
use std::{fmt, hint::black_box};

/// The way to end a life, and its part of the name in the tables.
pub(crate) trait Ending<P>: Hooks<P, Readers = Global> {
    /// The name without a handle, and with one.
    const NAMES: [&'static str; 2];
}

/// Nothing: the next life empties the object before it fills it.
#[derive(Debug)]
pub(crate) struct Kept;

impl<P: Payload> Hooks<P> for Kept {
    type Readers = Global;

    fn make() -> P {
        P::default()
    }

    #[inline]
    fn begin(object: &mut P) {
        object.empty();
    }
}

impl<P: Payload> Ending<P> for Kept {
    const NAMES: [&'static str; 2] = ["acedia, no handle", "acedia"];
}

/// A finalizer that empties the object.
#[derive(Debug)]
pub(crate) struct Finalized;

impl<P: Payload> Hooks<P> for Finalized {
    type Readers = Global;

    fn make() -> P {
        P::default()
    }

    const END: Option<fn(&mut P)> = Some(P::empty);
}

impl<P: Payload> Ending<P> for Finalized {
    const NAMES: [&'static str; 2] = ["acedia, finalizer, no handle", "acedia, finalizer"];
}

/// One pool. With `HANDLE`, every object gets a handle as soon as it is made.
pub(crate) struct Acedia<P: 'static, H: Hooks<P>, const HANDLE: bool>(&'static Pool<P, H>);

impl<P, H: Hooks<P>, const HANDLE: bool> Clone for Acedia<P, H, HANDLE> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<P, H: Hooks<P>, const HANDLE: bool> fmt::Debug for Acedia<P, H, HANDLE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Acedia").finish_non_exhaustive()
    }
}

impl<P: Payload, H: Ending<P>, const HANDLE: bool> Contender for Acedia<P, H, HANDLE> {
    const NAME: &'static str = H::NAMES[HANDLE as usize];
    // By design a life word; whether the engine keeps to it is what `memory` measures.
    const LAYOUT_BYTES: Option<usize> = Some(size_of::<P>() + 8);
    type Owner = Owner<'static, P, H>;

    fn new() -> Self {
        let pool = Box::leak(Box::new(Pool::with_hooks()));
        guard_if_asked(pool);
        Self(pool)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        let owner = self.0.allocate_with(|object| object.fill(seed));
        if HANDLE {
            black_box(owner.key());
        }
        owner
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        drop(owner);
    }
}

impl<P: Payload, H: Ending<P>, const HANDLE: bool> Shared for Acedia<P, H, HANDLE> {}

impl<P: Payload, H: Ending<P>> Readable for Acedia<P, H, true> {
    type Key = Key;
    type Pin = Pinned;

    fn key(&self, owner: &Self::Owner) -> Key {
        owner.key()
    }

    fn pin(&self) -> Pinned {
        pin()
    }

    #[inline]
    fn reader(&self, pin: &Pinned) -> impl Fn(&Key) -> Option<u64> {
        let reader = self.0.reader(pin);
        move |key| reader.get(*key).map(Payload::first)
    }
}

/// The same pool, of which all keys of a list are asked for at once.
#[derive(Debug)]
pub(crate) struct Many<P: Payload>(Acedia<P, Kept, true>);

impl<P: Payload> Contender for Many<P> {
    const NAME: &'static str = "acedia, get_many";
    type Owner = Owner<'static, P, Kept>;

    fn new() -> Self {
        Self(Acedia::new())
    }

    fn allocate(&mut self, seed: u64) -> Self::Owner {
        self.0.allocate(seed)
    }

    fn free(&mut self, owner: Self::Owner) {
        self.0.free(owner);
    }
}

impl<P: Payload> Readable for Many<P> {
    type Key = Key;
    type Pin = Pinned;

    fn key(&self, owner: &Self::Owner) -> Key {
        self.0.key(owner)
    }

    fn pin(&self) -> Pinned {
        self.0.pin()
    }

    fn reader(&self, pin: &Pinned) -> impl Fn(&Key) -> Option<u64> {
        self.0.reader(pin)
    }

    #[expect(clippy::manual_flatten, reason = "the loop of the others")]
    #[inline]
    fn read_all(&self, pin: &Pinned, keys: &[Key]) -> (usize, u64) {
        let (mut alive, mut sum) = (0, 0);
        for object in self.0.0.reader(pin).get_many(keys) {
            if let Some(object) = object {
                alive += 1;
                sum += object.first();
            }
        }
        (alive, sum)
    }
}

/// The same pool, read through a guard for every read instead of under a pin.
#[derive(Debug)]
pub(crate) struct Guarded<P: Payload>(Acedia<P, Kept, true>);

impl<P: Payload> Clone for Guarded<P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<P: Payload> Contender for Guarded<P> {
    const NAME: &'static str = "acedia, guard per read";
    type Owner = Owner<'static, P, Kept>;

    fn new() -> Self {
        Self(Acedia::new())
    }

    fn allocate(&mut self, seed: u64) -> Self::Owner {
        self.0.allocate(seed)
    }

    fn free(&mut self, owner: Self::Owner) {
        self.0.free(owner);
    }
}

impl<P: Payload> Shared for Guarded<P> {}

impl<P: Payload> Readable for Guarded<P> {
    type Key = Key;
    type Pin = ();

    fn key(&self, owner: &Self::Owner) -> Key {
        owner.key()
    }

    fn pin(&self) {}

    #[inline]
    fn reader(&self, (): &()) -> impl Fn(&Key) -> Option<u64> {
        |key| self.0.0.guard(*key).map(|object| object.first())
    }
}
