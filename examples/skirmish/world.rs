//! [`World`]: what the match asks of memory, so that the same match runs on pools and on the heap.

use std::ops::Deref;

use crate::objects::Entity;

/// A way to keep the objects of a match. [`Pools`](crate::pools::Pools) is the library; [`Heap`](crate::heap::Heap) is
/// what one would write without it.
pub(crate) trait World: 'static {
    /// Responsible for an object that others may refer to. Dropping it frees the object.
    type Owned<T: Entity>: Deref<Target = T> + Send;
    /// What is said in the chat.
    type Line: Send;
    /// What an item is worth: a number that never changes, and that several may have.
    type Price: Clone + PartialEq + Send;
    /// Leads to an object while that is alive, and to nothing afterwards.
    type Link<T: Entity>: Clone + Send;
    /// Keeps one object readable for as long as one likes.
    type Held<T: Entity>: Deref<Target = T>;
    /// Says that this thread is reading now.
    type Reader;

    /// A new object that others may refer to, made ready by `fill`.
    fn spawn<T: Entity>(fill: impl FnOnce(&mut T)) -> Self::Owned<T>;

    /// A line to be said.
    fn line(words: &str) -> Self::Line;

    /// The number of characters in a line.
    fn length(line: &Self::Line) -> usize;

    /// A price.
    fn price(worth: i32) -> Self::Price;

    /// The number in a price.
    fn worth(price: &Self::Price) -> i32;

    /// A reference for others to keep.
    fn link<T: Entity>(owned: &Self::Owned<T>) -> Self::Link<T>;

    /// Begins to read; ends when it is dropped.
    fn reader() -> Self::Reader;

    /// What `read` makes of the object, if it is alive.
    fn look<T: Entity, R>(link: &Self::Link<T>, reader: &Self::Reader, read: impl FnOnce(&T) -> R) -> Option<R>;

    /// Keeps the object readable, if it is alive.
    fn hold<T: Entity>(link: &Self::Link<T>) -> Option<Self::Held<T>>;
}
