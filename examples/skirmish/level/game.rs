//! [`Match`]: the game itself, with its dice and scores. [`Swap`]: a mutator.

use acedia::Owned;
use acedia::actors::{Actor, ActorRef, ClassBuilder, GameInfo, Mutator, Spawn, Stage, Vector, Verdict, actor};
use acedia::text::Text;

use super::FIELD;
use super::herald::Herald;
use super::pickup::{Bomb, Medkit};
use super::soldier::Soldier;
use crate::random::Random;

/// Soldiers in the level at any time.
const SOLDIERS: u32 = 12;
/// Ticks from one bomb to the next.
const BOMBS: u64 = 5;

/// What happened in the level, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scores {
    pub(crate) soldiers: u64,
    pub(crate) deaths: u64,
    pub(crate) shots: u64,
    pub(crate) hits: u64,
    pub(crate) pickups: u64,
    pub(crate) replaced: u64,
    pub(crate) opened: u64,
    pub(crate) lines: u64,
}

/// Keeps soldiers in the level, which are its children, and drops bombs on them.
#[derive(Debug, Default)]
pub(crate) struct Match {
    base: GameInfo,
    dice: Option<Random>,
    herald: Option<ActorRef<Herald>>,
    soldiers: u32,
    ticks: u64,
    scores: Scores,
}

impl Actor for Match {
    actor!(Match, "Skirmish.Match", parent = GameInfo, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.gained_child(|cx, _soldier| cx.soldiers += 1);
        class.lost_child(|cx, _soldier| cx.soldiers -= 1);
        class.tick(|cx, _seconds| {
            cx.ticks += 1;
            while cx.soldiers < SOLDIERS {
                let at = anywhere(&mut cx.others());
                if cx.spawn::<Soldier>(Spawn::new().owned().at(at)).is_none() {
                    break;
                }
                cx.scores.soldiers += 1;
            }
            if cx.ticks % BOMBS == 0 {
                let at = anywhere(&mut cx.others());
                cx.spawn::<Bomb>(Spawn::new().at(at));
            }
        });
    }
}

impl Match {
    /// To be called before play.
    pub(super) fn prepare(&mut self, dice: Random, herald: ActorRef<Herald>) {
        self.dice = Some(dice);
        self.herald = Some(herald);
    }

    pub(super) fn scores(&self) -> Scores {
        self.scores
    }
}

/// The match that is played in a level.
fn the_match(stage: &impl Stage) -> Option<ActorRef<Match>> {
    stage.cast(stage.game()?)
}

/// Counts something.
pub(super) fn score(stage: &mut impl Stage, count: impl FnOnce(&mut Scores)) {
    if let Some(game) = the_match(stage) {
        stage.change_or_null(game, |it| count(&mut it.scores));
    }
}

/// A number in `-size..size`, by the dice of the match.
pub(super) fn spread(stage: &mut impl Stage, size: f32) -> f32 {
    let game = the_match(stage);
    let dice = game.and_then(|game| stage.get_mut(game)?.dice.as_mut());
    dice.map_or(0.0, |dice| dice.spread(size))
}

/// A place in the field.
pub(super) fn anywhere(stage: &mut impl Stage) -> Vector {
    Vector::new(spread(stage, FIELD), spread(stage, FIELD), 0.0)
}

/// Has the herald say something.
pub(super) fn announce(stage: &mut impl Stage, line: Owned<Text>) {
    let herald = the_match(stage).and_then(|game| stage.get(game)?.herald);
    if let Some(herald) = herald {
        stage.change_or_null(herald, |it| it.say(line));
    }
    score(stage, |it| it.lines += 1);
}

/// Finds bombs unfair: puts a medkit in the place of every second one.
#[derive(Debug, Default)]
pub(crate) struct Swap {
    base: Mutator,
    bombs: u64,
}

impl Actor for Swap {
    actor!(Swap, "Skirmish.Swap", parent = Mutator, in base);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        // Asked about every actor while it is being spawned. The replacement is spawned inside that spawn.
        class.check_replacement(|cx, actor| {
            if cx.others().cast::<Bomb>(actor).is_none() {
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
