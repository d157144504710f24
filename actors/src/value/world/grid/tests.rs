use std::num::NonZeroU32;

use super::*;

fn actor(index: u32) -> ActorRef {
    ActorRef::new(index, NonZeroU32::MIN)
}

#[test]
fn finds_what_comparing_all_with_all_finds() {
    let mut seed = 7_u32;
    let mut roll = |sides: u16| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from(u16::try_from(seed >> 16).unwrap_or(0) % sides)
    };
    let mut world = CylinderGrid::new(32.0);
    let mut naive: Vec<(ActorRef, Cylinder, Vector)> = Vec::new();
    let (mut hits, mut large) = (0, 0);
    for round in 0..if cfg!(miri) { 60 } else { 600 } {
        let at = Vector::new(roll(800) - 400.0, roll(800) - 400.0, roll(100) - 50.0);
        // Some are far too large for the cells.
        let radius = if roll(20) < 1.0 { 500.0 } else { 1.0 + roll(40) };
        let shape = Cylinder {
            radius,
            half_height: 1.0 + roll(30),
        };
        if roll(3) < 1.0 && !naive.is_empty() {
            let (gone, ..) = naive.swap_remove(naive.len() / 2);
            world.remove(gone);
        }
        if let Some((moved, its, there)) = naive.get_mut(round as usize / 4) {
            // Mostly not far, and sometimes with a shape as large as that of the new one.
            *there = *there + Vector::new(roll(40) - 20.0, roll(40) - 20.0, roll(40) - 20.0);
            *its = if roll(4) < 1.0 { shape } else { *its };
            world.relocate(*moved, *its, *there);
        }
        let mut found = Vec::new();
        world.overlaps(shape, at, &mut found);
        let overlapping = naive.iter().filter(|(_, its, there)| shape.overlaps(at, *its, *there));
        let mut expected: Vec<_> = overlapping.map(|(it, ..)| *it).collect();
        found.sort_by_key(|it| it.index());
        expected.sort_by_key(|it| it.index());
        assert_eq!(found, expected);
        hits += found.len();
        world.insert(actor(round), shape, at);
        large = large.max(world.large.len());
        naive.push((actor(round), shape, at));
    }
    let enough = cfg!(miri) || (hits > 1000 && large > 5);
    assert!(enough, "{hits} overlaps, {large} large actors");
    for (it, ..) in naive {
        world.remove(it);
    }
    assert!(world.cells.is_empty() && world.bodies.iter().all(Option::is_none) && world.large.is_empty());
}

#[test]
fn the_highest_floor_counts() {
    let mut world = CylinderGrid::default();
    let feet = Cylinder::default();
    let at = Vector::new(0.0, 0.0, 22.0);
    assert_eq!(world.floor(actor(9), feet, at), Floor::None);
    world.add_solid(Aabb::new(Vector::new(-9.0, -9.0, -9.0), Vector::new(9.0, 9.0, 0.0)));
    assert_eq!(world.floor(actor(9), feet, at), Floor::World);
    for (index, z) in [(1, -24.0), (2, -22.0)] {
        world.insert(actor(index), feet, Vector::new(0.0, 0.0, z));
    }
    assert_eq!(world.floor(actor(9), feet, at), Floor::Actor(actor(2)));
    assert_eq!(world.floor(actor(2), feet, at), Floor::Actor(actor(1)), "not itself");
}
