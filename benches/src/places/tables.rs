//! Tables of objects by the number of their place.

use crate::{
    payload::Payload,
    place::{Object, PLACES, Places, object},
};

use dashmap::DashMap;
use foldhash::fast::RandomState;
use papaya::{HashMap, LocalGuard};
use std::fmt;

/// In `papaya`.
#[derive(Debug)]
pub(crate) struct InPapaya(HashMap<u64, Object, RandomState>);

impl Places for InPapaya {
    const NAME: &'static str = "papaya";
    type Pin = LocalGuard<'static>;

    fn new() -> Self {
        Self((0..PLACES).map(|place| (place, object(place, 0))).collect())
    }

    #[inline]
    fn pin(&'static self) -> LocalGuard<'static> {
        self.0.guard()
    }

    #[inline]
    fn reader(&'static self, pin: &LocalGuard<'static>) -> impl Fn(u64) -> u64 {
        |place| self.0.get(&place, pin).expect("each place has one").first()
    }

    #[inline]
    fn replace(&self, place: u64, round: u64) {
        self.0.insert(place, object(place, round), &self.0.guard());
    }
}

/// In `DashMap`.
pub(crate) struct InDash(DashMap<u64, Object, RandomState>);

impl fmt::Debug for InDash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InDash").finish_non_exhaustive()
    }
}

impl Places for InDash {
    const NAME: &'static str = "DashMap";
    type Pin = ();

    fn new() -> Self {
        Self((0..PLACES).map(|place| (place, object(place, 0))).collect())
    }

    #[inline]
    fn pin(&'static self) {}

    #[inline]
    fn reader(&'static self, (): &()) -> impl Fn(u64) -> u64 {
        |place| self.0.get(&place).expect("each place has one").first()
    }

    #[inline]
    fn replace(&self, place: u64, round: u64) {
        self.0.insert(place, object(place, round));
    }
}
