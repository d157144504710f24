//! The `Debug` output of levels and of all that belongs to them, as failing tests print it.

mod common;

use acedia::Object;
use acedia_actors::world::{BoxZones, Floor};
use acedia_actors::{
    Actor, ActorList, ActorMap, ActorSet, AnyClass, Cx, Generation, Name, NativeActorRef, Recorder, Rules, Spawn,
    SpawnEx, Stage, Vector,
};
use common::*;

#[test]
fn a_level_says_how_it_is() {
    let (mut level, _) = level(Rules::ue2());
    level.spawn::<Thing>(Spawn::new()).unwrap();
    assert_eq!(
        format!("{level:?}"),
        "Level { rules: Ue2, has_begun: true, actors: 3, dead: 0, depth: 0, warnings: 0, .. }"
    );
    level.spawn_ex(None, &SpawnEx::default()).unwrap_err();
    let printed = format!("{level:?}");
    let last = "warnings: 1 (the last one: spawn failed because no class was specified)";
    assert!(printed.contains(last), "{printed}");
}

// Prints itself while it is being made.
define! { Mirror "Test.Mirror" { seen: Vec<String> } |class| {
    assert!(format!("{class:?}").starts_with("ClassBuilder(Test.Mirror, "));
    let state = class.state("Clean");
    assert_eq!(format!("{state:?}"), "StateBuilder(Test.Mirror, Clean)");
    class.post_begin_play(|cx: &mut Cx<'_, Self>| {
        let own = format!("{cx:?}");
        let others = format!("{:?}", cx.others);
        let inherited = format!("{:?}", cx.inherited());
        cx.seen = vec![own, others, inherited];
    });
} }

#[test]
fn handlers_say_whose_they_are() {
    let (mut level, _) = level(Rules::ue2());
    let mirror = level.spawn::<Mirror>(Spawn::new()).unwrap();
    assert_eq!(
        level.get(mirror).unwrap().seen,
        [
            "Cx(Mirror2, PostBeginPlay)",
            "Others { rules: Ue2, has_begun: true, actors: 3, dead: 0, depth: 1, warnings: 0, .. }",
            "Inherited(Mirror2, PostBeginPlay)",
        ]
    );
}

#[test]
fn references_classes_and_collections_are_short() {
    let (mut level, recorder) = level(Rules::ue3());
    let actor = level.spawn::<Thing>(Spawn::new()).unwrap();
    let name = format!("{:?}", actor.any());
    // The numbers of lives are the process's.
    let life = name
        .strip_prefix("ActorRef(slot 2, life ")
        .and_then(|rest| rest.strip_suffix(')'));
    let life: u32 = life.unwrap().parse().unwrap();
    let thing = format!("ActorRef<Thing>(slot 2, life {life})");
    assert_eq!(format!("{actor:?}"), thing);
    let reference = NativeActorRef::new(&mut level, Some(actor.any()));
    assert_eq!(
        format!("{reference:?}"),
        format!("NativeActorRef(Thing, slot 2, life {life})")
    );
    reference.clear();
    assert_eq!(format!("{reference:?}"), "NativeActorRef(none)");
    let list = ActorList::from_iter([actor]);
    let mut map = ActorMap::<u32>::default();
    map.insert(actor.any(), 7);
    let mut set = ActorSet::default();
    set.insert(actor.any());
    assert_eq!(
        format!("{list:?} {map:?} {set:?}"),
        format!("[Some({thing})] {{{name}: 7}} {{{name}}}")
    );
    let (class, object) = (AnyClass::from(Thing::class()), AnyClass::from(NativeActorRef::class()));
    assert_eq!(format!("{class:?}"), "Actor(ActorClass(Test.Thing))");
    assert!(format!("{object:?}").starts_with("Object(Class(Acedia.NativeActorRef"));
    assert_eq!(
        format!("{} {:>12}", Thing::class(), Thing::class()),
        "Test.Thing   Test.Thing"
    );
    assert_eq!(format!("{:?}", level.all::<Thing>()), "Cursor(Test.Thing, after None)");
    assert_eq!(format!("{:?}", Floor::Actor(actor.any())), format!("Actor({name})"));
    let printed = format!("{recorder:?}");
    assert!(
        printed.starts_with(r#"["P1 + Thing2", "Q3 Thing2.native InitPhysics()", "#),
        "{printed}"
    );
    assert_eq!(
        recorder.take().len(),
        printed.matches("Thing2").count(),
        "it keeps them"
    );
    assert_eq!(format!("{:?}", Recorder::default()), "[]");
}

#[test]
fn values_are_told_by_their_names() {
    assert_eq!(format!("{:?} {}", Name::new("Guard"), Name::NONE), "'Guard' None");
    assert_eq!(
        format!("{:?}", BoxZones::default()),
        "BoxZones { zones: [], numbered: [], volumes: [] }"
    );
    assert_eq!(format!("{:?}", Vector::default()), "Vector { x: 0.0, y: 0.0, z: 0.0 }");
    for rules in all_rules() {
        let name = rules.generation.to_string();
        assert_eq!(name.parse::<Rules>().unwrap(), rules);
    }
    assert_eq!(format!("{:?} {:<4}|", Generation::Ue1, Generation::Ue1), "Ue1 ue1 |");
    assert_eq!(
        "ue4".parse::<Rules>().unwrap_err().to_string(),
        "no rules are named `ue4`; the names are ue1, ue2 and ue3"
    );
}
