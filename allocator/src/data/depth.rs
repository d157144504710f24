//! [`Depth`]: how much deeper data may be.

use std::marker::PhantomData;

use super::{Data, DataError};

/// The levels that are left.
#[derive(Clone, Copy)]
pub struct Depth<D> {
    collections: u16,
    /// `Some`s and newtypes, limited apart because a type may nest nothing else.
    wrappers: u16,
    data: PhantomData<D>,
}

impl<D: Data> Default for Depth<D> {
    fn default() -> Self {
        Self {
            collections: D::LEVELS,
            wrappers: D::LEVELS * 8,
            data: PhantomData,
        }
    }
}

impl<D: Data> Depth<D> {
    /// Inside `levels` more collections.
    pub fn inside(self, levels: u16) -> Result<Self, DataError> {
        match self.collections.checked_sub(levels) {
            Some(collections) => Ok(Self { collections, ..self }),
            None => Err(DataError::new(D::TOO_DEEP)),
        }
    }

    /// Inside one more `Some` or newtype.
    pub(super) fn wrapped(self) -> Result<Self, DataError> {
        match self.wrappers.checked_sub(1) {
            Some(wrappers) => Ok(Self { wrappers, ..self }),
            None => Err(DataError::new(D::TOO_DEEP)),
        }
    }
}
