//! [`BoxZones`]: zones and volumes that are boxes.

use super::zone_map::ZoneMap;
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Aabb, Vector};

/// Zones and volumes that are boxes. If boxes overlap, the box with the highest priority counts, and among boxes of equal
/// priority, the one that was added first.
///
/// ```
/// use acedia_actors::world::BoxZones;
/// use acedia_actors::{Aabb, Level, PhysicsVolume, Rules, Spawn, Stage, Vector};
///
/// let mut level = Level::new(Rules::ue2());
/// let water = level.place::<PhysicsVolume>(Spawn::new()).unwrap();
/// let mut zones = BoxZones::default();
/// zones.add_volume(
///     water,
///     Aabb::new(Vector::default(), Vector::new(100.0, 100.0, 100.0)),
///     0,
/// );
/// level.set_zones(zones);
/// ```
///
/// A look-up compares all boxes, so use tens of boxes, not thousands.
#[derive(Clone, Debug, Default)]
pub struct BoxZones {
    zones: Vec<Place>,
    /// Each zone once, in the order in which they were added.
    numbered: Vec<ActorRef>,
    volumes: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    actor: ActorRef,
    bounds: Aabb,
    priority: i32,
}

impl BoxZones {
    /// Adds a box to `zone`, which may have several boxes. Zones are numbered in the order in which they are first added, from 1.
    pub fn add_zone<T>(&mut self, zone: ActorRef<T>, bounds: Aabb, priority: i32) -> &mut Self {
        if !self.numbered.contains(&zone.any()) {
            self.numbered.push(zone.any());
        }
        insert(&mut self.zones, zone.any(), bounds, priority);
        self
    }

    /// Adds a box to `volume`.
    pub fn add_volume<T>(&mut self, volume: ActorRef<T>, bounds: Aabb, priority: i32) -> &mut Self {
        insert(&mut self.volumes, volume.any(), bounds, priority);
        self
    }
}

/// Keeps `places` in descending order of priority.
fn insert(places: &mut Vec<Place>, actor: ActorRef, bounds: Aabb, priority: i32) {
    let at = places.partition_point(|place| place.priority >= priority);
    places.insert(
        at,
        Place {
            actor,
            bounds,
            priority,
        },
    );
}

fn find(places: &[Place], at: Vector) -> Option<ActorRef> {
    Some(places.iter().find(|place| place.bounds.contains(at))?.actor)
}

impl ZoneMap for BoxZones {
    fn zone(&self, at: Vector) -> Option<ActorRef> {
        find(&self.zones, at)
    }

    fn zone_number(&self, zone: ActorRef) -> u32 {
        let place = self.numbered.iter().position(|it| *it == zone);
        place.and_then(|place| u32::try_from(place + 1).ok()).unwrap_or(0)
    }

    fn volume(&self, at: Vector) -> Option<ActorRef> {
        find(&self.volumes, at)
    }
}
