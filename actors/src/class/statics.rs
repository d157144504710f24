//! [`Statics`]: a class of actors in the order of static constructors and finalizers.

use std::marker::PhantomData;

/// Represents a class of actors among the classes of objects, so that the static constructors and finalizers of both have one
/// order. No registry has its name, and no object of it is ever allocated.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Statics<T>(PhantomData<fn() -> T>);
