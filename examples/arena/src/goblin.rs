//! [`Goblin`]: sleeps, wakes up and hunts. Its states have code.

use acedia_actors::{Actor, ClassBuilder, Cx, Stage, Vector, actor};
use serde::{Deserialize, Serialize};

use crate::body::{Body, FACE, TAKE_DAMAGE, body_at, is_free};
use crate::hero::Hero;

/// Goes to the hero and hits it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Goblin {
    pub(crate) body: Body,
    pub(crate) strength: i32,
    /// Seconds from one step to the next.
    pub(crate) pace: f32,
}

impl Actor for Goblin {
    actor!(Goblin, "Arena.Goblin", parent = Body, in body);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.function(&FACE, |_cx, ()| 'G');
        class.function(&TAKE_DAMAGE, |cx, damage| {
            // `Super.TakeDamage(Damage)`. It may have destroyed this actor; then the change of state does nothing.
            let left = cx.inherited().call(&TAKE_DAMAGE, damage);
            cx.goto_state("Hunting");
            left
        });
        let mut asleep = class.state("Asleep");
        asleep.auto().function(&FACE, |_cx, ()| 'z');
        asleep.code(|code| _ = code.wait_until(Self::hears).run(|cx| cx.goto_state("Hunting")));
        class.state("Hunting").code(|code| {
            code.label("Begin").sleep_for(|cx| cx.pace);
            code.run(Self::step).goto("Begin");
        });
    }

    fn constructor(&mut self) {
        (self.body.health, self.strength, self.pace) = (4, 1, 0.5);
    }
}

impl Goblin {
    /// The way to the hero.
    fn way(cx: &mut Cx<'_, Self>) -> Option<Vector> {
        let hero = cx.others.all::<Hero>().next(&cx.others)?;
        Some(cx.others.location(hero)? - cx.location())
    }

    /// It wakes up at a distance of five steps.
    fn hears(cx: &mut Cx<'_, Self>) -> bool {
        Self::way(cx).is_some_and(|way| way.x.abs() + way.y.abs() <= 5.0)
    }

    /// One step to the hero, along the longer side, or along the other one if somebody is in the way.
    fn step(cx: &mut Cx<'_, Self>) {
        let Some(way) = Self::way(cx) else { return };
        let (x, y) = (way.x.clamp(-1.0, 1.0), way.y.clamp(-1.0, 1.0));
        let steps = if way.y.abs() > way.x.abs() {
            [(0.0, y), (x, 0.0)]
        } else {
            [(x, 0.0), (0.0, y)]
        };
        for (x, y) in steps {
            let to = cx.location() + Vector::new(x, y, 0.0);
            let body = body_at(&cx.others, to);
            if let Some(hero) = body.and_then(|body| cx.others.cast::<Hero>(body.any())) {
                // A field of this actor is an argument of the call.
                cx.others.call(hero, &TAKE_DAMAGE, cx.strength);
                return;
            }
            if is_free(&cx.others, to) {
                cx.set_location(to);
                return;
            }
        }
    }
}
