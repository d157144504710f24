//! [`Pools`]: the match's objects in the pools of their classes. Each function is one call of the library.

use acedia::{Guard, Handle, Owned, Pinned, allocate_with, pin};

use crate::objects::Entity;
use crate::world::World;

/// Objects recycled in place, and handles that never dangle.
#[derive(Debug)]
pub(crate) enum Pools {}

impl World for Pools {
    type Owned<T: Entity> = Owned<T>;
    // An object of which no handle is ever made needs no type of its own: freeing it is simply cheaper.
    type Sole<T: Entity> = Owned<T>;
    type Link<T: Entity> = Handle<T>;
    type Held<T: Entity> = Guard<T>;
    type Reader = Pinned;

    fn spawn<T: Entity>(fill: impl FnOnce(&mut T)) -> Owned<T> {
        allocate_with(fill)
    }

    fn spawn_sole<T: Entity>(fill: impl FnOnce(&mut T)) -> Owned<T> {
        allocate_with(fill)
    }

    fn link<T: Entity>(owned: &Owned<T>) -> Handle<T> {
        owned.handle()
    }

    fn reader() -> Pinned {
        pin()
    }

    fn look<T: Entity, R>(handle: &Handle<T>, pinned: &Pinned, read: impl FnOnce(&T) -> R) -> Option<R> {
        handle.get(pinned).map(read)
    }

    fn hold<T: Entity>(handle: &Handle<T>) -> Option<Guard<T>> {
        handle.guard()
    }
}
