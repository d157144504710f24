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

#[cfg(test)]
mod tests {
    use acedia_boxes::IntRef;

    use super::*;

    #[test]
    fn owned_again_when_the_last_watched_key_has_gone() {
        let objects = [1, 2].map(IntRef::new);
        let watched = [0, 1].map(|i| Item::from(objects[i].handle()));
        let mut keys = Keys::default();
        keys.came(&Item::from(7));
        assert!(keys.are_owned() && !keys.are_watched());
        for key in &watched {
            keys.came(key);
        }
        drop(objects);
        keys.went(&watched[0]);
        keys.went(&Item::from(7));
        assert!(keys.are_watched(), "a dead key stands there until it is swept");
        keys.went(&watched[1]);
        assert!(keys.are_owned() && !keys.are_watched());
        assert!(keys.take_shape().is_none() && keys.are_owned());
    }
}
