//! The objects of the match. Start reading here: [`Projectile`] is a class of plain data, and [`Item`] one of objects; this is all
//! that a Rust type needs to be pooled. Chat lines and prices are objects of the library's own classes `Text` and `IntBox`.

use acedia::{Object, PlainObject, class};
use bytemuck::{AnyBitPattern, NoUninit};

use crate::tally;

/// A projectile that flies until it hits the ground. Its thread moves it while others read it. Every byte of it is data, so readers get
/// copies, without a pin, and freeing one waits for no reader.
#[derive(Clone, Copy, Debug, Default, NoUninit, AnyBitPattern, PlainObject)]
#[object(name = "Skirmish.Projectile")]
#[repr(C)]
pub(crate) struct Projectile {
    /// A number that no other object of the match has, in any of its lives.
    pub(crate) id: u64,
    pub(crate) position: [f32; 3],
    pub(crate) velocity: [f32; 3],
}

impl Projectile {
    /// The row of this class in every table of numbers.
    pub(crate) const ROW: usize = 0;

    /// Flies on for so many seconds.
    pub(crate) fn fly(&mut self, seconds: f32) {
        for (place, speed) in self.position.iter_mut().zip(self.velocity) {
            *place += speed * seconds;
        }
        self.position[2] = (self.position[2] - 4.9 * seconds * seconds).max(0.0);
        self.velocity[2] -= 9.8 * seconds;
    }
}

/// An item of a player, which other players want. It is no plain data, because its name is a buffer.
#[derive(Debug, Default)]
pub(crate) struct Item {
    /// As of a projectile, or 0 in an item that was finalized.
    pub(crate) id: u64,
    pub(crate) name: String,
}

impl Item {
    /// As of a projectile.
    pub(crate) const ROW: usize = 1;
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
