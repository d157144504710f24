//! [`Battle`]: the level, on a thread of its own, beside the threads that fire and trade.
//!
//! Here a game's rules are handlers of actors. To learn how, read `soldier`, then `pickup` (a class and the classes below it),
//! `game` (a mutator), `gate` (states), and `herald` (texts); [`Battle`] saves the level as JSON and restores it. The level
//! shares nothing with the other threads but the pools. No other thread reads a soldier or a rocket, so they are no plain data.

mod body;
mod game;
mod gate;
mod herald;
mod pickup;
mod rocket;
mod rules;
mod soldier;

use acedia::{Class, Object, Owned};
use acedia_actors::{ActorRef, Level, NativeActorRef, Pawn, Rules, SavedLevel, Spawn, Stage, Vector};
use acedia_boxes::IntRef;
use acedia_collections::{ArrayList, HashTable};
use acedia_text::Text;

use self::game::Swap;
use self::gate::{Trigger, Vault};
use self::herald::Herald;
use self::rules::{FIELD, Match};
use crate::random::Random;

pub(crate) use self::rules::Scores;

/// Ticks of the other threads to one of the level.
pub(crate) const PACE: u64 = 20;
/// Actors that a level may be restored with.
const MOST: usize = 10_000;
/// Seconds that a tick stands for.
const TICK: f32 = 0.1;

/// The outcome of the battle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) ticks: u64,
    pub(crate) scores: Scores,
    /// Actors at the end.
    pub(crate) alive: usize,
    /// Soldiers that the camera followed until they died.
    pub(crate) scenes: u64,
    /// Warnings in the level's log.
    pub(crate) warnings: usize,
    /// The level at its end, as JSON.
    pub(crate) saved: String,
    /// Whether a level that is restored from that, and saved again, has the same content. Must be.
    pub(crate) restored_equal: bool,
    /// Objects that actors had, and that were not freed with the level. Must be 0.
    pub(crate) leaked: u64,
}

/// A level in play.
pub(crate) struct Battle {
    level: Level,
    game: ActorRef<Match>,
    herald: ActorRef<Herald>,
    /// An object that refers to an actor: it is emptied when the actor dies.
    camera: Owned<NativeActorRef>,
    outcome: Outcome,
}

impl Battle {
    /// The map, ready to be played.
    pub(crate) fn new(seed: u64) -> Self {
        let mut level = Level::new(Rules::ue2());
        let expect = "the map is made of classes that can be placed";
        let game = level.place::<Match>(Spawn::new()).expect(expect);
        let herald = level.place::<Herald>(Spawn::new()).expect(expect);
        let swap = level.place::<Swap>(Spawn::new()).expect(expect);
        level.set_game(game);
        level.add_mutator(swap);
        for side in [-1.0, 1.0] {
            let corner = Vector::new(side * FIELD / 2.0, FIELD / 2.0, 0.0);
            let vault = level.place::<Vault>(Spawn::new().at(corner)).expect(expect);
            let plate = corner - Vector::new(0.0, FIELD, 0.0);
            let trigger = level.place::<Trigger>(Spawn::new().at(plate)).expect(expect);
            level.change_or_null(trigger, |it| it.opens = Some(vault));
        }
        level.change_or_null(game, |it| it.prepare(Random::new(seed, u64::MAX), herald));
        level.start();
        Self::of(level, game, herald)
    }

    /// A level that was [saved](Self::save).
    ///
    /// The text is untrusted. It is an error if it is not a level, or is one without the actors that a match needs.
    pub(crate) fn restore(saved: &str) -> Result<Self, String> {
        let saved: SavedLevel = serde_json::from_str(saved).map_err(|error| error.to_string())?;
        let mut level = Level::restore(Rules::ue2(), &saved).map_err(|error| error.to_string())?;
        if level.actors().count() > MOST {
            return Err(format!("more than {MOST} actors"));
        }
        let game = level.game().and_then(|game| level.cast::<Match>(game));
        let game = game.ok_or("the level's game is not a Skirmish.Match")?;
        let herald = level
            .all::<Herald>()
            .next(&level)
            .ok_or("the level has no Skirmish.Herald")?;
        let soldiers = u32::try_from(level.children(game).len()).unwrap_or(u32::MAX);
        level.change_or_null(game, |it| it.soldiers = soldiers);
        Ok(Self::of(level, game, herald))
    }

    fn of(mut level: Level, game: ActorRef<Match>, herald: ActorRef<Herald>) -> Self {
        let camera = NativeActorRef::new(&mut level, None);
        Self {
            level,
            game,
            herald,
            camera,
            outcome: Outcome::default(),
        }
    }

    /// The state of the level, between two ticks, as JSON.
    fn save(&self) -> String {
        let saved = self.level.save().expect("all classes of the match are saved");
        serde_json::to_string_pretty(&saved).expect("a level is data")
    }

    /// One tick; adds `line` to the chat, unless it is empty.
    pub(crate) fn tick(&mut self, line: &str) {
        self.outcome.ticks += 1;
        self.level.tick(TICK);
        if !line.is_empty() {
            self.level.change_or_null(self.herald, |it| it.say(Text::new(line)));
        }
        if self.camera.is_none() {
            self.outcome.scenes += 1;
            let next = self.level.actors().find(|it| self.level.cast::<Pawn>(*it).is_some());
            self.camera.set(&mut self.level, next);
        }
    }

    /// Ends the level, and gives its outcome.
    pub(crate) fn finish(self) -> Outcome {
        let saved = self.save();
        let restored_equal = is_restored(&saved);
        let Self {
            level, game, camera, ..
        } = self;
        let mut outcome = Outcome {
            saved,
            restored_equal,
            ..self.outcome
        };
        outcome.scores = level.get(game).map_or_else(Scores::default, Match::scores);
        outcome.alive = level.actors().count();
        outcome.warnings = level.warnings().len();
        drop(level);
        let ended = camera.is_none();
        drop(camera);
        let left = |class: &Class| class.stats().live;
        let classes = [
            IntRef::class(),
            NativeActorRef::class(),
            ArrayList::class(),
            HashTable::class(),
        ];
        outcome.leaked = classes.into_iter().map(left).sum::<u64>() + u64::from(!ended);
        outcome
    }
}

/// Whether a level that begins with what was saved is the same level.
fn is_restored(saved: &str) -> bool {
    Battle::restore(saved).is_ok_and(|again| again.save() == saved)
}
