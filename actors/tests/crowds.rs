//! Crowds of actors.

mod common;

use acedia_actors::{ActorRef, Level, Rules, Spawn, Stage, Vector};
use common::*;

/// Many actors on one spot or on one base cost what their pairs and events do. If each actor looked at all
/// others, both would take minutes.
#[test]
fn crowds_cost_what_their_events_do() {
    define! { Ghost "Test.Ghost" { touching: usize, riders: usize } |class| {
        class.defaults(|it| it.collide_actors = true);
        class.touch(|cx, _| cx.touching += 1).un_touch(|cx, _| cx.touching -= 1);
        class.attach(|cx, _| cx.riders += 1).detach(|cx, _| cx.riders -= 1);
    } }
    let (crowd, riders) = if cfg!(miri) { (20, 40) } else { (600, 20_000) };
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");

    let ghosts: Vec<_> = (0..crowd)
        .map(|_| level.spawn::<Ghost>(Spawn::new()).unwrap())
        .collect();
    let others = |ghost: ActorRef<Ghost>| ghosts.iter().filter(move |it| **it != ghost).map(|it| it.any());
    for &ghost in &ghosts {
        assert_eq!(level.get(ghost).unwrap().touching, crowd - 1);
    }
    // In the order in which they began to touch: by age, but an actor that was away comes last.
    let away = ghosts[crowd / 2];
    assert!(level.touching(away).into_iter().eq(others(away)));
    assert!(level.set_location(away, Vector::new(9000.0, 0.0, 0.0)) && level.touching(away).is_empty());
    assert!(level.set_location(away, Vector::default()) && level.touching(away).into_iter().eq(others(away)));
    assert_eq!(level.touching(ghosts[0]).last(), Some(&away.any()));
    for (left, &ghost) in (0..crowd).rev().zip(&ghosts) {
        assert_eq!(level.get(ghost).unwrap().touching, left);
        assert!(level.destroy(ghost));
    }

    let base = level.spawn::<Ghost>(Spawn::new()).unwrap();
    let mut all: Vec<_> = (0..riders)
        .map(|_| level.spawn::<Keeper>(Spawn::new()).unwrap().any())
        .collect();
    let ride = |level: &mut Level, all: &[ActorRef]| {
        for &rider in all {
            assert!(level.set_base(rider, Some(base.any())));
        }
        assert_eq!(
            (level.attached(base), level.get(base).unwrap().riders),
            (all.to_vec(), all.len())
        );
    };
    ride(&mut level, &all);
    for &rider in &all {
        assert!(level.set_base(rider, None));
    }
    ride(&mut level, &all);
    for rider in all.drain(riders / 2..) {
        assert!(level.destroy(rider));
    }
    assert_eq!(level.attached(base), all);
    assert!(level.destroy(base) && all.into_iter().all(|rider| level.base(rider).is_none()));
}
