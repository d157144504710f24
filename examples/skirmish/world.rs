//! [`World`]: the memory operations of the match, so that it runs on pools and on the heap alike.

use std::ops::Deref;

use crate::objects::{Item, Projectile};

/// A way to keep the objects of a match. [`Pools`](crate::pools::Pools) uses the library; [`Heap`](crate::heap::Heap)
/// is the usual code without it.
pub(crate) trait World: 'static {
    /// An owner of a projectile, which may move it while others read it. Dropping it frees the projectile.
    type Shot: Send;
    /// An owner of an item that others may refer to. Dropping it frees the item.
    type Item: Deref<Target = Item> + Send;
    /// A chat line.
    type Line: Send;
    /// The price of an item: an immutable number, which several items may share.
    type Price: Clone + PartialEq + Send;
    /// A reference that leads to a projectile while that is alive, and to nothing afterwards.
    type Mark: Clone + Send;
    /// Like [`Mark`](Self::Mark), but to an item.
    type Link: Clone + Send;
    /// Announces that this thread is reading items.
    type Reader;

    /// A new projectile that others may refer to.
    fn fire(shot: Projectile) -> Self::Shot;

    /// Moves a projectile by so many seconds of its flight, while others may be reading it.
    fn fly(shot: &mut Self::Shot, seconds: f32);

    /// A reference for others to keep.
    fn mark(shot: &Self::Shot) -> Self::Mark;

    /// A copy of the projectile, if it is alive.
    fn sight(mark: &Self::Mark) -> Option<Projectile>;

    /// A new item that others may refer to, made ready by `fill`.
    fn forge(fill: impl FnOnce(&mut Item)) -> Self::Item;

    /// Makes a chat line.
    fn line(words: &str) -> Self::Line;

    /// The number of characters in a line.
    fn length(line: &Self::Line) -> usize;

    /// Makes a price.
    fn price(worth: i32) -> Self::Price;

    /// The number in a price.
    fn worth(price: &Self::Price) -> i32;

    /// A reference for others to keep.
    fn link(item: &Self::Item) -> Self::Link;

    /// Begins to read; ends when it is dropped.
    fn reader() -> Self::Reader;

    /// The result of `read` on the item, if it is alive.
    fn look<R>(link: &Self::Link, reader: &Self::Reader, read: impl FnOnce(&Item) -> R) -> Option<R>;
}
