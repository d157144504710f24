//! [`Turret`] and [`Rocket`]: the classes of actors that scripts play with.

use acedia::Owned;
use acedia_actors::{Actor, ClassBuilder, Spawn, actor};
use acedia_collections::ArrayList;
use rhai::Engine;

use crate::actors::{register_collection, register_number};

/// Fires a rocket per tick while it has some, and keeps a log.
#[derive(Debug)]
pub(crate) struct Turret {
    rockets: i64,
    log: Owned<ArrayList>,
}

impl Default for Turret {
    fn default() -> Self {
        Self {
            rockets: 1,
            log: ArrayList::new(),
        }
    }
}

impl Actor for Turret {
    actor!(Turret, "Arena.Turret");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.state("Loaded").auto().tick(|cx, _seconds| {
            if cx.rockets > 0 {
                cx.rockets -= 1;
                cx.spawn::<Rocket>(Spawn::new().owned_by(cx.me()));
                cx.log.write().push("fired");
            } else {
                cx.goto_state("Empty");
            }
        });
        class.state("Empty");
    }
}

/// The projectile of a turret.
#[derive(Debug, Default)]
pub(crate) struct Rocket;

impl Actor for Rocket {
    actor!(Rocket, "Arena.Rocket");
}

/// `turret.rockets` and `turret.log`.
pub(crate) fn register(engine: &mut Engine) {
    let set = |turret: &mut Turret, rockets| turret.rockets = rockets;
    register_number(engine, "rockets", |turret: &Turret| turret.rockets, set);
    register_collection(engine, "log", |turret: &Turret| turret.log.handle());
}
