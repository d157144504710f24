//! [`Others`]: the level, as a handler sees it.

use std::fmt;

use super::access::Access;
use super::stage::Stage;
use crate::store::inner::Inner;

/// The level in a handler: [`Cx::others`](crate::Cx::others).
///
/// A handler gets no `&mut Level`, because it could replace the level with another one.
pub struct Others<'a>(pub(super) &'a mut Inner);

impl fmt::Debug for Others<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, "Others")
    }
}

impl Access for Others<'_> {
    fn inner(&self) -> &Inner {
        self.0
    }

    fn inner_mut(&mut self) -> &mut Inner {
        self.0
    }
}

impl Stage for Others<'_> {}
