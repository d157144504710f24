//! [`Trigger`] and [`Vault`]: stepping on the one opens the other. An example of states.

use acedia_actors::{Actor, ActorRef, ClassBuilder, Name, Spawn, Stage, actor};
use serde::{Deserialize, Serialize};

use super::body::Soldier;
use super::pickup::Medkit;
use super::rules::score;

/// Ticks that a vault stays open.
const OPEN: u32 = 10;

/// A plate that soldiers step on.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Trigger {
    pub(super) opens: Option<ActorRef<Vault>>,
}

impl Actor for Trigger {
    actor!(Trigger, "Skirmish.Trigger");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.defaults(|it| it.collide_actors = true);
        class.touch(|cx, other| {
            let soldier = cx.others.cast::<Soldier>(other);
            if let Some((vault, _)) = cx.opens.zip(soldier) {
                // Nothing happens if it is open.
                cx.others.goto_state(vault, "Open");
            }
        });
    }
}

/// Gives something away each time it opens.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Vault {
    left: u32,
}

impl Actor for Vault {
    actor!(Vault, "Skirmish.Vault");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.state("Closed").auto();
        let mut open = class.state("Open");
        open.begin_state(|cx, _previous: Name| {
            cx.left = OPEN;
            cx.spawn::<Medkit>(Spawn::new());
            score(&mut cx.others, |it| it.opened += 1);
        });
        open.tick(|cx, _seconds| {
            cx.left = cx.left.saturating_sub(1);
            if cx.left == 0 {
                cx.goto_state("Closed");
            }
        });
    }
}
