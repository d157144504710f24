//! [`CylinderGrid`]: the built-in collision world.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::collision_world::{CollisionWorld, Floor};
use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Aabb, Cylinder, Vector};
use crate::value::keyed::Keyed;

/// The greatest distance from an actor's feet to its floor.
const STEP: f32 = 4.0;

/// An actor that overlaps more cells than this is kept in a list that every query searches.
const MANY_CELLS: usize = 64;

type Cell = (i32, i32, i32);

/// The built-in collision world. Actors are upright cylinders in a grid of cells, which are twice as high as wide. Walls are boxes.
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
/// A query looks up every cell that its cylinder overlaps, and tests all actors in these cells. Inserting and removing an actor
/// look up all of its cells, and a move only those that it enters or leaves. So make cells at least six times as wide as a
/// typical actor, as long as a cell contains at most about thirty actors. In a game of 12,000 moving actors, cells twice as
/// wide as an actor were 1.2 to 1.7 times slower.
///
/// A query tests all walls one by one, so use tens of walls, not thousands.
#[derive(Clone, Debug)]
pub struct CylinderGrid {
    /// The number of cells per unit.
    per_unit: f32,
    solids: Vec<Aabb>,
    /// The bodies, by the actor's slot. The world never contains two actors of one slot.
    bodies: Vec<Option<Body>>,
    /// The slots of the bodies in each cell.
    cells: HashMap<Cell, Vec<u32>, Keyed>,
    /// The slots of the bodies that are in no cell, because they would be in too many.
    large: Vec<u32>,
}

/// In one cache line, because a query reads many.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Body {
    actor: ActorRef,
    shape: Cylinder,
    at: Vector,
}

const _: () = assert!(size_of::<Option<Body>>() == 32, "two to a cache line");

/// The cells between two opposite corners.
#[derive(Clone, Copy, PartialEq)]
struct Block {
    low: Cell,
    high: Cell,
}

impl Block {
    fn cells(self) -> impl Iterator<Item = Cell> {
        let Self { low, high } = self;
        let rows = move |x| (low.1..=high.1).map(move |y| (x, y));
        let columns = move |(x, y)| (low.2..=high.2).map(move |z| (x, y, z));
        (low.0..=high.0).flat_map(rows).flat_map(columns)
    }

    /// The cells that are not in `other`.
    fn without(self, other: Option<Self>) -> impl Iterator<Item = Cell> {
        self.cells()
            .filter(move |cell| !other.is_some_and(|other| other.contains(*cell)))
    }

    fn contains(self, (x, y, z): Cell) -> bool {
        let Self { low, high } = self;
        (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&y) && (low.2..=high.2).contains(&z)
    }

    /// The first cell common to this block and one that begins at `other`.
    fn first_common(self, other: Cell) -> Cell {
        let low = self.low;
        (low.0.max(other.0), low.1.max(other.1), low.2.max(other.2))
    }
}

impl Default for CylinderGrid {
    /// Cells of 256 units, for actors that are about 40 units wide.
    fn default() -> Self {
        Self::new(Self::WIDTH)
    }
}

impl CylinderGrid {
    const WIDTH: f32 = 256.0;

    /// An empty world with cells of this width, in units. A width that is not a positive finite number counts as 256.
    #[must_use]
    pub fn new(cell: f32) -> Self {
        let cell = if cell.is_finite() && cell > 0.0 {
            cell
        } else {
            Self::WIDTH
        };
        Self {
            per_unit: cell.recip(),
            solids: Vec::new(),
            bodies: Vec::new(),
            cells: HashMap::default(),
            large: Vec::new(),
        }
    }

    /// Adds a wall.
    pub fn add_solid(&mut self, solid: Aabb) -> &mut Self {
        self.solids.push(solid);
        self
    }

    fn cell(&self, Vector { x, y, z }: Vector) -> Cell {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "places far outside share the outermost cells"
        )]
        let index = |part: f32| {
            // Rounded down, without a call of the C library.
            let whole = part as i32;
            whole.saturating_sub(i32::from(part < whole as f32))
        };
        // The offset keeps actors whose centre or feet are at the height 0 in one cell.
        let height = z * self.per_unit * 0.5 + 0.5;
        (index(x * self.per_unit), index(y * self.per_unit), index(height))
    }

    /// The cells of a cylinder, unless there are too many.
    fn block(&self, shape: Cylinder, at: Vector) -> Option<Block> {
        let bounds = shape.bounds(at);
        let (low, high) = (self.cell(bounds.min), self.cell(bounds.max));
        let side = |low: i32, high: i32| usize::try_from(i64::from(high) - i64::from(low) + 1).ok();
        let area = side(low.0, high.0)?.checked_mul(side(low.1, high.1)?)?;
        let count = area.checked_mul(side(low.2, high.2)?)?;
        (count <= MANY_CELLS).then_some(Block { low, high })
    }

    /// Puts a body into the cells of `block`, except those of `was`.
    fn enter(&mut self, slot: u32, block: Option<Block>, was: Option<Block>) {
        match block {
            Some(block) => block
                .without(was)
                .for_each(|cell| self.cells.entry(cell).or_default().push(slot)),
            None => self.large.push(slot),
        }
    }

    /// Removes a body from the cells of `block`, except those of `stays`.
    fn leave(&mut self, slot: u32, block: Option<Block>, stays: Option<Block>) {
        let Some(block) = block else {
            return self.large.retain(|it| *it != slot);
        };
        for cell in block.without(stays) {
            if let Entry::Occupied(mut entry) = self.cells.entry(cell) {
                // It is usually among the last entries.
                if let Some(place) = entry.get().iter().rposition(|it| *it == slot) {
                    entry.get_mut().swap_remove(place);
                }
                if entry.get().is_empty() {
                    entry.remove();
                }
            }
        }
    }

    fn body_mut(&mut self, actor: ActorRef) -> Option<&mut Body> {
        let body = self.bodies.get_mut(actor.index())?.as_mut();
        body.filter(|body| body.actor == actor)
    }

    fn is_free(&self, shape: Cylinder, at: Vector) -> bool {
        let bounds = shape.bounds(at);
        !self.solids.iter().any(|solid| solid.overlaps(bounds))
    }

    /// Calls `found` once for each body that overlaps `shape`.
    fn near(&self, shape: Cylinder, at: Vector, mut found: impl FnMut(&Body)) {
        let body = |slot: &u32| self.bodies[*slot as usize].as_ref();
        let overlaps = |it: &&Body| shape.overlaps(at, it.shape, it.at);
        let Some(block) = self.block(shape, at) else {
            return self.bodies.iter().flatten().filter(overlaps).for_each(found);
        };
        for cell in block.cells() {
            let Some(inside) = self.cells.get(&cell) else { continue };
            for it in inside.iter().filter_map(body).filter(overlaps) {
                // An actor in several of these cells is reported only from the first one.
                let its = self.cell(it.shape.bounds(it.at).min);
                if cell == block.first_common(its) {
                    found(it);
                }
            }
        }
        self.large.iter().filter_map(body).filter(overlaps).for_each(found);
    }
}

impl CollisionWorld for CylinderGrid {
    /// `at`, if it is free; else the nearest free location next to a wall in the way.
    fn find_spot(&self, shape: Cylinder, at: Vector) -> Option<Vector> {
        if self.is_free(shape, at) {
            return Some(at);
        }
        // The candidates lie just outside of each side of each wall in the way.
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
        // Not farther away than the cylinder's own size, because behind a thick wall is another room.
        let reach = half.x * half.x + half.y * half.y + half.z * half.z;
        spots.retain(|spot| far(spot) <= reach && self.is_free(shape, *spot));
        spots.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)))
    }

    fn insert(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) {
        let slot = actor.index();
        if let Some(before) = self.bodies.get(slot).copied().flatten() {
            self.remove(before.actor);
        }
        if self.bodies.len() <= slot {
            self.bodies.resize(slot + 1, None);
        }
        self.bodies[slot] = Some(Body { actor, shape, at });
        self.enter(actor.slot(), self.block(shape, at), None);
    }

    fn remove(&mut self, actor: ActorRef) {
        if let Some(Body { shape, at, .. }) = self.body_mut(actor).copied() {
            self.leave(actor.slot(), self.block(shape, at), None);
            self.bodies[actor.index()] = None;
        }
    }

    fn relocate(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) {
        let Some(body) = self.body_mut(actor) else { return };
        let before = std::mem::replace(body, Body { actor, shape, at });
        let (old, new) = (self.block(before.shape, before.at), self.block(shape, at));
        if new != old {
            self.leave(actor.slot(), old, new);
            self.enter(actor.slot(), new, old);
        }
    }

    fn overlaps(&self, shape: Cylinder, at: Vector, found: &mut Vec<ActorRef>) {
        self.near(shape, at, |it| found.push(it.actor));
    }

    fn floor(&self, actor: ActorRef, shape: Cylinder, at: Vector) -> Floor {
        // A slice as thick as `STEP`, right below the feet. The highest actor in it is the floor, or else a wall in it.
        let feet = Vector {
            z: at.z - shape.half_height - STEP / 2.0,
            ..at
        };
        let slice = Cylinder {
            radius: shape.radius,
            half_height: STEP / 2.0,
        };
        let mut floor = None;
        self.near(slice, feet, |it| {
            let top = it.at.z + it.shape.half_height;
            let below = it.actor != actor && top <= at.z - shape.half_height;
            if below && floor.is_none_or(|(_, highest)| top > highest) {
                floor = Some((it.actor, top));
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
