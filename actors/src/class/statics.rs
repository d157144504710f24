//! [`Statics`]: a class of actors in the order of static constructors and finalizers.

use std::marker::PhantomData;

/// Stands for a class of actors among the classes of objects, so that static constructors and finalizers of both have
/// one order. No registry of names has it, and no object of it is ever made.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Statics<T>(PhantomData<fn() -> T>);
