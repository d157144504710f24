//! The handlers of [`Match`]; and [`Swap`], a mutator.

use acedia_actors::{Actor, ClassBuilder, GameInfo, Mutator, Spawn, Stage, Verdict, actor};
use serde::{Deserialize, Serialize};

use super::body::Soldier;
use super::pickup::{Bomb, Medkit};
use super::rules::{Match, anywhere, score};

impl Actor for Match {
    actor!(Match, "Skirmish.Match", parent = GameInfo, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.gained_child(|cx, _soldier| cx.soldiers += 1);
        class.lost_child(|cx, _soldier| cx.soldiers -= 1);
        class.tick(|cx, _seconds| {
            cx.ticks = cx.ticks.wrapping_add(1);
            let rules = cx.rules;
            while cx.soldiers < u32::from(rules.soldiers.get()) {
                let at = anywhere(&mut cx.others);
                if cx.spawn::<Soldier>(Spawn::new().owned_by(cx.me()).at(at)).is_none() {
                    break;
                }
                cx.scores.soldiers += 1;
            }
            if cx.ticks % u64::from(rules.bombs.get()) == 0 {
                let at = anywhere(&mut cx.others);
                cx.spawn::<Bomb>(Spawn::new().at(at));
            }
        });
    }
}

/// Replaces every second bomb by a medkit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Swap {
    base: Mutator,
    bombs: u64,
}

impl Actor for Swap {
    actor!(Swap, "Skirmish.Swap", parent = Mutator, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        // Runs for every actor while it is being spawned. The replacement is spawned inside that spawn.
        class.check_replacement(|cx, actor| {
            if cx.others.cast::<Bomb>(actor).is_none() {
                return Verdict::KEEP;
            }
            cx.bombs = cx.bombs.wrapping_add(1);
            if cx.bombs % 2 == 1 {
                return Verdict::KEEP;
            }
            let at = cx.others.location(actor).unwrap_or_default();
            cx.spawn::<Medkit>(Spawn::new().at(at));
            score(&mut cx.others, |it| it.replaced += 1);
            Verdict::REMOVE
        });
    }
}
