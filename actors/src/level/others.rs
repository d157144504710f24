//! [`Others`]: the level as a handler has it; and [`Access`], which it has in common with [`Level`].

use std::fmt;

use crate::level::{Level, Stage};
use crate::store::inner::Inner;

/// The level as a handler has it: [`Cx::others`](super::Cx::others).
///
/// Handlers are not given a `&mut Level`, which could be exchanged for another one under their feet.
pub struct Others<'a>(pub(super) &'a mut Inner);

impl fmt::Debug for Others<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f, "Others")
    }
}

/// The way to the level that users can't go themselves.
pub(crate) trait Access {
    fn inner(&self) -> &Inner;
    fn inner_mut(&mut self) -> &mut Inner;
}

impl Access for Level {
    fn inner(&self) -> &Inner {
        &self.inner
    }

    fn inner_mut(&mut self) -> &mut Inner {
        &mut self.inner
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

impl Stage for Level {}
impl Stage for Others<'_> {}
