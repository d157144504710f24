//! [`Body`]: the parent class of everything that can be hit. Start reading here.

use acedia_actors::{Actor, ActorRef, ClassBuilder, Cylinder, Function, Stage, Vector, actor};
use serde::{Deserialize, Serialize};

/// The cells of the field. A place in the level is a cell: whole numbers in `x` and `y`.
pub(crate) const WIDTH: i16 = 48;
pub(crate) const HEIGHT: i16 = 16;
/// A body fills its cell, and does not reach into the next one.
const CELL: Cylinder = Cylinder {
    radius: 0.4,
    half_height: 0.4,
};

// Functions of our own. The type parameters are the declaring class, the arguments and the result. Any code that has a reference to
// a body can call them; classes below and states override them.

/// `function int TakeDamage(int Damage)`: takes health, and returns the rest.
pub(crate) static TAKE_DAMAGE: Function<Body, i32, i32> = Function::new("TakeDamage");
/// The character on the screen.
pub(crate) static FACE: Function<Body, (), char> = Function::new("Face");

/// Has health, and fills a cell.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Body {
    pub(crate) health: i32,
}

// This makes the Rust type a class. The name is for saved games and messages.
impl Actor for Body {
    actor!(Body, "Arena.Body");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        // Only actors of classes below it can be spawned.
        class.make_abstract();
        // Inherited by the classes below: other actors find it in the collision world.
        class.defaults(|it| {
            it.collide_actors = true;
            it.shape = CELL;
        });
        // `cx` is the context of a handler. It derefs to the actor's own fields.
        class.function(&TAKE_DAMAGE, |cx, damage| {
            cx.health = cx.health.saturating_sub(damage);
            if cx.health <= 0 {
                cx.destroy();
            }
            cx.health
        });
        class.function(&FACE, |_cx, ()| '?');
    }
}

/// The body in a cell. In a handler `stage` is `&cx.others`; outside it is the level.
pub(crate) fn body_at(stage: &impl Stage, cell: Vector) -> Option<ActorRef<Body>> {
    // `cast` gives a typed reference, if the actor is of that class or below it.
    stage.overlapping(CELL, cell).into_iter().find_map(|it| stage.cast(it))
}

/// Whether a cell is in the field, with nobody in it.
pub(crate) fn is_free(stage: &impl Stage, cell: Vector) -> bool {
    let inside = (0.0..f32::from(WIDTH)).contains(&cell.x) && (0.0..f32::from(HEIGHT)).contains(&cell.y);
    inside && body_at(stage, cell).is_none()
}
