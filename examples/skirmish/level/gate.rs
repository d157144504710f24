//! [`Trigger`] and [`Vault`]: stepping on the one opens the other. An example of states.

use acedia::actors::{Actor, ActorRef, ClassBuilder, Level, Name, Spawn, Stage, actor};
use acedia::collections::{Entries, TableWriter};

use super::body::Soldier;
use super::pickup::Medkit;
use super::rules::score;
use super::saved::{Saved, number, to_number};

/// Ticks that a vault stays open.
const OPEN: u32 = 10;

/// A plate that soldiers step on.
#[derive(Debug, Default)]
pub(crate) struct Trigger {
    pub(super) opens: Option<ActorRef<Vault>>,
}

impl Actor for Trigger {
    actor!(Trigger, "Skirmish.Trigger");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.defaults(|it| it.collide_actors = true);
        class.touch(|cx, other| {
            let soldier = cx.others().cast::<Soldier>(other);
            if let Some((vault, _)) = cx.opens.zip(soldier) {
                // Nothing happens if it is open.
                cx.others().goto_state(vault, "Open");
            }
        });
    }
}

/// Gives something away each time it opens.
#[derive(Debug, Default)]
pub(crate) struct Vault {
    left: u32,
}

impl Actor for Vault {
    actor!(Vault, "Skirmish.Vault");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.state("Closed").auto();
        let mut open = class.state("Open");
        open.begin_state(|cx, _previous: Name| {
            if cx.left > 0 {
                // It was open when the match was saved.
                return;
            }
            cx.left = OPEN;
            cx.spawn::<Medkit>(Spawn::new());
            score(&mut cx.others(), |it| it.opened += 1);
        });
        open.tick(|cx, _seconds| {
            cx.left -= 1;
            if cx.left == 0 {
                cx.goto_state("Closed");
            }
        });
    }
}

impl Saved for Vault {
    const IS_ON_THE_MAP: bool = true;

    fn save(&self, record: &mut TableWriter<'_>) {
        record.set("left", number(self.left.into()));
    }

    fn restore(&mut self, record: &Entries) {
        self.left = to_number::<u32>(&record["left"]).min(OPEN);
    }
}

/// Opens the vaults again that were open when the match was saved.
pub(super) fn reopen(level: &mut Level) {
    let mut vaults = level.all::<Vault>();
    while let Some(vault) = vaults.next(level) {
        if level.get(vault).is_some_and(|it| it.left > 0) {
            level.goto_state(vault, "Open");
        }
    }
}
