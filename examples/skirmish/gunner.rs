//! [`Gunner`]: one thread's projectiles, and its radar for the others'.

use std::hint::black_box;
use std::iter;

use crate::arena::{Arena, Corner};
use crate::objects::Projectile;
use crate::random::Random;
use crate::sight::{Note, Notebook, Sightings};
use crate::world::World;

/// Projectiles fired per tick.
const SHOTS: usize = 32;
/// No flight takes longer than this many ticks.
const LONGEST: usize = 64;
/// Ticks between two moves of a projectile.
const STRIDE: usize = 8;
/// Seconds of flight in a move.
const STEP: f32 = 0.8;
/// Projectiles that the radar looks at per tick.
const LOOKS: usize = 64;
/// For how many ticks the camera follows one projectile.
const SCENE: u64 = 24;

/// Fires and moves projectiles, frees those that have landed, and watches those of the next thread.
pub(crate) struct Gunner<W: World> {
    /// The projectiles that land at each tick, modulo the longest flight.
    landing: Vec<Vec<W::Shot>>,
    /// The projectiles fired in this tick, for the board.
    news: Vec<Note<W::Mark>>,
    radar: Notebook<W::Mark>,
    /// Projectiles that have landed.
    craters: Notebook<W::Mark>,
    camera: Option<Scene<W>>,
}

/// A projectile that is filmed until the scene ends, whether or not it has landed by then.
struct Scene<W: World> {
    note: Note<W::Mark>,
    /// As it was seen last.
    shot: Projectile,
    end: u64,
}

impl<W: World> Gunner<W> {
    pub(crate) fn new() -> Self {
        Self {
            landing: iter::repeat_with(Vec::new).take(LONGEST).collect(),
            news: Vec::new(),
            radar: Notebook::new(256),
            craters: Notebook::new(64),
            camera: None,
        }
    }

    /// Frees what lands in this tick, moves some of those in flight, fires anew, and tells the others.
    pub(crate) fn act(&mut self, tick: u64, corner: &Corner<W>, hands: &mut Random, id: &mut impl FnMut() -> u64) {
        let now = usize::try_from(tick % LONGEST as u64).expect("below LONGEST");
        if let Some(first) = self.landing[now].first() {
            let link = W::mark(first);
            let id = W::sight(&link).expect("it is freed below").id;
            self.craters.write(Note { link, id }, hands);
        }
        self.landing[now].clear(); // Dropping an owner frees the object.
        // Those with a multiple of the stride left to fly, so that each moves once in a stride.
        for left in (STRIDE..LONGEST).step_by(STRIDE) {
            for shot in &mut self.landing[(now + left) % LONGEST] {
                W::fly(shot, STEP);
            }
        }
        for _ in 0..SHOTS {
            let flight = 8 + hands.below(LONGEST - 8); // Ticks, always fewer than LONGEST.
            let id = id();
            let shot = W::fire(Projectile {
                id,
                position: [hands.spread(100.0), hands.spread(100.0), 1.5],
                velocity: [hands.spread(9.0), hands.spread(9.0), 12.0],
            });
            let link = W::mark(&shot);
            self.news.push(Note { link, id });
            self.landing[(now + flight) % LONGEST].push(shot);
        }
        corner.projectiles.show(&mut self.news);
    }

    /// Notes the projectiles of the next thread, and looks at recent and old notes.
    pub(crate) fn watch(&mut self, tick: u64, thread: usize, arena: &Arena<W>, eyes: &mut Random) -> Sightings {
        arena.next(thread).projectiles.copy(&mut self.news);
        for note in self.news.drain(..) {
            self.radar.write(note, eyes);
        }
        let look = |mark: &W::Mark| {
            let shot = W::sight(mark)?;
            black_box(shot.position);
            Some(shot.id)
        };
        let mut seen = self.radar.look(LOOKS, eyes, look);
        seen += self.craters.look_at_dead(4, eyes, look);
        seen += self.film(tick, eyes);
        seen
    }

    /// Follows one projectile for a while.
    fn film(&mut self, tick: u64, eyes: &mut Random) -> Sightings {
        let mut seen = Sightings::default();
        if let Some(scene) = &mut self.camera {
            scene.shot = W::sight(&scene.note.link).unwrap_or(scene.shot);
            let right = scene.shot.id == scene.note.id;
            seen.alive += u64::from(right);
            seen.wrong += u64::from(!right);
        }
        if self.camera.as_ref().is_none_or(|scene| scene.end <= tick) {
            let end = tick + SCENE;
            self.camera = self.radar.any(eyes).and_then(|note| {
                let shot = W::sight(&note.link)?;
                let note = note.clone();
                Some(Scene { note, shot, end })
            });
        }
        seen
    }
}
