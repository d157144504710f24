//! [`Access`]: from a stage to the store.

use crate::store::inner::Inner;

/// The way to the level that users can't go themselves.
pub(crate) trait Access {
    fn inner(&self) -> &Inner;
    fn inner_mut(&mut self) -> &mut Inner;
}
