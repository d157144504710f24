//! [`Saving`] of a class, made from its [`Actor`].

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::actor::Actor;
use super::builder::ClassBuilder;
use super::column::Saving;
use super::rows::Rows;
use crate::value::saved::error::TreeError;
use crate::value::saved::reader::Reader;
use crate::value::saved::writer::Writer;

fn no_rows() -> TreeError {
    serde::ser::Error::custom("the actor is not there")
}

impl Saving {
    const fn of<T: Actor + Serialize + DeserializeOwned>() -> &'static Self {
        &Self {
            write: |rows, row| {
                let actor = rows.downcast_ref::<Rows<T>>().and_then(|rows| rows.actor(row));
                actor.ok_or_else(no_rows)?.serialize(Writer::new())
            },
            read: |rows, fields| {
                let rows = rows.downcast_mut::<Rows<T>>().ok_or_else(no_rows)?;
                Ok(rows.put(T::deserialize(Reader(fields))?))
            },
            check: |fields| T::deserialize(Reader(fields)).map(drop),
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
    /// A save reads the fields back, into a value that is dropped at once, so it fails if they can't be read.
    pub fn saved(&mut self) -> &mut Self {
        self.class.saving = Some(Saving::of::<T>());
        self
    }
}
