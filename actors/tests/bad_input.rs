//! Invalid requests: each has the specified result or a clear error, and leaves the level usable.
//!
//! Unknown, abstract and other classes are in `classes.rs`, handlers that panic in `interrupted.rs`.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::atomic::{AtomicU32, Ordering};

use acedia_actors::world::{CollisionWorld, CylinderGrid, Floor, ZoneMap};
use acedia_actors::{
    Actor, ActorRef, Cylinder, EventSink, Level, Recorder, Rules, Spawn, SpawnEx, Stage, Step, Vector, actor,
};
use common::*;

fn in_each(test: impl Fn(&mut Level, &Recorder)) {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        test(&mut level, &recorder);
        script(|_, _, _| ());
        let _ = level.take_warnings();
        level.set_collecting(false);
        let actor = level.spawn::<Thing>(Spawn::new()).expect("the level is usable");
        level.tick(0.1);
        assert!(level.destroy(actor) && level.warnings().is_empty());
    }
}

#[test]
fn shapes_that_are_no_shapes() {
    in_each(|level, _| {
        for size in [f32::NAN, f32::INFINITY, f32::MAX, -5.0, 0.0] {
            let actor = level.spawn::<Toucher>(Spawn::new()).unwrap();
            level.properties_mut(actor).unwrap().shape = Cylinder {
                radius: size,
                half_height: size,
            };
            // The move makes the world read the new shape. Then another actor comes near.
            assert!(level.set_location(actor, Vector::new(5.0, 0.0, 0.0)));
            let other = level.spawn::<Toucher>(Spawn::new()).unwrap();
            assert!(level.destroy(actor) && level.destroy(other), "{size}");
        }
    });
}

#[test]
fn a_constructor_a_finalizer_or_a_copy_that_panics() {
    define! { Fragile "Test.Fragile" { armed: bool };
    fn finalizer(&mut self) {
        assert!(!self.armed, "on purpose");
    }
    fn duplicate(&self) -> Option<Self> {
        panic!("on purpose")
    } }
    define! { Stillborn "Test.Stillborn" {};
    fn constructor(&mut self) {
        panic!("on purpose")
    } }
    in_each(|level, _| {
        let before = level.actors().count();
        let made = catch_unwind(AssertUnwindSafe(|| level.spawn::<Stillborn>(Spawn::new())));
        assert!(made.is_err() && level.actors().count() == before);
        let [one, other] = [0; 2].map(|_| level.spawn::<Fragile>(Spawn::new()).unwrap());
        let request = SpawnEx::from(Spawn::new().template(one));
        let copied = catch_unwind(AssertUnwindSafe(|| level.spawn_ex(Some(Fragile::class()), &request)));
        assert!(copied.is_err() && level.actors().count() == before + 2);
        level.get_mut(one).unwrap().armed = true;
        assert!(catch_unwind(AssertUnwindSafe(|| level.destroy(one))).is_err());
        assert!(!level.is_alive(one) && level.destroy(other));
    });
}

/// After a handler panics, the later actors still tick, even if it panics in every frame, or is their owner's handler (D29).
#[test]
fn a_tick_that_panics() {
    define! { Ticking "Test.Ticking" { ticks: u32, fails: bool } |class| {
        class.tick(|cx, _| {
            cx.ticks += 1;
            if cx.fails {
                panic_any(cx.me());
            }
        });
    } }
    in_each(|level, recorder| {
        let actors = [0; 6].map(|_| level.spawn::<Ticking>(Spawn::new()).unwrap());
        // Its turn brings forward that of its owner, the last actor, which panics, too.
        assert!(level.set_owner(actors[2], Some(actors[5].any())));
        for fails in [1, 3, 5] {
            level.get_mut(actors[fails]).unwrap().fails = true;
        }
        for frame in 1..=3 {
            let panic = catch_unwind(AssertUnwindSafe(|| level.tick(0.1))).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&actors[1]), "the first panic goes on");
            let ticks = actors.map(|actor| level.get(actor).unwrap().ticks);
            assert_eq!(ticks, [frame; 6]);
            let ticked = recorder
                .lines()
                .into_iter()
                .filter(|line| line.starts_with("1.12"))
                .count();
            assert!(ticked >= 6, "each is recorded: {ticked}");
            let _ = recorder.take();
        }
        // Without a sink, ticks take a shorter code path.
        let mut plain = Level::new(Rules::ue2());
        plain.begin_play("");
        let unwatched = [0; 6].map(|_| plain.spawn::<Ticking>(Spawn::new()).unwrap());
        for fails in [0, 1, 4] {
            plain.get_mut(unwatched[fails]).unwrap().fails = true;
        }
        for frame in 1..=3 {
            assert!(catch_unwind(AssertUnwindSafe(|| plain.tick(0.1))).is_err());
            assert_eq!(unwatched.map(|actor| plain.get(actor).unwrap().ticks), [frame; 6]);
        }
        for actor in actors {
            assert!(level.destroy(actor));
        }
    });
}

/// The end of a level finalizes all actors, even if some finalizers panic.
#[test]
fn finalizers_that_panic_at_the_end_of_a_level() {
    static FINALIZED: AtomicU32 = AtomicU32::new(0);
    #[derive(Default)]
    struct Sour(bool);
    impl Actor for Sour {
        actor!(Sour, "Test.Sour");
        fn finalizer(&mut self) {
            FINALIZED.fetch_add(1, Ordering::Relaxed);
            assert!(!self.0, "on purpose");
        }
    }
    let (mut level, _) = level(Rules::ue2());
    let actors = [0; 5].map(|_| level.spawn::<Sour>(Spawn::new()).unwrap());
    for sour in [actors[1], actors[3]] {
        level.get_mut(sour).unwrap().0 = true;
    }
    assert!(catch_unwind(AssertUnwindSafe(|| drop(level))).is_err());
    assert_eq!(FINALIZED.load(Ordering::Relaxed), 5);
}

/// A world, a map and a sink whose every call panics.
struct Grumpy;
impl CollisionWorld for Grumpy {
    fn find_spot(&self, _: Cylinder, _: Vector) -> Option<Vector> {
        panic!("on purpose")
    }
    fn insert(&mut self, _: ActorRef, _: Cylinder, _: Vector) {}
    fn remove(&mut self, _: ActorRef) {}
    fn overlaps(&self, _: Cylinder, _: Vector, _: &mut Vec<ActorRef>) {
        panic!("on purpose")
    }
    fn floor(&self, _: ActorRef, _: Cylinder, _: Vector) -> Floor {
        panic!("on purpose")
    }
}
impl ZoneMap for Grumpy {
    fn zone(&self, _: Vector) -> Option<ActorRef> {
        panic!("on purpose")
    }
    fn volume(&self, _: Vector) -> Option<ActorRef> {
        panic!("on purpose")
    }
}
impl EventSink for Grumpy {
    fn record(&mut self, _: &Step<'_>) {
        panic!("on purpose")
    }
}

#[test]
fn a_world_a_map_or_a_sink_that_panics() {
    let fails = |level: &mut Level| {
        assert!(catch_unwind(AssertUnwindSafe(|| level.spawn::<Crew>(Spawn::new()))).is_err());
    };
    in_each(|level, _| {
        level.set_world(Grumpy);
        fails(level);
        level.set_world(CylinderGrid::default());
        level.set_zones(Grumpy);
        fails(level);
        level.set_zones(acedia_actors::world::BoxZones::default());
        level.set_sink(Grumpy);
        fails(level);
        // The sink is gone, and the level is usable.
        assert!(level.spawn::<Crew>(Spawn::new()).is_some());
    });
}

/// A world whose answers are wrong.
struct Liar(ActorRef);
impl CollisionWorld for Liar {
    fn find_spot(&self, _: Cylinder, _: Vector) -> Option<Vector> {
        Some(Vector::new(f32::NAN, 0.0, 0.0))
    }
    fn insert(&mut self, _: ActorRef, _: Cylinder, _: Vector) {}
    fn remove(&mut self, _: ActorRef) {}
    fn overlaps(&self, _: Cylinder, _: Vector, found: &mut Vec<ActorRef>) {
        found.extend([self.0; 3]);
    }
    fn push_away(&mut self, _: ActorRef, _: Cylinder, _: Vector) -> Option<Vector> {
        Some(Vector::new(0.0, f32::INFINITY, 0.0))
    }
    fn floor(&self, actor: ActorRef, _: Cylinder, _: Vector) -> Floor {
        Floor::Actor(actor)
    }
}
impl ZoneMap for Liar {
    fn zone(&self, _: Vector) -> Option<ActorRef> {
        Some(self.0)
    }
    fn volume(&self, _: Vector) -> Option<ActorRef> {
        Some(self.0)
    }
}

#[test]
fn a_world_and_a_map_whose_answers_are_wrong() {
    in_each(|level, _| {
        let dead = level.spawn::<Blocker>(Spawn::new()).unwrap().any();
        level.destroy(dead);
        level.set_world(Liar(dead));
        level.set_zones(Liar(dead));
        let riders = [0; 2].map(|_| level.spawn::<Rider>(Spawn::new()));
        for rider in riders.into_iter().flatten() {
            assert!(level.location(rider).unwrap().is_finite());
            assert_eq!((level.base(rider), level.zone(rider)), (None, level.level_info()));
            level.destroy(rider);
        }
        let blocker = level.spawn::<Blocker>(Spawn::new()).unwrap();
        level.set_world(Liar(blocker.any()));
        let other = level.spawn::<Blocker>(Spawn::new()).unwrap();
        assert!(level.location(blocker).unwrap().is_finite() && level.destroy(other));
        level.set_world(CylinderGrid::default());
        level.set_zones(acedia_actors::world::BoxZones::default());
        level.destroy(blocker);
    });
}
