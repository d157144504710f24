//! [`Match`]: the rules, dice and scores of the game.

use std::num::{NonZeroU8, Saturating};

use acedia::Owned;
use acedia_actors::{ActorRef, GameInfo, Stage, Vector};
use acedia_text::Text;
use serde::{Deserialize, Serialize};

use super::herald::Herald;
use crate::random::Random;

/// The rules of the game, each from 1 to 255. To play by others, change them in a saved match.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct MatchRules {
    /// Soldiers in the level at any time.
    pub(super) soldiers: NonZeroU8,
    /// Ticks from one bomb to the next.
    pub(super) bombs: NonZeroU8,
    /// The health of new soldiers.
    pub(super) health: NonZeroU8,
    /// Ticks from one shot of a soldier to the next.
    pub(super) reload: NonZeroU8,
}

impl Default for MatchRules {
    fn default() -> Self {
        let [soldiers, bombs, health, reload] = [12, 5, 100, 4].map(|number| NonZeroU8::new(number).expect("not 0"));
        Self {
            soldiers,
            bombs,
            health,
            reload,
        }
    }
}

/// Actors are no farther than this from the middle, along both sides.
pub(super) const FIELD: f32 = 400.0;

/// Counts of the events in the level.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Scores {
    pub(crate) soldiers: Saturating<u64>,
    pub(crate) deaths: Saturating<u64>,
    pub(crate) shots: Saturating<u64>,
    pub(crate) hits: Saturating<u64>,
    pub(crate) pickups: Saturating<u64>,
    pub(crate) replaced: Saturating<u64>,
    pub(crate) opened: Saturating<u64>,
    pub(crate) lines: Saturating<u64>,
}

/// Keeps a number of soldiers in the level, as its children, and drops bombs on them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Match {
    pub(super) base: GameInfo,
    dice: Option<Random>,
    herald: Option<ActorRef<Herald>>,
    pub(super) rules: MatchRules,
    /// Counted anew in a restored level.
    #[serde(skip)]
    pub(super) soldiers: u32,
    pub(super) ticks: u64,
    pub(super) scores: Scores,
}

impl Match {
    /// Call this before play.
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

/// The rules of the match.
pub(super) fn rules(stage: &impl Stage) -> MatchRules {
    let game = the_match(stage).and_then(|game| stage.get(game));
    game.map_or_else(MatchRules::default, |game| game.rules)
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

/// Adds a line to the herald's chat.
pub(super) fn announce(stage: &mut impl Stage, line: Owned<Text>) {
    let herald = the_match(stage).and_then(|game| stage.get(game)?.herald);
    if let Some(herald) = herald {
        stage.change_or_null(herald, |it| it.say(line));
    }
    score(stage, |it| it.lines += 1);
}
