//! [`Pools`]: the objects of the match in their pools. Each function is one call of the library.

use acedia::{Handle, Owned, Pinned, PlainHandle, PlainObject, PlainOwned, allocate_with, pin};
use acedia_boxes::IntBox;
use acedia_text::Text;

use crate::objects::{Item, Projectile};
use crate::world::World;

/// Objects recycled in place, and handles that never dangle.
#[derive(Debug)]
pub(crate) enum Pools {}

impl World for Pools {
    type Shot = PlainOwned<Projectile>;
    type Item = Owned<Item>;
    // Objects of which no handle is ever made: freeing one is a few stores.
    type Line = Owned<Text>;
    // Compared by content, as all boxes are.
    type Price = Owned<IntBox>;
    type Mark = PlainHandle<Projectile>;
    type Link = Handle<Item>;
    type Reader = Pinned;

    fn fire(shot: Projectile) -> PlainOwned<Projectile> {
        shot.insert()
    }

    fn fly(shot: &mut PlainOwned<Projectile>, seconds: f32) {
        shot.update(|shot| shot.fly(seconds));
    }

    fn mark(shot: &PlainOwned<Projectile>) -> PlainHandle<Projectile> {
        shot.handle()
    }

    fn sight(mark: &PlainHandle<Projectile>) -> Option<Projectile> {
        mark.load()
    }

    fn forge(fill: impl FnOnce(&mut Item)) -> Owned<Item> {
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

    fn link(item: &Owned<Item>) -> Handle<Item> {
        item.handle()
    }

    fn reader() -> Pinned {
        pin()
    }

    // A pin inside the reader's pin costs one addition. A class that is read by guards only takes a guard here.
    fn look<R>(handle: &Handle<Item>, _: &Pinned, read: impl FnOnce(&Item) -> R) -> Option<R> {
        handle.with(read)
    }
}
