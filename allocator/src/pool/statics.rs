//! [`Static`]: the content of a static.

use std::marker::PhantomData;
use std::ops::Deref;

/// The content of a static that a macro declares. A type that threads cannot share is refused where the value is made.
pub(crate) struct Static<P> {
    content: P,
    /// Invariant, so that the content has the type for which `new` checked the bound.
    checked: PhantomData<fn(P) -> P>,
}

// SAFETY: only `new` makes one, and it needs `P: Sync`. With the bound here, too, the compiler would report an unsuitable field of a
// class twice: at the class, and with all types between the static and the field.
unsafe impl<P> Sync for Static<P> {}

impl<P: Sync> Static<P> {
    pub(crate) const fn new(content: P) -> Self {
        Self {
            content,
            checked: PhantomData,
        }
    }
}

impl<P> Deref for Static<P> {
    type Target = P;

    #[inline]
    fn deref(&self) -> &P {
        &self.content
    }
}
