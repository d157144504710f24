//! [`Others`]: the level, as a handler sees it.

use std::fmt;

use super::access::Access;
use super::stage::Stage;
use crate::store::inner::Inner;

/// The level in a handler: [`Cx::others`](crate::Cx::others).
///
/// A handler gets no `&mut Level`, because it could replace the level.
///
/// A trait that is implemented for the contexts of several classes can return it by [`reborrow`](Self::reborrow):
///
/// ```
/// use acedia_actors::{Actor, ActorRef, Cx, Others, Stage};
///
/// trait Shooter {
///     fn others(&mut self) -> Others<'_>;
///     fn target(&self) -> Option<ActorRef>;
/// }
///
/// impl<T: Actor> Shooter for Cx<'_, T> {
///     fn others(&mut self) -> Others<'_> {
///         self.others.reborrow()
///     }
///     fn target(&self) -> Option<ActorRef> {
///         self.owner()
///     }
/// }
///
/// fn shoot(shooter: &mut dyn Shooter) -> bool {
///     shooter.target().is_some_and(|target| shooter.others().destroy(target))
/// }
/// ```
pub struct Others<'a>(pub(super) &'a mut Inner);

impl Others<'_> {
    /// The same level, with a shorter lifetime.
    #[must_use]
    pub fn reborrow(&mut self) -> Others<'_> {
        Others(self.0)
    }
}

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
