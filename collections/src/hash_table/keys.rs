//! [`Keys`]: what holds for the keys of a table as a whole.

use acedia_allocator::Owned;

use super::shape::Shape;
use crate::Item;

/// What holds for the keys of a table as a whole. One comparison tells most tables from those where a look-up needs care.
#[derive(Default)]
pub(super) enum Keys {
    /// All are owned, and stand in the table.
    #[default]
    Owned,
    /// They stand in the table, and so many are only watched, dead ones included.
    Watched(usize),
    /// They are the shape's, and nothing stands in the table.
    Shaped(Owned<Shape>),
}

impl Keys {
    /// Whether all are owned and stand in the table.
    #[inline]
    pub(super) fn are_owned(&self) -> bool {
        matches!(self, Self::Owned)
    }

    /// Whether some are only watched.
    #[inline]
    pub(super) fn are_watched(&self) -> bool {
        matches!(self, Self::Watched(_))
    }

    #[inline]
    pub(super) fn shape(&self) -> Option<&Shape> {
        match self {
            Self::Shaped(shape) => Some(shape),
            Self::Owned | Self::Watched(_) => None,
        }
    }

    /// Takes the shape away, whose keys are to stand in the table.
    pub(super) fn take_shape(&mut self) -> Option<Owned<Shape>> {
        if !matches!(self, Self::Shaped(_)) {
            return None;
        }
        match std::mem::take(self) {
            Self::Shaped(shape) => Some(shape),
            Self::Owned | Self::Watched(_) => None,
        }
    }

    /// A key came into the table.
    #[inline]
    pub(super) fn came(&mut self, key: &Item) {
        if key.watched().is_some() {
            *self = Self::Watched(self.watched() + 1);
        }
    }

    /// A key left the table.
    #[inline]
    pub(super) fn went(&mut self, key: &Item) {
        if key.watched().is_some() {
            *self = match self.watched() {
                0 | 1 => Self::Owned,
                more => Self::Watched(more - 1),
            };
        }
    }

    fn watched(&self) -> usize {
        match self {
            Self::Watched(count) => *count,
            Self::Owned | Self::Shaped(_) => 0,
        }
    }
}
