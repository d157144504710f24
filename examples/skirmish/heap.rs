//! [`Heap`]: the same objects on `Arc`, `Weak`, `Mutex` and `String`, for `--baseline`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::objects::{Item, Projectile};
use crate::world::World;

/// Every object is allocated anew, with counted references.
#[derive(Debug)]
pub(crate) enum Heap {}

impl World for Heap {
    // Moved while others read it.
    type Shot = Arc<Mutex<Projectile>>;
    type Item = Arc<Item>;
    type Line = String;
    type Price = Arc<i32>;
    type Mark = Weak<Mutex<Projectile>>;
    type Link = Weak<Item>;
    type Reader = ();

    fn fire(shot: Projectile) -> Arc<Mutex<Projectile>> {
        Arc::new(Mutex::new(shot))
    }

    fn fly(shot: &mut Arc<Mutex<Projectile>>, seconds: f32) {
        lock(shot).fly(seconds);
    }

    fn mark(shot: &Arc<Mutex<Projectile>>) -> Weak<Mutex<Projectile>> {
        Arc::downgrade(shot)
    }

    fn sight(mark: &Weak<Mutex<Projectile>>) -> Option<Projectile> {
        mark.upgrade().map(|shot| *lock(&shot))
    }

    fn forge(fill: impl FnOnce(&mut Item)) -> Arc<Item> {
        let mut item = Item::default();
        fill(&mut item);
        Arc::new(item)
    }

    fn line(words: &str) -> String {
        words.to_owned()
    }

    fn length(line: &String) -> usize {
        line.chars().count()
    }

    fn price(worth: i32) -> Arc<i32> {
        Arc::new(worth)
    }

    fn worth(price: &Arc<i32>) -> i32 {
        **price
    }

    fn link(item: &Arc<Item>) -> Weak<Item> {
        Arc::downgrade(item)
    }

    fn reader() {}

    fn look<R>(link: &Weak<Item>, (): &(), read: impl FnOnce(&Item) -> R) -> Option<R> {
        link.upgrade().map(|item| read(&item))
    }
}

fn lock(shot: &Mutex<Projectile>) -> MutexGuard<'_, Projectile> {
    // Nothing panics while it has the lock.
    shot.lock().unwrap_or_else(PoisonError::into_inner)
}
