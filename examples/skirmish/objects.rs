//! The classes of the match. Start reading here: this is all that a Rust type needs to be pooled. Chat lines and prices
//! are objects of the library's own classes `Text` and `IntBox`.

use acedia::{Object, class};

use crate::tally;

/// The interface of all objects in the match, so that both worlds can check what they find.
pub(crate) trait Entity: Object {
    /// The row of this class in every table of numbers.
    const ROW: usize;

    /// A number that no other object of the match has, in any of its lives. 0 in an object that was finalized.
    fn id(&self) -> u64;
}

/// A projectile that flies until it hits the ground.
#[derive(Debug, Default)]
pub(crate) struct Projectile {
    pub(crate) id: u64,
    pub(crate) position: [f32; 3],
    pub(crate) velocity: [f32; 3],
    /// Where it is at each tick of its flight.
    pub(crate) trail: Vec<[f32; 3]>,
}

impl Object for Projectile {
    class!(Projectile, "Skirmish.Projectile");

    // Runs at the start of every life. The object is left from the life before, so the trail's buffer is reused. A
    // class that cleans up here, and has no finalizer, is the cheapest to free while other threads are reading.
    fn constructor(&mut self) {
        self.trail.clear();
    }
}

impl Entity for Projectile {
    const ROW: usize = 0;

    fn id(&self) -> u64 {
        self.id
    }
}

/// An item of a player, which other players want.
#[derive(Debug, Default)]
pub(crate) struct Item {
    pub(crate) id: u64,
    pub(crate) name: String,
}

impl Object for Item {
    class!(Item, "Skirmish.Item");

    // Runs at the end of every life: at once if no thread is reading, otherwise as soon as the readers have left. So a
    // reader never sees a half-finalized object. The object is not dropped after this: the name's buffer stays in it.
    const FINALIZER: Option<fn(&mut Self)> = Some(|item| {
        item.id = 0;
        item.name.clear();
        tally::count_finalizer(Self::ROW);
    });
}

impl Entity for Item {
    const ROW: usize = 1;

    fn id(&self) -> u64 {
        self.id
    }
}
