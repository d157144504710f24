//! Spawns that the cases in `scenarios/spawn.txt` can't express: by other rules, by a handler's own actor, and bodies of events.

mod common;

use acedia_actors::{
    Actor, ActorRef, Pawn, PostBeginPlaySlot, Rotator, Rules, Spawn, SpawnError, Stage, Vector, Warning,
};
use common::*;

#[test]
fn c0_nothing_spawns_beyond_the_depth_limit() {
    for mut rules in all_rules() {
        rules.depth_limit = 0;
        let (mut level, recorder) = level(rules);
        let _start_up = level.take_warnings();
        let refused = Err(SpawnError::Refused(Warning::Recursion));
        assert_eq!(level.try_spawn::<Thing>(Spawn::new()), refused);
        assert_eq!(level.warnings(), [Warning::Recursion]);
        assert!(steps(&recorder).is_empty());
    }
}

#[test]
fn d1_the_slot_of_post_begin_play_is_a_rule() {
    let mut rules = Rules::ue3();
    rules.post_begin_play_slot = PostBeginPlaySlot::BeforeInitialState;
    let (mut level, recorder) = level(rules);
    level.spawn::<Thing>(Spawn::new()).unwrap();
    let late = rows(&recorder, "Q1");
    let expected = [
        "Q10 Thing.native PostBeginPlay()",
        "Q11 Thing.PostBeginPlay()",
        "Q11 Thing.SetInitialState()",
    ];
    assert_eq!(late, expected);
    // In a received actor it still comes after the variables.
    let received = level.receive(Thing::class(), Vector::default(), None).unwrap();
    assert_eq!(
        rows(&recorder, "Q1"),
        ["Q10 Thing.native PostBeginPlay()", "Q11 Thing.SetInitialState()"]
    );
    assert!(level.finish_receive(received, &[]));
    assert_eq!(rows(&recorder, "1.14"), ["1.14 Thing.PostBeginPlay()"]);
}

// Spawns by a type and by classes that are known at run time.
define! { Maker "Test.Maker" { made: Vec<ActorRef> } |class| {
    for state in ["Making", "Owning"] {
        class.state(state).begin_state(move |cx, _| {
            let owner = cx.me();
            let spawn = if state == "Owning" {
                Spawn::new().owned_by(owner)
            } else {
                Spawn::new()
            };
            cx.made = vec![
                cx.spawn::<Keeper>(spawn).unwrap().any(),
                cx.try_spawn::<Keeper>(spawn).unwrap().any(),
                cx.spawn_of(Keeper::class(), spawn).unwrap(),
                cx.spawn_by_name("Test.Keeper", spawn).unwrap(),
            ];
        });
    }
} }

#[test]
fn q2_the_instigator_and_the_place_are_the_spawners() {
    in_each(|level, _, _| {
        let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
        let (place, turned) = (Vector::new(7.0, 0.0, 0.0), Rotator::new(0, 16384, 0));
        let maker = level
            .spawn::<Maker>(Spawn::new().at(place).facing(turned).owned_by(pawn))
            .unwrap();
        level.set_instigator(maker, Some(pawn.any()));
        // The maker may be the owner, however the class is given.
        for (state, owner) in [("Making", None), ("Owning", Some(maker.any()))] {
            level.goto_state(maker, state);
            for it in level.get(maker).unwrap().made.clone() {
                assert_eq!(
                    (level.class(it), level.instigator(it)),
                    (Some(Keeper::class()), Some(pawn.any()))
                );
                assert_eq!((level.location(it), level.rotation(it)), (Some(place), Some(turned)));
                assert_eq!(level.owner(it), owner);
            }
        }
    });
}

// Notes which body of an event runs.
define! { Animal "Test.Animal" { said: Vec<&'static str> } |class| {
    class.base_change(|cx| cx.said.push("animal"));
    class.state("Awake").base_change(|cx| {
        cx.said.push("awake animal");
        cx.inherited().base_change();
    });
} }
define! { Dog "Test.Dog" Animal in animal { animal: Animal } |class| {
    class.base_change(|cx| {
        cx.animal.said.push("dog");
        cx.inherited().base_change();
    });
    class.state("Awake").base_change(|cx| {
        cx.animal.said.push("awake dog");
        cx.inherited().base_change();
    });
    class.state("Hunting").extends("Awake");
} }

#[test]
fn a_state_extends_another_and_a_class_its_parent() {
    for rules in all_rules() {
        let (mut level, _) = level(rules);
        let dog = level.spawn::<Dog>(Spawn::new()).unwrap();
        let base = level.spawn::<Keeper>(Spawn::new()).unwrap();
        for (state, expected) in [
            ("None", &["dog", "animal"][..]),
            ("Awake", &["awake dog", "awake animal", "animal"]),
            ("Hunting", &["awake dog", "awake animal", "animal"]),
        ] {
            level.goto_state(dog, state);
            level.set_base(dog, Some(base.any()));
            level.get_mut(dog).unwrap().animal.said.clear();
            level.set_base(dog, None);
            assert_eq!(level.get(dog).unwrap().animal.said, expected, "{state}");
        }
    }
}
