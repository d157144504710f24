//! [`Barrel`]: a timer, a state, and a call of other actors' functions.

use acedia_actors::{Actor, ClassBuilder, Cylinder, Function, Repeat, Stage, actor};
use serde::{Deserialize, Serialize};

use crate::body::{Body, FACE, TAKE_DAMAGE};

/// Seconds from the first hit to the explosion.
const FUSE: f32 = 1.5;
const BLAST: Cylinder = Cylinder {
    radius: 2.5,
    half_height: 1.0,
};

static EXPLODE: Function<Barrel> = Function::new("Explode");

/// Explodes some time after it was hit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Barrel {
    body: Body, // the parent class's fields
}

impl Actor for Barrel {
    actor!(Barrel, "Arena.Barrel", parent = Body, in body);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        // Actors of this class are saved with their level: all their fields, by `serde`.
        class.saved();
        class.function(&FACE, |_cx, ()| 'b');
        // Overrides the parent's body. A barrel that burns already is in that state, so nothing happens.
        class.function(&TAKE_DAMAGE, |cx, _damage| {
            cx.goto_state("Burning");
            1
        });
        class.function(&EXPLODE, |cx, ()| {
            let caught = cx.others.overlapping(BLAST, cx.location());
            // All events of the destruction run before this returns. This body goes on, with all its fields.
            cx.destroy();
            for actor in caught {
                // No longer finds the barrel itself, nor actors that an earlier call has destroyed.
                if let Some(body) = cx.others.cast::<Body>(actor) {
                    cx.others.call(body, &TAKE_DAMAGE, 6);
                }
            }
        });
        let mut burning = class.state("Burning");
        burning.begin_state(|cx, _previous| _ = cx.set_timer_of(&EXPLODE, FUSE, Repeat::Once));
        burning.function(&FACE, |_cx, ()| '*');
    }
}
