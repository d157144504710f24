//! [`Waves`]: the rules of the game. It makes the map, and sends goblins until there are enough.

use acedia_actors::{Actor, ClassBuilder, Cx, GameInfo, Repeat, Spawn, Stage, Vector, actor};
use serde::{Deserialize, Serialize};

use crate::barrel::Barrel;
use crate::body::{HEIGHT, WIDTH, is_free};
use crate::goblin::Goblin;
use crate::hero::Hero;
use crate::ogre::Ogre;

/// The game: the actor that the level asks about its rules, and the owner of all goblins.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Waves {
    game: GameInfo,
    /// The state of the random numbers. Saved like every field, so a restored game goes on like the saved one.
    pub(crate) dice: u64,
    pub(crate) fallen: u32,
    pub(crate) to_come: u32,
}

impl Actor for Waves {
    actor!(Waves, "Arena.Waves", parent = GameInfo, in game);

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
        class.post_begin_play(|cx| {
            let middle = Vector::new(f32::from(WIDTH / 2), f32::from(HEIGHT / 2), 0.0);
            cx.spawn::<Hero>(Spawn::new().at(middle));
            // It owns the goblins, and is told when they die.
            let its_own = Spawn::new().owned_by(cx.me());
            (0..16).for_each(|_| Self::put::<Goblin>(cx, its_own));
            (0..4).for_each(|_| Self::put::<Ogre>(cx, its_own));
            (0..10).for_each(|_| Self::put::<Barrel>(cx, Spawn::new()));
            cx.set_timer(4.0, Repeat::Looping); // `SetTimer(4, true)`
        });
        // The event of this actor's timer. Timers that call a function, as in the barrel, exist in the third generation only.
        class.timer(|cx| {
            let gate = Vector::new(0.0, f32::from(HEIGHT / 2), 0.0);
            if cx.to_come > 0 && is_free(&cx.others, gate) {
                if let Some(goblin) = cx.spawn::<Goblin>(Spawn::new().owned_by(cx.me()).at(gate)) {
                    cx.to_come -= 1;
                    cx.others.goto_state(goblin, "Hunting");
                }
            }
        });
        class.lost_child(|cx, _goblin| cx.fallen = cx.fallen.saturating_add(1));
    }

    fn constructor(&mut self) {
        self.to_come = 10;
    }
}

impl Waves {
    /// Spawns an actor in a free cell.
    fn put<T: Actor>(cx: &mut Cx<'_, Self>, spawn: Spawn) {
        let mut cell = Vector::default();
        // Not near the hero, who is in the middle.
        while !is_free(&cx.others, cell) || (cell.x - f32::from(WIDTH / 2)).abs() < 5.0 {
            cell = Vector::new(f32::from(cx.roll(WIDTH)), f32::from(cx.roll(HEIGHT)), 0.0);
        }
        cx.spawn::<T>(spawn.at(cell));
    }

    /// A number in `0..sides`: the generator of Lehmer, with the factor of Park and Miller.
    fn roll(&mut self, sides: i16) -> i16 {
        self.dice = (self.dice % 2_147_483_647).max(1) * 48_271 % 2_147_483_647;
        i16::try_from(self.dice % u64::from(sides.unsigned_abs())).unwrap_or(0)
    }
}
