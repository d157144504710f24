//! [`Fighter`]: one thread's part in the match.

use std::iter;

use crate::arena::Arena;
use crate::chat::{Chat, Talk};
use crate::gunner::Gunner;
use crate::objects::{Item, Projectile};
use crate::player::Player;
use crate::random::Random;
use crate::script::Script;
use crate::sight::Sightings;
use crate::tally::{self, PerClass};
use crate::world::World;

/// Players per thread.
const PLAYERS: usize = 4;

/// Plays the part of one thread. Its spawns and frees depend on the seed alone. Its looks at other threads depend on
/// their speed too, so they have a random generator of their own.
pub(crate) struct Fighter<'a, W: World> {
    thread: usize,
    arena: &'a Arena<W>,
    script: &'a Script,
    gunner: Gunner<W>,
    players: Vec<Player<W>>,
    chat: Chat<W>,
    last_id: u64,
    /// Decides what is spawned and freed.
    hands: Random,
    /// Decides what is looked at.
    eyes: Random,
    seen: PerClass<Sightings>,
}

impl<'a, W: World> Fighter<'a, W> {
    pub(crate) fn new(thread: usize, seed: u64, arena: &'a Arena<W>, script: &'a Script) -> Self {
        let number = thread as u64;
        let mut hands = Random::new(seed, 2 * number);
        let mut last_id = (number + 1) << 40; // Ids of threads never meet.
        let mut id = || next_id(&mut last_id);
        Self {
            gunner: Gunner::new(),
            players: iter::repeat_with(|| Player::new(script, &mut hands, &mut id))
                .take(PLAYERS)
                .collect(),
            chat: Chat::new(thread),
            thread,
            arena,
            script,
            last_id,
            hands,
            eyes: Random::new(seed, 2 * number + 1),
            seen: PerClass::default(),
        }
    }

    /// One tick: act, then look around.
    pub(crate) fn tick(&mut self, tick: u64) {
        let (thread, arena, script) = (self.thread, self.arena, self.script);
        let corner = arena.corner(thread);
        let id = &mut || next_id(&mut self.last_id);
        self.gunner.act(tick, corner, &mut self.hands, id);
        let (acting, watching) = turns(tick);
        self.players[acting].act(script, corner, &mut self.hands, id);
        self.chat.act(thread, arena, script);

        let eyes = &mut self.eyes;
        self.seen[Projectile::ROW] += self.gunner.watch(tick, thread, arena, eyes);
        self.seen[Item::ROW] += self.players[watching].watch(thread, arena, eyes);
        for (row, seen) in self.seen.iter().enumerate() {
            tally::show_refused(row, seen.refused);
        }
    }

    /// Frees everything, and gives the counts.
    pub(crate) fn finish(self) -> (PerClass<Sightings>, Talk) {
        (self.seen, self.chat.talk())
    }
}

/// The player whose turn it is to act, and another whose turn it is to look.
fn turns(tick: u64) -> (usize, usize) {
    let acting = usize::try_from(tick % PLAYERS as u64).expect("below PLAYERS");
    (acting, (acting + 1) % PLAYERS)
}

fn next_id(last: &mut u64) -> u64 {
    *last += 1;
    *last
}
