//! [`Pools`]: the objects of the match in the pools of their classes. Each function is one call of the library.

use acedia::{Guard, Handle, Owned, Pinned, allocate_with, pin};
use acedia_boxes::IntBox;
use acedia_text::Text;

use crate::objects::Entity;
use crate::world::World;

/// Objects recycled in place, and handles that never dangle.
#[derive(Debug)]
pub(crate) enum Pools {}

impl World for Pools {
    type Owned<T: Entity> = Owned<T>;
    // Objects of which no handle is ever made: freeing one is a few stores.
    type Line = Owned<Text>;
    // Compared by content, as all boxes are.
    type Price = Owned<IntBox>;
    type Link<T: Entity> = Handle<T>;
    type Held<T: Entity> = Guard<T>;
    type Reader = Pinned;

    fn spawn<T: Entity>(fill: impl FnOnce(&mut T)) -> Owned<T> {
        allocate_with(fill)
    }

    fn line(words: &str) -> Owned<Text> {
        Text::new(words)
    }

    fn length(line: &Owned<Text>) -> usize {
        line.len()
    }

    fn price(worth: i32) -> Owned<IntBox> {
        IntBox::new(worth)
    }

    fn worth(price: &Owned<IntBox>) -> i32 {
        price.get()
    }

    fn link<T: Entity>(owned: &Owned<T>) -> Handle<T> {
        owned.handle()
    }

    fn reader() -> Pinned {
        pin()
    }

    // A pin inside the reader's pin costs one addition. A class that is read by guards only takes a guard here.
    fn look<T: Entity, R>(handle: &Handle<T>, _: &Pinned, read: impl FnOnce(&T) -> R) -> Option<R> {
        handle.with(read)
    }

    fn hold<T: Entity>(handle: &Handle<T>) -> Option<Guard<T>> {
        handle.guard()
    }
}
