//! [`Pickup`], an abstract class, and the two classes below it.

use acedia::Owned;
use acedia_actors::{Actor, ActorClass, ClassBuilder, Stage, actor};
use acedia_boxes::IntBox;
use serde::{Deserialize, Serialize};

use super::body::{Soldier, hurt};
use super::rules::score;

const CURE: i32 = 25;
const BLAST: i32 = 60;

/// Stays in place until a soldier touches it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Pickup {
    worth: Option<Owned<IntBox>>,
}

impl Actor for Pickup {
    actor!(Pickup, "Skirmish.Pickup");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.make_abstract();
        class.defaults(|it| it.collide_actors = true);
        class.touch(|cx, other| {
            // The soldier is dead by now, if this is a bomb that killed it.
            let Some(soldier) = cx.others.cast::<Soldier>(other) else {
                return;
            };
            let worth = cx.worth.as_ref().map_or(0, |worth| worth.get());
            let me = cx.me();
            let thing = cx.others.class(me).map_or("", ActorClass::name);
            cx.others.value_or_null(soldier, |it| it.take(thing, worth));
            score(&mut cx.others, |it| it.pickups += 1);
            cx.destroy();
        });
    }
}

/// Heals the soldier that takes it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Medkit {
    base: Pickup,
}

impl Actor for Medkit {
    actor!(Medkit, "Skirmish.Medkit", parent = Pickup, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.touch(|cx, other| {
            let soldier = cx.others.cast::<Soldier>(other);
            if let Some(soldier) = soldier {
                cx.others
                    .change_or_null(soldier, |it| it.health = it.health.saturating_add(CURE));
            }
            cx.inherited().touch(other);
        });
    }

    fn constructor(&mut self) {
        self.base.worth = Some(IntBox::new(5));
    }
}

/// Hurts the soldier that takes it, but is worth more.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Bomb {
    base: Pickup,
}

impl Actor for Bomb {
    actor!(Bomb, "Skirmish.Bomb", parent = Pickup, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.touch(|cx, other| {
            if let Some(soldier) = cx.others.cast::<Soldier>(other) {
                hurt(&mut cx.others, soldier, BLAST);
            }
            cx.inherited().touch(other);
        });
    }

    fn constructor(&mut self) {
        self.base.worth = Some(IntBox::new(50));
    }
}
