//! [`Access`]: the way from a stage to the store.

use crate::store::inner::Inner;

/// The way to the store, which users can't go.
pub(crate) trait Access {
    fn inner(&self) -> &Inner;
    fn inner_mut(&mut self) -> &mut Inner;
}

impl<S: Access> Access for &mut S {
    fn inner(&self) -> &Inner {
        (**self).inner()
    }

    fn inner_mut(&mut self) -> &mut Inner {
        (**self).inner_mut()
    }
}
