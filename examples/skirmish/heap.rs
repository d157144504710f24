//! [`Heap`]: the same objects on `Arc`, `Weak` and `String`, for `--baseline`.

use std::sync::{Arc, Weak};

use crate::objects::Entity;
use crate::world::World;

/// Every object is allocated anew, with counted references.
#[derive(Debug)]
pub(crate) enum Heap {}

impl World for Heap {
    type Owned<T: Entity> = Arc<T>;
    type Line = String;
    type Price = Arc<i32>;
    type Link<T: Entity> = Weak<T>;
    type Held<T: Entity> = Arc<T>;
    type Reader = ();

    fn spawn<T: Entity>(fill: impl FnOnce(&mut T)) -> Arc<T> {
        let mut object = T::default();
        fill(&mut object);
        Arc::new(object)
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

    fn link<T: Entity>(owned: &Arc<T>) -> Weak<T> {
        Arc::downgrade(owned)
    }

    fn reader() {}

    fn look<T: Entity, R>(link: &Weak<T>, (): &(), read: impl FnOnce(&T) -> R) -> Option<R> {
        link.upgrade().map(|object| read(&object))
    }

    fn hold<T: Entity>(link: &Weak<T>) -> Option<Arc<T>> {
        link.upgrade()
    }
}
