//! [`CylinderGrid`]: the built-in collision world.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use super::collision_world::{CollisionWorld, Floor};
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Aabb, Cylinder, Vector};
use crate::value::keyed::Keyed;

/// The distance below its feet within which an actor finds a floor.
const STEP: f32 = 4.0;

/// An actor in more cells than this is in a list that every question searches.
const MANY_CELLS: usize = 64;

type Cell = [i32; 3];

/// The built-in collision world. Actors are upright cylinders in a grid of cells. Walls are boxes.
///
/// ```
/// use acedia_actors::world::{CollisionWorld, CylinderGrid};
/// use acedia_actors::{Aabb, Cylinder, Vector};
///
/// let mut world = CylinderGrid::new(64.0);
/// world.add_solid(Aabb::new(
///     Vector::new(-100.0, -100.0, -10.0),
///     Vector::new(100.0, 100.0, 0.0),
/// ));
/// let pawn = Cylinder { radius: 20.0, half_height: 40.0 };
/// // Half in the ground: moved up.
/// assert_eq!(world.find_spot(pawn, Vector::default()), Some(Vector::new(0.0, 0.0, 40.0)));
/// ```
///
/// Each query and each change looks up every cell of the cylinder, so cells should be about twice as wide as a typical actor.
/// Walls are compared one by one, so use tens of walls, not thousands.
#[derive(Clone)]
pub struct CylinderGrid {
    cell: f32,
    solids: Vec<Aabb>,
    actors: HashMap<ActorRef, (Cylinder, Vector), Keyed>,
    cells: HashMap<Cell, Vec<Inside>, Keyed>,
    large: Vec<ActorRef>,
}

/// An actor, as stored in each of its cells.
#[derive(Clone, Copy)]
struct Inside {
    actor: ActorRef,
    shape: Cylinder,
    at: Vector,
    /// The first of its cells.
    first: Cell,
}

/// The first cell common to two blocks of cells, given the first cell of each block.
fn first_common(one: Cell, other: Cell) -> Cell {
    [one[0].max(other[0]), one[1].max(other[1]), one[2].max(other[2])]
}

impl fmt::Debug for CylinderGrid {
    /// The number of walls and actors, without the actors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CylinderGrid")
            .field("cell", &self.cell)
            .field("solids", &self.solids.len())
            .field("actors", &self.actors.len())
            .finish_non_exhaustive()
    }
}

impl Default for CylinderGrid {
    /// Cells of 128 units.
    fn default() -> Self {
        Self::new(128.0)
    }
}

impl CylinderGrid {
    /// An empty world with cells of this width, in units. A width that is not a positive number counts as 128.
    #[must_use]
    pub fn new(cell: f32) -> Self {
        Self {
            cell: if cell.is_finite() && cell > 0.0 { cell } else { 128.0 },
            solids: Vec::new(),
            actors: HashMap::default(),
            cells: HashMap::default(),
            large: Vec::new(),
        }
    }

    /// Adds a wall.
    pub fn add_solid(&mut self, solid: Aabb) -> &mut Self {
        self.solids.push(solid);
        self
    }

    /// The cells of a cylinder, unless they are too many.
    fn cells(&self, shape: Cylinder, at: Vector) -> Option<Vec<Cell>> {
        let bounds = shape.bounds(at);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "places far outside share the outermost cells"
        )]
        let index = |part: f32| (part / self.cell).floor() as i32;
        let low = [index(bounds.min.x), index(bounds.min.y), index(bounds.min.z)];
        let high = [index(bounds.max.x), index(bounds.max.y), index(bounds.max.z)];
        // Counted before they are listed, because a large cylinder may have too many.
        let count = low.iter().zip(high).try_fold(1_usize, |count, (low, high)| {
            let side = usize::try_from(i64::from(high) - i64::from(*low) + 1).ok()?;
            count.checked_mul(side).filter(|count| *count <= MANY_CELLS)
        })?;
        let mut cells = Vec::with_capacity(count);
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                cells.extend((low[2]..=high[2]).map(|z| [x, y, z]));
            }
        }
        Some(cells)
    }

    fn is_free(&self, shape: Cylinder, at: Vector) -> bool {
        let bounds = shape.bounds(at);
        !self.solids.iter().any(|solid| solid.overlaps(bounds))
    }

    /// Calls `found` once for each actor that may overlap `shape`.
    fn near(&self, shape: Cylinder, at: Vector, mut found: impl FnMut(ActorRef, Cylinder, Vector)) {
        let Some(cells) = self.cells(shape, at) else {
            return self
                .actors
                .iter()
                .for_each(|(actor, (shape, at))| found(*actor, *shape, *at));
        };
        let first = cells.first().copied().unwrap_or_default();
        for cell in cells {
            for it in self.cells.get(&cell).into_iter().flatten() {
                // An actor in several of these cells is reported from one of them.
                if cell == first_common(first, it.first) {
                    found(it.actor, it.shape, it.at);
                }
            }
        }
        for actor in &self.large {
            if let Some((shape, at)) = self.actors.get(actor) {
                found(*actor, *shape, *at);
            }
        }
    }
}

impl CollisionWorld for CylinderGrid {
    /// The place itself; else the nearest place out of a wall that is in the way.
    fn find_spot(&self, shape: Cylinder, at: Vector) -> Option<Vector> {
        if self.is_free(shape, at) {
            return Some(at);
        }
        // The candidates: just outside of each side of each wall in the way.
        let half = shape.bounds(at).max - at;
        let bounds = shape.bounds(at);
        let mut spots = Vec::new();
        for solid in self.solids.iter().filter(|solid| solid.overlaps(bounds)) {
            let (min, max) = (solid.min - half, solid.max + half);
            spots.extend([
                Vector { z: max.z, ..at },
                Vector { z: min.z, ..at },
                Vector { x: max.x, ..at },
                Vector { x: min.x, ..at },
                Vector { y: max.y, ..at },
                Vector { y: min.y, ..at },
            ]);
        }
        let far = |spot: &Vector| {
            let way = *spot - at;
            way.x * way.x + way.y * way.y + way.z * way.z
        };
        // Not farther than its own size: behind a thick wall is another room.
        let reach = half.x * half.x + half.y * half.y + half.z * half.z;
        spots.retain(|spot| far(spot) <= reach && self.is_free(shape, *spot));
        spots.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)))
    }

    fn insert(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) {
        self.remove(actor);
        match self.cells(shape, at) {
            Some(cells) => {
                let first = cells.first().copied().unwrap_or_default();
                let inside = Inside {
                    actor,
                    shape,
                    at,
                    first,
                };
                for cell in cells {
                    self.cells.entry(cell).or_default().push(inside);
                }
            }
            None => self.large.push(actor),
        }
        self.actors.insert(actor, (shape, at));
    }

    fn remove(&mut self, actor: ActorRef) {
        let Some((shape, at)) = self.actors.remove(&actor) else {
            return;
        };
        let Some(cells) = self.cells(shape, at) else {
            self.large.retain(|it| *it != actor);
            return;
        };
        for cell in cells {
            if let Entry::Occupied(mut entry) = self.cells.entry(cell) {
                // Mostly it is among the last.
                if let Some(place) = entry.get().iter().rposition(|it| it.actor == actor) {
                    entry.get_mut().remove(place);
                }
                if entry.get().is_empty() {
                    entry.remove();
                }
            }
        }
    }

    fn overlaps(&self, shape: Cylinder, at: Vector, found: &mut Vec<ActorRef>) {
        self.near(shape, at, |actor, its_shape, there| {
            if shape.overlaps(at, its_shape, there) {
                found.push(actor);
            }
        });
    }

    fn floor(&self, actor: ActorRef, shape: Cylinder, at: Vector) -> Floor {
        // A slice as thick as a step, right below the feet: the highest actor in it is the floor, else a wall in it.
        let feet = Vector {
            z: at.z - shape.half_height - STEP / 2.0,
            ..at
        };
        let slice = Cylinder {
            radius: shape.radius,
            half_height: STEP / 2.0,
        };
        let mut floor = None;
        self.near(slice, feet, |other, its_shape, there| {
            let top = there.z + its_shape.half_height;
            let below = other != actor && slice.overlaps(feet, its_shape, there) && top <= at.z - shape.half_height;
            if below && floor.is_none_or(|(_, highest)| top > highest) {
                floor = Some((other, top));
            }
        });
        match floor {
            Some((actor, _)) => Floor::Actor(actor),
            None if self.is_free(slice, feet) => Floor::None,
            None => Floor::World,
        }
    }
}

#[cfg(test)]
mod tests;
