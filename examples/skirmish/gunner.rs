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
/// Projectiles that the radar looks at per tick.
const LOOKS: usize = 64;
/// For how many ticks the camera follows one projectile.
const SCENE: u64 = 24;

/// Fires projectiles, frees those that have landed, and watches those of the next thread.
pub(crate) struct Gunner<W: World> {
    /// The projectiles that land at each tick, modulo the longest flight.
    landing: Vec<Vec<W::Owned<Projectile>>>,
    /// The projectiles fired in this tick, for the board.
    news: Vec<Note<W, Projectile>>,
    radar: Notebook<W, Projectile>,
    /// Projectiles that have landed.
    craters: Notebook<W, Projectile>,
    camera: Option<Scene<W>>,
}

/// A projectile that is filmed. It stays readable until the scene ends, whether or not it has landed by then.
struct Scene<W: World> {
    held: W::Held<Projectile>,
    id: u64,
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

    /// Frees what lands in this tick, fires anew, and tells the others.
    pub(crate) fn act(&mut self, tick: u64, corner: &Corner<W>, hands: &mut Random, id: &mut impl FnMut() -> u64) {
        let now = usize::try_from(tick % LONGEST as u64).expect("below LONGEST");
        if let Some(first) = self.landing[now].first() {
            self.craters.write(Note::of(first), hands);
        }
        self.landing[now].clear(); // Dropping an owner frees the object.
        for _ in 0..SHOTS {
            let flight = 8 + hands.below(LONGEST - 8); // Ticks, always fewer than LONGEST.
            let shot = W::spawn(|shot: &mut Projectile| {
                shot.id = id();
                shot.position = [hands.spread(100.0), hands.spread(100.0), 1.5];
                shot.velocity = [hands.spread(9.0), hands.spread(9.0), 12.0];
                let (start, speed) = (shot.position, shot.velocity);
                shot.trail.extend((0..flight).map(|tick| place(start, speed, tick)));
            });
            self.news.push(Note::of(&shot));
            self.landing[(now + flight) % LONGEST].push(shot);
        }
        corner.projectiles.show(&mut self.news);
    }

    /// Notes the projectiles of the next thread, and looks at recent and old notes.
    pub(crate) fn watch(
        &mut self,
        tick: u64,
        thread: usize,
        arena: &Arena<W>,
        reader: &W::Reader,
        eyes: &mut Random,
    ) -> Sightings {
        arena.next(thread).projectiles.copy(&mut self.news);
        for note in self.news.drain(..) {
            self.radar.write(note, eyes);
        }
        let mut seen = self.radar.look(LOOKS, reader, eyes, |shot| {
            black_box(shot.trail.last());
        });
        seen += self.craters.look_at_dead(4, reader, eyes);
        seen += self.film(tick, eyes);
        seen
    }

    /// Follows one projectile for a while.
    fn film(&mut self, tick: u64, eyes: &mut Random) -> Sightings {
        let mut seen = Sightings::default();
        if let Some(scene) = &self.camera {
            let right = scene.held.id == scene.id && !scene.held.trail.is_empty();
            seen.alive += u64::from(right);
            seen.wrong += u64::from(!right);
        }
        if self.camera.as_ref().is_none_or(|scene| scene.end <= tick) {
            let end = tick + SCENE;
            self.camera = self.radar.hold(eyes).map(|(held, id)| Scene { held, id, end });
        }
        seen
    }
}

/// Where a projectile is after so many ticks of a tenth of a second.
fn place([x, y, z]: [f32; 3], speed: [f32; 3], ticks: usize) -> [f32; 3] {
    let time = f32::from(u8::try_from(ticks).unwrap_or(u8::MAX)) / 10.0;
    let height = z + speed[2] * time - 4.9 * time * time;
    [x + speed[0] * time, y + speed[1] * time, height.max(0.0)]
}
