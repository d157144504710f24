//! [`Access`]: a stage's private access to the store.

use crate::store::inner::Inner;

/// Access to the store, private to this crate.
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
