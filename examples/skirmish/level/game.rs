//! The handlers of [`Match`]; and [`Swap`], a mutator.

use acedia::actors::{Actor, ClassBuilder, GameInfo, Mutator, Spawn, Stage, Verdict, actor};
use acedia::collections::{Entries, TableWriter};

use super::body::Soldier;
use super::pickup::{Bomb, Medkit};
use super::rules::{Match, anywhere, score};
use super::saved::{Saved, number, to_number};

impl Actor for Match {
    actor!(Match, "Skirmish.Match", parent = GameInfo, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.gained_child(|cx, _soldier| cx.soldiers += 1);
        class.lost_child(|cx, _soldier| cx.soldiers -= 1);
        class.tick(|cx, _seconds| {
            cx.ticks += 1;
            let (soldiers, bombs) = (cx.rule("soldiers"), cx.rule("bombs"));
            while i64::from(cx.soldiers) < i64::from(soldiers) {
                let at = anywhere(&mut cx.others());
                if cx.spawn::<Soldier>(Spawn::new().owned().at(at)).is_none() {
                    break;
                }
                cx.scores.soldiers += 1;
            }
            if cx.ticks % u64::from(bombs.unsigned_abs()) == 0 {
                let at = anywhere(&mut cx.others());
                cx.spawn::<Bomb>(Spawn::new().at(at));
            }
        });
    }
}

/// Replaces every second bomb by a medkit.
#[derive(Debug, Default)]
pub(crate) struct Swap {
    base: Mutator,
    bombs: u64,
}

impl Actor for Swap {
    actor!(Swap, "Skirmish.Swap", parent = Mutator, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        // Runs for every actor while it is being spawned. The replacement is spawned inside that spawn.
        class.check_replacement(|cx, actor| {
            // Actors of a restored match stay.
            if cx.others().is_starting() || cx.others().cast::<Bomb>(actor).is_none() {
                return Verdict::KEEP;
            }
            cx.bombs += 1;
            if cx.bombs % 2 == 1 {
                return Verdict::KEEP;
            }
            let at = cx.others().location(actor).unwrap_or_default();
            cx.spawn::<Medkit>(Spawn::new().at(at));
            score(&mut cx.others(), |it| it.replaced += 1);
            Verdict::REMOVE
        });
    }
}

impl Saved for Swap {
    const IS_ON_THE_MAP: bool = true;

    fn save(&self, record: &mut TableWriter<'_>) {
        record.set("bombs", number(self.bombs));
    }

    fn restore(&mut self, record: &Entries) {
        self.bombs = to_number(&record["bombs"]);
    }
}
