//! `slotmap`: things without a life of their own. The floor.

use slotmap::{DefaultKey, SlotMap};

use super::world::{Words, World};

pub(super) const SLOTMAP: &str = "slotmap";

/// One slot map.
pub(super) struct Slots(pub(super) SlotMap<DefaultKey, Words>);

impl World for Slots {
    const NAME: &'static str = SLOTMAP;
    type Id = DefaultKey;

    fn new() -> Self {
        Self(SlotMap::new())
    }

    fn spawn(&mut self) -> DefaultKey {
        self.0.insert(Words::default())
    }

    fn destroy(&mut self, id: DefaultKey) {
        assert!(self.0.remove(id).is_some(), "it was there");
    }
}
