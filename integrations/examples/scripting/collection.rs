//! [`Collection`]: a list or a table as scripts have it.

use acedia::{AccessError, Handle, Object, Owned};
use acedia_collections::Item;
use acedia_json::Printer;

use crate::world::{Failure, World};

/// A list or a table in a script.
///
/// A script owns a collection that it makes or takes out of another one. The collection is freed when the script drops
/// its last reference. A collection that a script only reads is watched: its owner may free it at any time. Each use
/// checks that it is alive, and fails with an error of the script otherwise.
pub(crate) struct Collection<T: Object> {
    pub(crate) world: World,
    hold: Hold<T>,
}

enum Hold<T: Object> {
    Owned(Owned<T>),
    Watched(Handle<T>),
}

impl<T: Object> Collection<T> {
    pub(crate) fn owned(world: &World, object: Owned<T>) -> Self {
        Self {
            world: world.clone(),
            hold: Hold::Owned(object),
        }
    }

    pub(crate) fn watched(world: &World, object: Handle<T>) -> Self {
        Self {
            world: world.clone(),
            hold: Hold::Watched(object),
        }
    }

    /// The result of `visit` on the object. If the object was freed, the error names its class and life.
    pub(crate) fn with<R>(&self, visit: impl FnOnce(&T) -> R) -> Result<R, Failure> {
        self.try_with(visit).map_err(|error| error.to_string().into())
    }

    fn try_with<R>(&self, visit: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        match &self.hold {
            Hold::Owned(object) => Ok(visit(object)),
            Hold::Watched(handle) => handle.try_with(visit),
        }
    }

    /// The same object, watched.
    pub(crate) fn watch(&self) -> Self {
        let handle = match &self.hold {
            Hold::Owned(object) => object.handle(),
            Hold::Watched(handle) => *handle,
        };
        Self::watched(&self.world, handle)
    }

    /// Drops the script's owner; the object is freed if there is no other. Fails if the script doesn't own it.
    pub(crate) fn free(&mut self) -> Result<(), Failure> {
        self.with(|_| ())?;
        let watched = self.watch();
        match std::mem::replace(self, watched).hold {
            Hold::Owned(object) => {
                object.free();
                Ok(())
            }
            Hold::Watched(_) => Err(format!("the script does not own the {}", T::class()).into()),
        }
    }

    /// The object as an item, owned or watched as it is here.
    pub(crate) fn to_item(&self) -> Result<Item, Failure> {
        self.with(|_| self.item())
    }

    fn item(&self) -> Item {
        match &self.hold {
            Hold::Owned(object) => object.into(),
            Hold::Watched(handle) => (*handle).into(),
        }
    }

    /// Prints JSON, or the form of `{:?}` if JSON cannot express the object. Prints the error if the object was freed,
    /// because rhai doesn't let printing fail.
    pub(crate) fn print(&self) -> String {
        let print = |item| {
            Printer::new()
                .sorted()
                .print(&item)
                .unwrap_or_else(|_| format!("{item:?}"))
        };
        self.try_with(|_| self.item())
            .map_or_else(|error| format!("<{error}>"), print)
    }
}

impl<T: Object> Clone for Collection<T> {
    fn clone(&self) -> Self {
        let hold = match &self.hold {
            Hold::Owned(object) => Hold::Owned(object.clone()),
            Hold::Watched(handle) => Hold::Watched(*handle),
        };
        Self {
            world: self.world.clone(),
            hold,
        }
    }
}
