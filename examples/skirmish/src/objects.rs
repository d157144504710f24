//! The classes of the match. This is all that a Rust type needs to be pooled.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};

use acedia::{Object, class};

/// A place in the field that its thread changes while others read it. Both numbers are in one word, so no reader sees a new `x` with an
/// old `y`.
#[derive(Debug, Default)]
pub(crate) struct Place(AtomicU64);

impl Place {
    pub(crate) fn get(&self) -> [f32; 2] {
        let bits = self.0.load(Relaxed);
        [bits >> 32, bits & 0xffff_ffff].map(|bits| f32::from_bits(u32::try_from(bits).expect("32 bits")))
    }

    pub(crate) fn set(&self, [x, y]: [f32; 2]) {
        self.0
            .store(u64::from(x.to_bits()) << 32 | u64::from(y.to_bits()), Relaxed);
    }
}

/// A ship, which the missiles of other fleets aim at. It may be destroyed at any time.
#[derive(Debug, Default)]
pub(crate) struct Ship {
    /// A number that no other ship has, in any life of the slot. A handle must never resolve to another one.
    pub(crate) id: u64,
    pub(crate) fleet: usize,
    pub(crate) place: Place,
    pub(crate) hull: AtomicI32,
}

impl Object for Ship {
    class!(Ship, "Skirmish.Ship");

    /// Runs at the start of each life. A recycled object keeps its fields.
    fn constructor(&mut self) {
        self.hull = AtomicI32::new(4);
    }
}

/// A missile, which others only see.
#[derive(Debug, Default)]
pub(crate) struct Missile {
    pub(crate) fleet: usize,
    pub(crate) place: Place,
}

impl Object for Missile {
    class!(Missile, "Skirmish.Missile");
}

/// A part of a ship that has exploded.
#[derive(Debug, Default)]
pub(crate) struct Spark {
    pub(crate) place: Place,
}

impl Object for Spark {
    class!(Spark, "Skirmish.Spark");
}
