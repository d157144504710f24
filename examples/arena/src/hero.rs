//! [`Hero`]: the player's actor. States decide what its functions do.

use acedia_actors::{Actor, ClassBuilder, Cx, Function, Spawn, Stage, Vector, actor};
use serde::{Deserialize, Serialize};

use crate::barrel::Barrel;
use crate::body::{Body, FACE, TAKE_DAMAGE, body_at, is_free};

/// Walks into a neighbouring cell, or hits the body there.
pub(crate) static WALK: Function<Hero, Vector> = Function::new("Walk");
/// Puts a barrel ahead, and lights it.
pub(crate) static PUT_BARREL: Function<Hero> = Function::new("PutBarrel");
/// Raises the shield.
pub(crate) static RAISE_SHIELD: Function<Hero> = Function::new("RaiseShield");

/// Fights.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Hero {
    pub(crate) body: Body,
    pub(crate) barrels: u32,
    ahead: Vector,
}

impl Actor for Hero {
    actor!(Hero, "Arena.Hero", parent = Body, in body);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.function(&FACE, |_cx, ()| '@');
        class.function(&WALK, Self::walk);
        class.function(&PUT_BARREL, |cx, ()| Self::put_barrel(cx));
        // The state of a new hero. The class has no body of this function, so in other states a call does nothing.
        let mut ready = class.state("Ready");
        ready.auto().function(&RAISE_SHIELD, |cx, ()| cx.goto_state("Shielded"));
        // The code of a state runs over many frames: `Sleep(2); GotoState('Tired');`.
        let mut shielded = class.state("Shielded");
        shielded.ignore_function(&TAKE_DAMAGE).function(&FACE, |_cx, ()| '&');
        shielded.code(|code| _ = code.sleep(2.0).run(|cx| cx.goto_state("Tired")));
        let mut tired = class.state("Tired");
        tired.code(|code| _ = code.sleep(3.0).run(|cx| cx.goto_state("Ready")));
    }

    // Prepares a new actor. A restored one has the fields that were saved.
    fn constructor(&mut self) {
        (self.body.health, self.barrels) = (20, 5);
        self.ahead = Vector::new(1.0, 0.0, 0.0);
    }
}

impl Hero {
    fn walk(cx: &mut Cx<'_, Self>, step: Vector) {
        cx.ahead = step;
        let to = cx.location() + step;
        // `cx.others` is the level, as a handler sees it.
        if let Some(body) = body_at(&cx.others, to) {
            cx.others.call(body, &TAKE_DAMAGE, 2);
        } else if is_free(&cx.others, to) {
            cx.set_location(to);
        }
    }

    fn put_barrel(cx: &mut Cx<'_, Self>) {
        let to = cx.location() + cx.ahead;
        if cx.barrels > 0 && is_free(&cx.others, to) {
            // The whole spawn sequence runs before this returns. `None`, if an event of it destroyed the barrel.
            if let Some(barrel) = cx.spawn::<Barrel>(Spawn::new().at(to)) {
                cx.barrels -= 1;
                cx.others.call(barrel, &TAKE_DAMAGE, 1);
            }
        }
    }
}
