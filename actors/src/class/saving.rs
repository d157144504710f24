//! The [`Saving`] of a class, generated from its [`Actor`].

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::actor::Actor;
use super::builder::ClassBuilder;
use super::column::Saving;
use crate::value::saved::tree::{Tree, read, write};

impl Saving {
    const fn of<T: Actor + Serialize + DeserializeOwned>() -> &'static Self {
        &Self {
            write: |column, row| column.part::<T>(row).map_or(Ok(Tree::Null), write),
            read: |column, fields| Ok(column.put(read::<T>(fields)?)),
            check: |fields| read::<T>(fields).map(drop),
        }
    }
}

impl<T: Actor + Serialize + DeserializeOwned> ClassBuilder<'_, T> {
    /// Lets actors of the class be saved with their level: see the example of [`Level::save`](crate::Level::save). A child class
    /// has other fields, so it must call this, too.
    ///
    /// A restored actor has the fields that were saved. Its [constructor](Actor::constructor) does not run. Fields that `serde`
    /// skips have the values of `Default`.
    ///
    /// As a check, a save also deserializes the fields, and fails if that fails.
    pub fn saved(&mut self) -> &mut Self {
        self.class.saving = Some(Saving::of::<T>());
        self
    }
}
