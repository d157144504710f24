//! [`Rocket`]: a projectile.

use acedia_actors::{Actor, ActorRef, ClassBuilder, Cx, Cylinder, Physics, Stage, Vector, actor};
use serde::{Deserialize, Serialize};

use super::body::{Soldier, hurt};
use super::rules::score;

/// Ticks until it has burned out.
const FUEL: u32 = 20;
const DAMAGE: i32 = 40;

/// Flies straight on, until it meets a soldier that is not its owner.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rocket {
    pub(super) heading: Vector,
    fuel: u32,
}

impl Actor for Rocket {
    actor!(Rocket, "Skirmish.Rocket");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.defaults(|it| {
            it.physics = Physics::Projectile;
            // It gets touch events, and blocks no actor.
            it.collide_actors = true;
            it.shape = Cylinder {
                radius: 4.0,
                half_height: 4.0,
            };
        });
        class.touch(Self::touch);
        class.tick(|cx, _seconds| {
            cx.fuel = cx.fuel.saturating_sub(1);
            if cx.fuel == 0 {
                cx.destroy();
                return;
            }
            let to = cx.location() + cx.heading;
            cx.set_location(to);
        });
    }

    fn constructor(&mut self) {
        self.fuel = FUEL;
    }
}

impl Rocket {
    fn touch(cx: &mut Cx<'_, Self>, other: ActorRef) {
        let Some(soldier) = cx.others.cast::<Soldier>(other).filter(|_| cx.owner() != Some(other)) else {
            return;
        };
        score(&mut cx.others, |it| it.hits += 1);
        cx.destroy();
        // It is destroyed, but its handler goes on, and acts on other actors from outside.
        hurt(&mut cx.others, soldier, DAMAGE);
    }
}
