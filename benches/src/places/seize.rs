//! `seize::Collector`: pointers to allocations, which wait in batches for the readers of their time.

use crate::{
    payload::Payload,
    place::{Object, PLACES, Places, at, object},
};

use seize::{Collector, Guard, LocalGuard, reclaim};
use std::sync::atomic::{AtomicPtr, Ordering};

/// A pointer for each place.
#[derive(Debug)]
pub(crate) struct Pointers {
    collector: Collector,
    places: Vec<AtomicPtr<Object>>,
}

fn boxed(place: u64, round: u64) -> *mut Object {
    Box::into_raw(Box::new(object(place, round)))
}

impl Places for Pointers {
    const NAME: &'static str = "seize";
    type Pin = LocalGuard<'static>;

    fn new() -> Self {
        Self {
            collector: Collector::new(),
            places: (0..PLACES).map(|place| boxed(place, 0).into()).collect(),
        }
    }

    #[inline]
    fn pin(&'static self) -> LocalGuard<'static> {
        self.collector.enter()
    }

    #[inline]
    fn reader(&'static self, pin: &LocalGuard<'static>) -> impl Fn(u64) -> u64 {
        |place| {
            let object = pin.protect(at(&self.places, place), Ordering::Acquire);
            // SAFETY: each place has an object, made before the pointer was stored with Release. The guard protects it.
            unsafe { &*object }.first()
        }
    }

    #[inline]
    fn replace(&self, place: u64, round: u64) {
        let old = at(&self.places, place).swap(boxed(place, round), Ordering::AcqRel);
        // SAFETY: from `boxed`, and in no place any more, so it is retired once.
        unsafe { self.collector.retire(old, reclaim::boxed) };
    }
}
