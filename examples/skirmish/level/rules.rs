//! [`Match`]: the rules, dice and scores of the game.

use acedia::Owned;
use acedia::actors::{ActorRef, GameInfo, Stage, Vector};
use acedia::collections::{Entries, HashTable, TableWriter};
use acedia::text::Text;

use super::herald::Herald;
use super::saved::{Saved, number, to_number};
use crate::random::Random;

/// The rules of the game, which a saved match may override:
///
/// soldiers in the level at any time, ticks from one bomb to the next, the health of new soldiers, and ticks from one of
/// their shots to the next.
const RULES: [(&str, i32); 4] = [("soldiers", 12), ("bombs", 5), ("health", 100), ("reload", 4)];
/// The highest number of a rule; the lowest is 1.
const HIGHEST: i32 = 1_000;
/// Actors are no farther than this from the middle, along both sides.
pub(super) const FIELD: f32 = 400.0;

/// Counts of the events in the level.
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

impl Scores {
    /// All of them, with their names.
    fn fields(&mut self) -> [(&'static str, &mut u64); 8] {
        [
            ("soldiers", &mut self.soldiers),
            ("deaths", &mut self.deaths),
            ("shots", &mut self.shots),
            ("hits", &mut self.hits),
            ("pickups", &mut self.pickups),
            ("replaced", &mut self.replaced),
            ("opened", &mut self.opened),
            ("lines", &mut self.lines),
        ]
    }
}

/// Keeps a number of soldiers in the level, as its children, and drops bombs on them.
#[derive(Debug, Default)]
pub(crate) struct Match {
    pub(super) base: GameInfo,
    dice: Option<Random>,
    herald: Option<ActorRef<Herald>>,
    rules: Option<Owned<HashTable>>,
    pub(super) soldiers: u32,
    pub(super) ticks: u64,
    pub(super) scores: Scores,
}

impl Match {
    /// Call this before play.
    pub(super) fn prepare(&mut self, dice: Random, herald: ActorRef<Herald>) {
        self.dice = Some(dice);
        self.herald = Some(herald);
        self.rules = Some(HashTable::from(RULES));
    }

    /// A rule of the game.
    pub(super) fn rule(&self, name: &str) -> i32 {
        let number = self.rules.as_ref().and_then(|rules| rules.read()[name].as_int());
        number.unwrap_or(1).clamp(1, HIGHEST)
    }

    /// Counts the soldiers that were placed before play, for which there was no event.
    pub(super) fn count(&mut self, soldiers: usize) {
        self.soldiers = u32::try_from(soldiers).unwrap_or(u32::MAX);
    }

    pub(super) fn scores(&self) -> Scores {
        self.scores
    }
}

impl Saved for Match {
    const IS_ON_THE_MAP: bool = true;

    fn save(&self, record: &mut TableWriter<'_>) {
        let mut scores = self.scores;
        let scores = scores.fields().map(|(name, count)| (name, number(*count)));
        let dice = self.dice.as_ref().map(|dice| format!("{:016x}", dice.state()));
        record
            .set("rules", self.rules.clone())
            .set("scores", HashTable::from(scores))
            .set("dice", dice)
            .set("ticks", number(self.ticks));
    }

    fn restore(&mut self, record: &Entries) {
        if let (Some(rules), Some(saved)) = (&self.rules, record["rules"].to_table()) {
            let saved = saved.read();
            rules.write().extend(saved.iter());
        }
        if let Some(saved) = record["scores"].to_table() {
            for (name, count) in self.scores.fields() {
                *count = to_number(&saved.read()[name]);
            }
        }
        let dice = record["dice"].as_string();
        if let Some(dice) = dice.and_then(|dice| u64::from_str_radix(&dice, 16).ok()) {
            self.dice = Some(Random::of_state(dice));
        }
        self.ticks = to_number(&record["ticks"]);
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

/// A rule of the match; 1 without one.
pub(super) fn rule(stage: &impl Stage, name: &str) -> i32 {
    let game = the_match(stage).and_then(|game| stage.get(game));
    game.map_or(1, |game| game.rule(name))
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
