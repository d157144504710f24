//! The classes of the match. Start reading here: this is all it takes to get a Rust type pooled. What is said in the chat
//! and what items are worth are objects of the library's own classes: `Text` and `IntBox`.

use acedia::{Object, class};

use crate::tally;

/// What everything in the match has, so that both worlds can check what they find.
pub(crate) trait Entity: Object {
    /// The row of this class in every table of numbers.
    const ROW: usize;

    /// A number that no other object of the match has, in any of its lives. 0 in an object that was finalized.
    fn id(&self) -> u64;
}

/// Something that flies until it hits the ground.
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

    // Runs at the start of every life. What is here was left by the life before: the trail's buffer, for one, is used
    // again. A class that tidies up here, and has no finalizer, is cheapest to free while others are reading.
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

/// Something that a player owns, and that other players want.
#[derive(Debug, Default)]
pub(crate) struct Item {
    pub(crate) id: u64,
    pub(crate) name: String,
}

impl Object for Item {
    class!(Item, "Skirmish.Item");

    // Runs at the end of every life: at once if nobody is reading, otherwise as soon as the readers have left. So a
    // reader never sees an object in pieces. The object is not dropped after this: the name's buffer stays in it.
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
