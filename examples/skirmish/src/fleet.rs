//! [`Fleet`]: one thread's part in the match.

use std::sync::atomic::Ordering::Relaxed;

use acedia::{Handle, Object, Owned, Pinned, pin};

use crate::objects::{Missile, Place, Ship, Spark};

/// The size of the field, in characters of the picture.
pub(crate) const FIELD: [f32; 2] = [78.0, 20.0];
const SHIPS: usize = 14;
/// Ticks from one shot of a fleet to the next.
const RELOAD: u64 = 2;
const SPARKS: usize = 14;

/// Owns ships, missiles and sparks, and reads the ships of all fleets.
pub(crate) struct Fleet {
    number: usize,
    ticks: u64,
    random: u64,
    ships: Vec<Moving<Ship>>,
    missiles: Vec<Homing>,
    sparks: Vec<Moving<Spark>>,
    pub(crate) tally: Tally,
}

/// An object, and what only its owner knows.
struct Moving<T: Object> {
    object: Owned<T>,
    speed: [f32; 2],
    ticks_left: u32,
}

/// A missile and its target, which may be destroyed at any time.
struct Homing {
    missile: Moving<Missile>,
    target: Handle<Ship>,
    target_id: u64,
}

/// Counts of one fleet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) lives: [u64; 3],
    /// Reads that found the ship.
    pub(crate) found: u64,
    /// Reads after the ship had been destroyed.
    pub(crate) stale: u64,
    /// Reads that found another ship. This must be 0.
    pub(crate) wrong: u64,
}

impl Fleet {
    pub(crate) fn new(number: usize) -> Self {
        Self {
            number,
            ticks: 0,
            random: number as u64 + 1,
            ships: Vec::new(),
            missiles: Vec::new(),
            sparks: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Moves and destroys its own objects, and reads other fleets' ships.
    pub(crate) fn tick(&mut self) {
        self.ticks += 1;
        // One pin for all reads of the tick. It does not keep ships alive: the handle of a destroyed ship is stale at once, and its
        // slot is reused after the pin.
        let pinned = pin();
        self.steer(&pinned);
        self.fire(&pinned);
        drop(pinned);

        self.ships.iter_mut().for_each(|ship| ship.drift(|ship| &ship.place));
        self.sparks
            .iter_mut()
            .for_each(|spark| spark.drift(|spark| &spark.place));
        // Dropping an owner destroys the object. Handles to it are stale from then on, on every thread.
        self.sparks.retain(|spark| spark.ticks_left > 0);
        self.missiles.retain(|it| it.missile.ticks_left > 0);
        while let Some(hit) = self.ships.iter().position(|ship| ship.object.hull.load(Relaxed) <= 0) {
            let ship = self.ships.swap_remove(hit);
            self.explode(ship.object.place.get());
        }
        while self.ships.len() < SHIPS {
            self.launch();
        }
    }

    /// Turns each missile towards its target.
    fn steer(&mut self, pinned: &Pinned) {
        for Homing {
            missile,
            target,
            target_id,
        } in &mut self.missiles
        {
            missile.drift(|missile| &missile.place);
            match target.get(pinned) {
                Some(ship) if ship.id == *target_id => {
                    self.tally.found += 1;
                    let (at, to) = (missile.object.place.get(), ship.place.get());
                    let way = [to[0] - at[0], to[1] - at[1]];
                    let length = way[0].hypot(2.0 * way[1]).max(0.1);
                    for (speed, way) in missile.speed.iter_mut().zip(way) {
                        *speed = *speed * 0.9 + way / length * 0.05;
                    }
                    if length < 1.0 {
                        ship.hull.fetch_sub(1, Relaxed);
                        missile.ticks_left = 0;
                    }
                }
                Some(_) => self.tally.wrong += 1,
                None => {
                    self.tally.stale += 1;
                    missile.ticks_left = missile.ticks_left.min(12);
                }
            }
        }
    }

    /// Fires a missile at a ship of another fleet.
    fn fire(&mut self, pinned: &Pinned) {
        if self.ticks % RELOAD != 0 || self.ships.is_empty() {
            return;
        }
        let from = self.below(self.ships.len());
        let place = self.ships[from].object.place.get();
        let distance = |ship: &Ship| (ship.place.get()[0] - place[0]).hypot(ship.place.get()[1] - place[1]);
        let enemies = Ship::pool().iter(pinned).filter(|(_, ship)| ship.fleet != self.number);
        let Some((target, ship)) = enemies.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))) else {
            return;
        };
        let target_id = ship.id;
        let object = Missile::allocate_with(|missile| {
            missile.fleet = self.number;
            missile.place.set(place);
        });
        let missile = Moving::new(object, [self.spread(0.4), self.spread(0.4)], 200);
        self.tally.lives[1] += 1;
        self.missiles.push(Homing {
            missile,
            target,
            target_id,
        });
    }

    fn launch(&mut self) {
        let place = [self.spread(0.5) + 0.5, self.spread(0.5) + 0.5];
        self.tally.lives[0] += 1;
        let object = Ship::allocate_with(|ship| {
            (ship.id, ship.fleet) = ((self.number as u64) << 48 | self.tally.lives[0], self.number);
            ship.place.set([place[0] * FIELD[0], place[1] * FIELD[1]]);
        });
        let speed = [self.spread(0.12), self.spread(0.04)];
        self.ships.push(Moving::new(object, speed, u32::MAX));
    }

    fn explode(&mut self, place: [f32; 2]) {
        self.tally.lives[2] += SPARKS as u64;
        for _ in 0..SPARKS {
            let object = Spark::allocate_with(|spark| spark.place.set(place));
            let (speed, ticks_left) = ([self.spread(0.5), self.spread(0.25)], 10 + self.below(20));
            let ticks_left = u32::try_from(ticks_left).unwrap_or(0);
            self.sparks.push(Moving::new(object, speed, ticks_left));
        }
    }

    /// A number in `0..count`: the generator of Lehmer, with the factor of Park and Miller.
    fn below(&mut self, count: usize) -> usize {
        self.random = self.random * 48_271 % 2_147_483_647;
        usize::try_from(self.random).unwrap_or(0) % count
    }

    /// A number in `-size..size`.
    fn spread(&mut self, size: f32) -> f32 {
        let part = u16::try_from(self.below(2_001)).unwrap_or(0);
        (f32::from(part) / 1_000.0 - 1.0) * size
    }
}

impl<T: Object> Moving<T> {
    fn new(object: Owned<T>, speed: [f32; 2], ticks_left: u32) -> Self {
        // Other threads can iterate only over objects that have had a handle. An object without one is freed faster.
        let _ = object.handle();
        Self {
            object,
            speed,
            ticks_left,
        }
    }

    /// Moves the object, and wraps around at the sides of the field.
    fn drift(&mut self, place: impl Fn(&T) -> &Place) {
        let place = place(&self.object);
        let [x, y] = place.get();
        place.set([
            (x + self.speed[0]).rem_euclid(FIELD[0]),
            (y + self.speed[1]).rem_euclid(FIELD[1]),
        ]);
        self.ticks_left = self.ticks_left.saturating_sub(1);
    }
}
