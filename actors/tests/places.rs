//! 1.7, 1.8 and 1.11: zones and volumes, the collision check, the base; in what order, and what shows meanwhile.

mod common;

use std::cell::RefCell;
use std::rc::Rc;

use acedia_actors::world::BoxZones;
use acedia_actors::{
    Aabb, Actor, ActorRef, ClassBuilder, Event, Level, Physics, Properties, Recorder, Rules, Spawn, Stage, Vector,
    actor,
};
use common::*;

/// A box around a place.
fn around(at: Vector, size: f32) -> Aabb {
    let half = Vector::new(size, size, size);
    Aabb::new(at - half, at + half)
}

const HERE: Vector = Vector::new(0.0, 0.0, 0.0);
const THERE: Vector = Vector::new(500.0, 0.0, 0.0);
const NOWHERE: Vector = Vector::new(0.0, 900.0, 0.0);

/// A level with a zone and a volume at `HERE`, others at `THERE`, and one more volume above `HERE`.
struct Places {
    level: Level,
    recorder: Recorder,
    zones: [ActorRef; 2],
    volumes: [ActorRef; 3],
}

fn places(rules: Rules) -> Places {
    let (mut level, recorder) = level(rules);
    let zones = [0; 2].map(|_| level.place::<Zone>(Spawn::new()).unwrap().any());
    let volumes = [0; 3].map(|_| level.place::<Volume>(Spawn::new().at(NOWHERE)).unwrap().any());
    let mut map = BoxZones::default();
    for (at, zone, volume) in [(HERE, zones[0], volumes[0]), (THERE, zones[1], volumes[1])] {
        map.add_zone(zone, around(at, 10.0), 0);
        map.add_volume(volume, around(at, 10.0), 0);
    }
    map.add_volume(volumes[2], around(Vector::new(0.0, 0.0, 22.0), 10.0), 0);
    level.set_zones(map);
    let _ = recorder.take();
    Places {
        level,
        recorder,
        zones,
        volumes,
    }
}

/// The steps whose events have to do with zones or volumes.
fn of_places(recorder: &Recorder) -> Vec<String> {
    let mut steps = steps(recorder);
    steps.retain(|step| step.contains("Zone") || step.contains("Volume") || step.contains("ActorLeaving"));
    steps
}

#[test]
fn zone_step_from_zone_to_zone() {
    for rules in [Rules::ue1(), Rules::ue2()] {
        let mut it = places(rules);
        it.level.spawn::<Thing>(Spawn::new().at(NOWHERE)).unwrap();
        let mut outside = of_places(&it.recorder);
        outside.retain(|step| !step.contains("Volume"));
        assert!(outside.is_empty(), "the level's own zone is no news: {outside:?}");
        let actor = it.level.spawn::<Thing>(Spawn::new().at(HERE)).unwrap().any();
        assert_eq!(it.level.zone(actor), Some(it.zones[0]));
        let seen = Rc::new(RefCell::new(Vec::new()));
        let saw = seen.clone();
        script(move |hand, event, about| {
            if matches!(event, Event::ActorLeaving | Event::ZoneChange | Event::ActorEntered) {
                let me = hand.me();
                let others = hand.others();
                let zone = others.zone(actor).unwrap();
                saw.borrow_mut()
                    .push((event, me, about.unwrap(), zone, others.zone_number(actor).unwrap()));
            }
        });
        let [from, to] = it.zones;
        assert_eq!(
            it.level.zone_number(actor),
            Some(1),
            "zones are numbered as they are added"
        );
        assert!(
            it.level.set_location(actor, Vector::new(1.0, 1.0, 1.0)),
            "in the same zone"
        );
        assert!(seen.borrow().is_empty());
        assert!(it.level.set_location(actor, THERE));
        assert_eq!(
            *seen.borrow(),
            [
                (Event::ActorLeaving, from, actor, from, 1),
                (Event::ZoneChange, actor, to, from, 1),
                (Event::ActorEntered, to, actor, to, 2),
            ]
        );
        assert!(it.level.set_location(actor, NOWHERE));
        assert_eq!(it.level.zone_number(actor), Some(0));
    }
    let mut third = places(Rules::ue3());
    third.level.spawn::<Thing>(Spawn::new().at(HERE)).unwrap();
    let events = of_places(&third.recorder);
    assert!(!events.iter().any(|step| step.contains("Zone")), "{events:?}");
}

/// It is the zone of all that is in no other, and stands at the same place as the default volume.
#[test]
fn the_level_itself_is_in_no_zone() {
    for rules in [Rules::ue1(), Rules::ue2()] {
        let (mut level, recorder) = unbegun(rules);
        let info = level.level_info().unwrap();
        let zones = [0; 2].map(|_| level.place::<Zone>(Spawn::new().at(NOWHERE)).unwrap().any());
        let actor = level.place::<Thing>(Spawn::new().at(HERE)).unwrap();
        assert_eq!(level.location(info), Some(HERE));
        let mut map = BoxZones::default();
        map.add_zone(zones[0], around(HERE, 10.0), 0);
        map.add_zone(zones[1], around(THERE, 10.0), 0);
        level.set_zones(map);
        level.begin_play("");
        assert_eq!((level.zone(actor), level.zone(info)), (Some(zones[0]), Some(info)));
        assert!(level.set_location(info, THERE) && level.set_location(actor, THERE));
        assert_eq!((level.zone(actor), level.zone(info)), (Some(zones[1]), Some(info)));
        let of_the_level = of_places(&recorder);
        let about = |step: &&String| step.contains("(LevelInfo") || step.contains("LevelInfo.ZoneChange");
        assert_eq!(of_the_level.iter().find(about), None);
    }
}

#[test]
fn volume_step_for_actors_and_for_pawns() {
    for rules in [Rules::ue2(), Rules::ue3()] {
        let mut it = places(rules.clone());
        let default = it.level.spawn::<Thing>(Spawn::new().at(NOWHERE)).unwrap();
        let default = it.level.volume(default).unwrap();
        assert!(!it.volumes.contains(&default));
        assert!(of_places(&it.recorder).is_empty(), "inside no volume: no events");

        let seen = Rc::new(RefCell::new(Vec::new()));
        let saw = seen.clone();
        script(move |hand, event, about| {
            let (actor, volume) = match event {
                Event::PhysicsVolumeChange | Event::HeadVolumeChange => (hand.me(), about.unwrap()),
                Event::ActorEnteredVolume | Event::PawnEnteredVolume => (about.unwrap(), hand.me()),
                _ => return,
            };
            let now = hand.others().volume(actor).unwrap();
            saw.borrow_mut().push((event, volume, now));
        });
        let [here, _, above] = it.volumes;
        let thing = it.level.spawn::<Thing>(Spawn::new().at(HERE)).unwrap();
        assert_eq!(
            seen.take(),
            [
                (Event::PhysicsVolumeChange, here, default),
                (Event::ActorEnteredVolume, here, here),
            ]
        );
        let pawn = it.level.spawn::<Soldier>(Spawn::new().at(HERE)).unwrap();
        assert_eq!(
            seen.take(),
            [
                (Event::PhysicsVolumeChange, here, default),
                (Event::PawnEnteredVolume, here, here),
                (Event::HeadVolumeChange, above, here),
            ]
        );
        it.level.destroy(pawn);
        // Out of every volume: the default one, without events.
        assert!(it.level.set_location(thing, NOWHERE));
        assert_eq!((it.level.volume(thing), seen.take().len()), (Some(default), 0));
        // A volume is its own.
        let volume = it.level.spawn::<Volume>(Spawn::new().at(HERE)).unwrap();
        assert_eq!((it.level.volume(volume), seen.take().len()), (Some(volume.any()), 0));
    }
    let mut first = places(Rules::ue1());
    let pawn = first.level.spawn::<Soldier>(Spawn::new().at(HERE)).unwrap();
    assert_eq!(first.level.volume(pawn), None);
    let events = of_places(&first.recorder);
    assert!(!events.iter().any(|step| step.contains("Volume")), "{events:?}");
}

#[test]
fn who_moves_in_a_change_of_place_is_where_it_moved_to() {
    for event in [Event::ActorLeaving, Event::ZoneChange, Event::PhysicsVolumeChange] {
        let there = |rules: &Rules| {
            if event == Event::PhysicsVolumeChange {
                rules.volumes
            } else {
                rules.zones
            }
        };
        for rules in all_rules().into_iter().filter(there) {
            let mut it = places(rules);
            let outside = it.level.spawn::<Thing>(Spawn::new().at(NOWHERE)).unwrap();
            let actor = it.level.spawn::<Thing>(Spawn::new().at(HERE)).unwrap().any();
            let moved = Rc::new(RefCell::new(false));
            let once = moved.clone();
            script(move |hand, now, _| {
                if now == event && !once.replace(true) {
                    hand.others().set_location(actor, NOWHERE);
                }
            });
            let _ = it.recorder.take();
            it.level.set_location(actor, THERE);
            assert!(moved.take() && it.level.location(actor) == Some(NOWHERE), "{event:?}");
            assert_eq!(it.level.zone(actor), it.level.level_info(), "{event:?}");
            assert_eq!(it.level.volume(actor), it.level.volume(outside), "{event:?}");
            let entered = of_places(&it.recorder);
            assert!(
                !entered.iter().any(|step| step.contains("EnteredVolume")),
                "{entered:?}"
            );
        }
    }
}

#[test]
fn collision_check_goes_by_age_and_leaves_out_who_does_not_count() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        let dead = level.spawn::<Toucher>(Spawn::new()).unwrap();
        let [first, second] = [0; 2].map(|_| level.spawn::<Toucher>(Spawn::new()).unwrap());
        level.spawn::<Thing>(Spawn::new()).unwrap(); // does not collide
        level.spawn::<Toucher>(Spawn::new().at(THERE)).unwrap(); // is elsewhere
        level.destroy(dead);
        // In the slot of the dead, but younger than the others.
        let third = level.spawn::<Toucher>(Spawn::new()).unwrap();
        let _ = recorder.take();
        let last = level.spawn::<Toucher>(Spawn::new()).unwrap();
        let [first, second, third, last] = [first, second, third, last].map(|it| level.name(it).unwrap());
        let mut touches = recorder.lines();
        touches.retain(|line| line.starts_with("Q9"));
        let expected = [&first, &second, &third]
            .map(|other| [format!("Q9 {last}.Touch({other})"), format!("Q9 {other}.Touch({last})")])
            .concat();
        assert_eq!(touches, expected);
    }
}

#[test]
fn who_moves_in_its_touch_touches_only_whom_it_meets_there() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        let here = [0; 2].map(|_| level.spawn::<Blocker>(Spawn::new()).unwrap());
        let there = level.spawn::<Blocker>(Spawn::new().at(THERE)).unwrap();
        let actor = level.spawn::<Toucher>(Spawn::new().at(NOWHERE)).unwrap().any();
        let _ = recorder.take();
        script(move |hand, event, about| {
            if event == Event::Touch && hand.me() == actor && about == Some(here[0].any()) {
                hand.others().set_location(actor, THERE);
            }
        });
        assert!(level.set_location(actor, HERE) && level.location(actor) == Some(THERE));
        assert_eq!(here.map(|it| level.is_touching(actor, it)), [false, false]);
        assert!(level.is_touching(actor, there) && level.is_touching(there, actor));
        let told = steps(&recorder).iter().filter(|step| step.contains("UnTouch")).count();
        assert_eq!(told, 1, "one of the two was not told yet that they touch");
    }
}

#[test]
fn whom_a_handler_moves_away_is_neither_touched_nor_encroached_on() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules.clone());
        let [first, second] = [0; 2].map(|_| level.spawn::<Toucher>(Spawn::new()).unwrap().any());
        script(move |hand, event, about| {
            if event == Event::Touch && about == Some(first) && hand.me() != second {
                hand.others().set_location(second, THERE);
            }
        });
        let _ = recorder.take();
        let actor = level.spawn::<Toucher>(Spawn::new()).unwrap();
        assert!(level.is_touching(actor, first) && !level.is_touching(actor, second));
        assert!(level.set_location(second, HERE) && level.is_touching(actor, second));
        // The same in a move.
        assert!(level.set_location(actor, NOWHERE) && level.set_location(actor, HERE));
        assert!(level.is_touching(actor, first) && !level.is_touching(actor, second));

        // Two that block each other stand here after moves alone.
        let [first, second] = [NOWHERE, THERE].map(|at| level.spawn::<Blocker>(Spawn::new().at(at)).unwrap().any());
        assert!(level.set_location(first, HERE) && level.set_location(second, HERE));
        script(move |hand, event, about| {
            if event == Event::EncroachingOn && about == Some(first) {
                hand.others().set_location(second, THERE);
            } else if event == Event::EncroachingOn {
                hand.answer_yes();
            }
        });
        let _ = recorder.take();
        assert!(
            level.spawn::<Blocker>(Spawn::new()).is_some(),
            "only the second one is fatal"
        );
        let sent = steps(&recorder);
        let count = |event| sent.iter().filter(|step| step.contains(event)).count();
        assert_eq!((count("EncroachingOn"), count("EncroachedBy")), (1, 1), "{sent:?}");
    }
}

#[test]
fn who_moves_in_encroaching_on_encroaches_on_nobody_else() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        for at in [NOWHERE, THERE] {
            let blocker = level.spawn::<Blocker>(Spawn::new().at(at)).unwrap();
            assert!(level.set_location(blocker, HERE));
        }
        when(Event::EncroachingOn, |hand, _| {
            let me = hand.me();
            hand.others().set_location(me, THERE);
        });
        let _ = recorder.take();
        let actor = level.spawn::<Blocker>(Spawn::new()).unwrap();
        assert_eq!(level.location(actor), Some(THERE));
        let sent = rows(&recorder, "Q9");
        assert_eq!(sent, ["Q9 Blocker.EncroachingOn(Blocker)"]);
    }
}

#[test]
fn who_dies_in_its_touch_is_not_touched_back() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        let old = level.spawn::<Toucher>(Spawn::new()).unwrap().any();
        script(move |hand, event, _| {
            if event == Event::Touch && hand.me() != old {
                hand.destroy();
            }
        });
        let _ = recorder.take();
        assert!(level.spawn::<Toucher>(Spawn::new()).is_none());
        let mut sent = steps(&recorder);
        sent.retain(|step| step.contains("Touch("));
        // An actor that was not told of the beginning is not told of the end.
        assert_eq!(sent, ["Q9 Toucher.Touch(Toucher)"]);
    }
}

#[test]
fn nobody_begins_to_touch_who_is_being_destroyed() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        let old = level.spawn::<Toucher>(Spawn::new()).unwrap().any();
        script(move |hand, event, _| {
            if event == Event::Destroyed && hand.me() == old {
                // D18: it is still found, but touches no more.
                let near = hand.others().spawn::<Toucher>(Spawn::new()).unwrap();
                assert!(!hand.others().is_touching(old, near));
            }
        });
        let _ = recorder.take();
        assert!(level.destroy(old));
        let steps = steps(&recorder);
        assert!(!steps.iter().any(|step| step.contains("Touch(")), "{steps:?}");
        assert!(steps.iter().any(|step| step.starts_with("P1")));
    }
}

/// Spawns a rider on the ground whose properties were changed first, and gives its base.
fn base_of(level: &mut Level, change: impl Fn(&mut Properties) + Copy + 'static) -> Option<ActorRef> {
    script(move |hand, event, _| {
        if event == Event::PreBeginPlay && hand.is("Rider") {
            let me = hand.me();
            change(hand.others().properties_mut(me).unwrap());
        }
    });
    let rider = level
        .spawn::<Rider>(Spawn::new().at(Vector::new(0.0, 0.0, 22.0)))
        .unwrap();
    let base = level.base(rider);
    level.destroy(rider);
    base
}

#[test]
fn base_search_has_five_conditions() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        level.set_world(ground());
        let info = level.level_info();
        assert_eq!(base_of(&mut level, |_| ()), info);
        let attached = steps(&recorder)
            .iter()
            .any(|step| step.contains("Attach(") || step.contains("Detach("));
        assert!(!attached, "the level is not told");
        assert_eq!(base_of(&mut level, |it| it.physics = Physics::Rotating), info);
        for physics in [Physics::Walking, Physics::Falling, Physics::Flying, Physics::Projectile] {
            assert_eq!(base_of(&mut level, move |it| it.physics = physics), None, "{physics:?}");
        }
        assert_eq!(base_of(&mut level, |it| it.collide_world = false), None);
        assert_eq!(base_of(&mut level, |it| it.should_base_at_startup = false), None);
        level.settings_mut().editor = true;
        assert_eq!(base_of(&mut level, |_| ()), None);
        level.settings_mut().editor = false;
        // One that it has already stays.
        let lift = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
        script(move |hand, event, _| {
            if event == Event::BeginPlay || event == Event::PreBeginPlay {
                let me = hand.me();
                hand.others().set_base(me, Some(lift));
            }
        });
        let rider = level
            .spawn::<Rider>(Spawn::new().at(Vector::new(0.0, 0.0, 22.0)))
            .unwrap();
        assert_eq!(level.base(rider), Some(lift));
    }
}

#[test]
fn set_base_tells_the_old_one_then_the_new_one_then_the_actor() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        let actor = level.spawn::<Thing>(Spawn::new()).unwrap().any();
        let old = level.spawn::<Keeper>(Spawn::new()).unwrap().any();
        let new = level.spawn::<Crew>(Spawn::new()).unwrap().any();
        assert!(level.set_base(actor, Some(old)));
        let _ = recorder.take();
        let seen = Rc::new(RefCell::new(Vec::new()));
        let saw = seen.clone();
        script(move |hand, event, _| {
            let base = hand.others().base(actor);
            saw.borrow_mut().push((event, base));
        });
        assert!(level.set_base(actor, Some(new)));
        assert_eq!(
            *seen.borrow(),
            [
                (Event::Detach, Some(old)),
                (Event::Attach, Some(new)),
                (Event::BaseChange, Some(new)),
            ]
        );
        assert_eq!(
            steps(&recorder),
            [
                "1.11 Keeper.Detach(Thing)",
                "1.11 Crew.Attach(Thing)",
                "1.11 Thing.BaseChange()"
            ]
        );
        assert_eq!(Crew::class().short_name(), "Crew");
    }
}

/// Many on one spot, or on one base: all of it together costs what their pairs and their events do. With a look at each
/// of the others for each of them, either would take minutes.
#[test]
fn crowds_cost_what_their_events_do() {
    #[derive(Default)]
    struct Ghost {
        touching: usize,
        riders: usize,
    }
    impl Actor for Ghost {
        actor!(Ghost, "Test.Ghost");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.defaults(|it| it.collide_actors = true);
            class.touch(|cx, _| cx.touching += 1).un_touch(|cx, _| cx.touching -= 1);
            class.attach(|cx, _| cx.riders += 1).detach(|cx, _| cx.riders -= 1);
        }
    }
    let (crowd, riders) = if cfg!(miri) { (20, 40) } else { (1200, 60_000) };
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");

    let ghosts: Vec<_> = (0..crowd)
        .map(|_| level.spawn::<Ghost>(Spawn::new()).unwrap())
        .collect();
    let others = |ghost: ActorRef<Ghost>| ghosts.iter().filter(move |it| **it != ghost).map(|it| it.any());
    for &ghost in &ghosts {
        assert_eq!(level.get(ghost).unwrap().touching, crowd - 1);
    }
    // In the order in which they began to touch: by age, except that an actor that was away comes last.
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
