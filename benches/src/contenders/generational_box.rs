//! `generational-box` with either of its storages; its pools are global.

use crate::{
    contender::{Contender, Readable, Shared},
    payload::Payload,
};

use generational_box::{GenerationalBox, Storage, SyncStorage, UnsyncStorage};
use std::{marker::PhantomData, panic::Location};

/// A storage and its name in the tables.
pub(crate) trait Flavour: Clone + Send + 'static {
    /// The contender's name.
    const NAME: &'static str;
    /// The storage.
    type Storage;
}

/// For any thread.
#[derive(Debug, Clone)]
pub(crate) struct AnyThread;

impl Flavour for AnyThread {
    const NAME: &'static str = "generational-box, sync";
    type Storage = SyncStorage;
}

/// For one thread.
#[derive(Debug, Clone)]
pub(crate) struct OneThread;

impl Flavour for OneThread {
    const NAME: &'static str = "generational-box, unsync";
    type Storage = UnsyncStorage;
}

/// Boxes without an owner, dropped by hand: its `Owner` keeps a list of all boxes it ever made.
#[derive(Debug)]
pub(crate) struct Generational<P, F>(PhantomData<(P, F)>);

impl<P, F> Clone for Generational<P, F> {
    fn clone(&self) -> Self {
        Self(PhantomData)
    }
}

impl<P: Payload, F: Flavour<Storage: Storage<P>>> Contender for Generational<P, F> {
    const NAME: &'static str = F::NAME;
    type Owner = GenerationalBox<P, F::Storage>;

    fn new() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn allocate(&mut self, seed: u64) -> Self::Owner {
        GenerationalBox::leak(P::make(seed), Location::caller())
    }

    #[inline(always)]
    fn free(&mut self, owner: Self::Owner) {
        owner.manually_drop();
    }
}

impl<P: Payload> Shared for Generational<P, AnyThread> {}

impl<P: Payload, F: Flavour<Storage: Storage<P>>> Readable for Generational<P, F> {
    type Key = Self::Owner;
    type Pin = ();

    fn key(&self, owner: &Self::Owner) -> Self::Owner {
        *owner
    }

    #[inline]
    fn pin(&self) {}

    #[inline]
    fn reader(&self, (): &()) -> impl Fn(&Self::Owner) -> Option<u64> {
        |key| key.try_read().ok().map(|object| object.first())
    }
}
