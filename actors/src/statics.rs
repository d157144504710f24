//! [`Statics`]: how a class of actors takes part in the order of static constructors and finalizers.

use std::fmt;
use std::marker::PhantomData;

use acedia_allocator::{ClassStorage, Object, kind};

use crate::Actor;

/// Stands for a class of actors among the classes of objects, so that there is one order of static constructors and
/// finalizers for both. It is in no registry of names, and no object of it is ever made.
#[doc(hidden)]
pub struct Statics<T>(PhantomData<fn() -> T>);

impl<T> Default for Statics<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T> fmt::Debug for Statics<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Statics")
    }
}

impl<T: Actor> Object for Statics<T> {
    type Kind = kind::Identity;

    fn storage() -> &'static ClassStorage<Self> {
        T::statics()
    }

    fn static_constructor() {
        T::static_constructor();
    }

    fn static_finalizer() {
        T::static_finalizer();
    }
}
