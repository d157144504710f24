//! Ours: the keys of a pool in atomic words.

use crate::{
    payload::Payload,
    place::{Object, PLACES, Places, at, object},
};

use acedia::pool::{Key, Pinned, Pool, pin};
use std::sync::atomic::{AtomicU64, Ordering};

/// A pool, and the key of the object at each place.
#[derive(Debug)]
pub(crate) struct Pooled {
    pool: Pool<Object>,
    keys: Vec<AtomicU64>,
}

impl Pooled {
    fn make(&self, place: u64, round: u64) -> u64 {
        let owner = self.pool.allocate_with(|it| *it = object(place, round));
        owner.into_manual().to_bits()
    }
}

impl Places for Pooled {
    const NAME: &'static str = "acedia";
    type Pin = Pinned;

    fn new() -> Self {
        let mut places = Self {
            pool: Pool::new(),
            keys: Vec::new(),
        };
        places.keys = (0..PLACES).map(|place| places.make(place, 0).into()).collect();
        places
    }

    #[inline]
    fn pin(&'static self) -> Pinned {
        pin()
    }

    #[inline]
    fn reader(&'static self, pin: &Pinned) -> impl Fn(u64) -> u64 {
        let reader = self.pool.reader(pin);
        move |place| {
            loop {
                // Acquire: pairs with `replace`. A life that has ended since is not the newest one.
                let bits = at(&self.keys, place).load(Ordering::Acquire);
                if let Some(object) = Key::from_bits(bits).and_then(|key| reader.get(key)) {
                    return object.first();
                }
            }
        }
    }

    #[inline]
    fn replace(&self, place: u64, round: u64) {
        let new = self.make(place, round);
        let old = at(&self.keys, place).swap(new, Ordering::AcqRel);
        let freed = Key::from_bits(old).map(|key| self.pool.free(key));
        assert!(matches!(freed, Some(Ok(()))), "each key is taken out once");
    }
}
