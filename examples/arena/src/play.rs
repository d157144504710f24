//! [`Play`]: the game as the player sees it: keys, a picture, saving and loading.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use acedia_actors::{Function, Level, Rules, SavedLevel, Spawn, Stage, Vector};

use crate::body::{FACE, HEIGHT, WIDTH, body_at};
use crate::goblin::Goblin;
use crate::hero::{Hero, PUT_BARREL, RAISE_SHIELD, WALK};
use crate::waves::Waves;

/// Seconds of the level for each key. No clock is read, so the same seed and keys give the same game.
const TURN: f32 = 0.25;

/// The level, and the file in which it is saved.
#[derive(Debug)]
pub(crate) struct Play {
    level: Level,
    file: PathBuf,
}

impl Play {
    /// A new game.
    pub(crate) fn new(seed: u64, file: PathBuf) -> Self {
        let mut level = Level::new(Rules::ue3());
        // Placed as if by the map: its events run when play begins.
        let game = level.place::<Waves>(Spawn::new()).expect("a class that can be placed");
        level.change_or_null(game, |it| it.dice = seed);
        level.set_game(game);
        level.start();
        Self { level, file }
    }

    /// Plays a turn, or saves or loads. An error for other keys.
    pub(crate) fn press(&mut self, key: char) -> Result<(), Box<dyn Error>> {
        let walk = |x, y| Vector::new(x, y, 0.0);
        match key {
            'h' => self.order(&WALK, walk(-1.0, 0.0)),
            'j' => self.order(&WALK, walk(0.0, 1.0)),
            'k' => self.order(&WALK, walk(0.0, -1.0)),
            'l' => self.order(&WALK, walk(1.0, 0.0)),
            'b' => self.order(&PUT_BARREL, ()),
            's' => self.order(&RAISE_SHIELD, ()),
            '.' => {}
            'S' | 'L' => {
                let done = if key == 'S' { self.save() } else { self.load() };
                return done.map_err(|error| format!("{}: {error}", self.file.display()).into());
            }
            _ => return Err(format!("the game has no key `{}`", key.escape_debug()).into()),
        }
        // Ticks, timers and the code of states, for all actors.
        self.level.tick(TURN);
        Ok(())
    }

    /// Calls a function of the hero, if the hero is alive.
    fn order<A: 'static>(&mut self, function: &'static Function<Hero, A>, argument: A) {
        if let Some(hero) = self.level.all::<Hero>().next(&self.level) {
            self.level.call(hero, function, argument);
        }
    }

    fn save(&self) -> Result<(), Box<dyn Error>> {
        Ok(fs::write(&self.file, serde_json::to_string(&self.level.save()?)?)?)
    }

    /// After an error, play goes on in the old level.
    fn load(&mut self) -> Result<(), Box<dyn Error>> {
        let saved: SavedLevel = serde_json::from_str(&fs::read_to_string(&self.file)?)?;
        self.level = Level::restore(Rules::ue3(), &saved)?;
        Ok(())
    }

    /// The field, and the score below it.
    pub(crate) fn picture(&mut self) -> String {
        let mut picture = String::new();
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                let body = body_at(&self.level, Vector::new(f32::from(x), f32::from(y), 0.0));
                picture.push(body.map_or('.', |body| self.level.call(body, &FACE, ())));
            }
            picture.push('\n');
        }
        picture + &self.score() + "\n"
    }

    fn score(&self) -> String {
        let level = &self.level;
        // A reference resolves to `None` once its actor is dead.
        let hero = level.all::<Hero>().next(level);
        let game = level.all::<Waves>().next(level).and_then(|it| level.get(it));
        let (fallen, to_come) = game.map_or((0, 0), |it| (it.fallen, it.to_come));
        let is_over = to_come == 0 && level.all::<Goblin>().next(level).is_none();
        let outcome = match hero.and_then(|it| Some((level.get(it)?, level.state(it)))) {
            None => "lost".to_owned(),
            Some(_) if is_over => "won".to_owned(),
            Some((it, state)) => format!("{state}: health {}, {} barrels", it.body.health, it.barrels),
        };
        format!("{outcome}; {fallen} goblins fallen, {to_come} to come")
    }
}
