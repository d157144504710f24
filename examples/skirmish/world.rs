//! [`World`]: the memory operations of the match, so that it runs on pools and on the heap alike.

use std::ops::Deref;

use crate::objects::Entity;

/// A way to keep the objects of a match. [`Pools`](crate::pools::Pools) uses the library; [`Heap`](crate::heap::Heap)
/// is the usual code without it.
pub(crate) trait World: 'static {
    /// An owner of an object that others may refer to. Dropping it frees the object.
    type Owned<T: Entity>: Deref<Target = T> + Send;
    /// A chat line.
    type Line: Send;
    /// The price of an item: an immutable number, which several items may share.
    type Price: Clone + PartialEq + Send;
    /// A reference that leads to an object while that is alive, and to nothing afterwards.
    type Link<T: Entity>: Clone + Send;
    /// Keeps one object readable, for any length of time.
    type Held<T: Entity>: Deref<Target = T>;
    /// Announces that this thread is reading.
    type Reader;

    /// A new object that others may refer to, made ready by `fill`.
    fn spawn<T: Entity>(fill: impl FnOnce(&mut T)) -> Self::Owned<T>;

    /// Makes a chat line.
    fn line(words: &str) -> Self::Line;

    /// The number of characters in a line.
    fn length(line: &Self::Line) -> usize;

    /// Makes a price.
    fn price(worth: i32) -> Self::Price;

    /// The number in a price.
    fn worth(price: &Self::Price) -> i32;

    /// A reference for others to keep.
    fn link<T: Entity>(owned: &Self::Owned<T>) -> Self::Link<T>;

    /// Begins to read; ends when it is dropped.
    fn reader() -> Self::Reader;

    /// The result of `read` on the object, if it is alive.
    fn look<T: Entity, R>(link: &Self::Link<T>, reader: &Self::Reader, read: impl FnOnce(&T) -> R) -> Option<R>;

    /// Keeps the object readable, if it is alive.
    fn hold<T: Entity>(link: &Self::Link<T>) -> Option<Self::Held<T>>;
}
