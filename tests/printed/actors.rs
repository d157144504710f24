//! Levels, actors, and references to them.

use acedia_actors::world::{BoxZones, CylinderGrid, Floor, Nowhere};
use acedia_actors::*;

use crate::shown::Shown;

static OPEN: Function<Door> = Function::new("Open");

/// Prints the values that only handlers get.
#[derive(Debug, Default)]
struct Door;

impl Actor for Door {
    actor!(Door, "Printed.Door");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        let printed = format!("{class:?}");
        assert_eq!(printed, "ClassBuilder(Printed.Door, printed::actors::Door)");
        let printed = format!("{:?}", class.state("Open"));
        assert_eq!(printed, "StateBuilder(Printed.Door, Open)");
        class.state("Open").code(|code| {
            assert_eq!(format!("{:?}", code.sleep(1.0)), "CodeBuilder(1 steps, 0 labels)");
            code.run(|cx| assert!(format!("{cx:?}").ends_with(", code)")));
        });
        class.function(&OPEN, |cx, ()| assert!(format!("{cx:?}").ends_with(", Open)")));
        class.pre_begin_play(|cx| {
            cx.call(&OPEN, ());
            let mut shown = Shown::default();
            shown
                .debug("Cx", cx, "Cx(Door…, PreBeginPlay)")
                .debug("Others", &cx.others, "Others { rules: …")
                .debug("Inherited", &cx.inherited(), "Inherited(Door…, PreBeginPlay)");
            shown.is_right();
        });
    }
}

fn levels(shown: &mut Shown) {
    let mut level = Level::new(Rules::ue2());
    let recorder = Recorder::default();
    level.begin_play("");
    level.set_sink(recorder.clone());
    let door = level.spawn::<Door>(Spawn::new().tag("Gate")).unwrap();
    level.set_timer(door, 2.0, Repeat::Once);
    let (mut set, mut map) = (ActorSet::default(), ActorMap::default());
    set.insert(door);
    map.insert(door, 1);
    shown
        .debug(
            "Level",
            &level,
            "Level { rules: Ue2, has_begun: true, actors: 3, dead: 0, depth: 0, warnings: 0, .. }",
        )
        .debug(
            "SavedLevel",
            &Level::new(Rules::ue2()).save().unwrap(),
            "SavedLevel(ue2, 2 actors)",
        )
        .both(
            "SaveError",
            &level.save().unwrap_err(),
            "SaveError { actor: \"Door2\", class: \"Printed.Door\", field: \"\", reason: … }",
            "actor Door2 of Printed.Door: its class is not saved: call `class.saved()` in `describe`",
        )
        .debug("ActorRef", &door, "ActorRef<Door>(…)")
        .debug(
            "Timer",
            &level.timer(door).unwrap(),
            "Timer { rate: 2.0, count: 0.0, repeat: Once, is_paused: false }",
        )
        .debug(
            "NativeActorRef",
            &NativeActorRef::new(&mut level, Some(door.any())),
            "NativeActorRef(Door, …)",
        )
        .debug("ActorList", &ActorList::from_iter([door]), "[Some(ActorRef<Door>(…))]")
        .debug("ActorSet", &set, "{ActorRef<Door>(…)}")
        .debug("ActorMap", &map, "{ActorRef<Door>(…): 1}")
        .debug("Cursor", &level.all::<Door>(), "Cursor(Printed.Door, after None)")
        .debug(
            "Recorder",
            &recorder,
            "[\"P1 + Door2\", \"Q3 Door2.native InitPhysics()\", …]",
        )
        .both(
            "Trace",
            &recorder.take()[1],
            "Trace { depth: 0, row: \"Q3\", on: \"Door2\", state: 'None', happening: Event { event: InitPhysics, argument: None } }",
            "Q3 Door2.native InitPhysics()",
        )
        .both("Happening", &Happening::Made, "Made", "made")
        .both("Event", &Event::Touch, "Touch", "Touch")
        .debug(
            "Properties",
            level.properties(door).unwrap(),
            "Properties { tag: 'Gate', …physics: None, role: Authority, … }",
        )
        .debug(
            "Spawn",
            &Spawn::new().tag("Gate"),
            "Spawn { owner: None, tag: 'Gate', location: None, … }",
        )
        .debug(
            "SpawnEx",
            &SpawnEx::default(),
            "SpawnEx { name: 'None', spawn: Spawn { … }, instigator: None, … }",
        )
        .debug(
            "Settings",
            &Settings::default(),
            "Settings { net_mode: Standalone, detail_mode: High, drop_detail: false, editor: false }",
        );
    let mut zones = BoxZones::default();
    zones.add_zone(door, Aabb::default(), 0);
    let mut grid = CylinderGrid::new(64.0);
    grid.add_solid(Aabb::default());
    shown
        .debug(
            "world::BoxZones",
            &zones,
            "BoxZones { zones: [Place { actor: ActorRef(…), bounds: Aabb { … }, priority: 0 }], … }",
        )
        .debug(
            "world::CylinderGrid",
            &grid,
            "CylinderGrid { cell: 64.0, solids: 1, actors: 0, .. }",
        )
        .debug("world::Floor", &Floor::World, "World")
        .debug("world::Nowhere", &Nowhere, "Nowhere");
}

fn values(shown: &mut Shown) {
    shown
        .both("ActorClass", Door::class(), "ActorClass(Printed.Door)", "Printed.Door")
        .both(
            "AnyClass",
            &AnyClass::from(Door::class()),
            "Actor(ActorClass(Printed.Door))",
            "Printed.Door",
        )
        .both("Name", &Name::new("Gate"), "'Gate'", "Gate")
        .both(
            "Vector",
            &Vector::new(1.0, 2.5, 0.0),
            "Vector { x: 1.0, y: 2.5, z: 0.0 }",
            "(1, 2.5, 0)",
        )
        .both(
            "Rotator",
            &Rotator::new(1, 2, 3),
            "Rotator { pitch: 1, yaw: 2, roll: 3 }",
            "(1, 2, 3)",
        )
        .debug(
            "Cylinder",
            &Cylinder::default(),
            "Cylinder { radius: 22.0, half_height: 22.0 }",
        )
        .debug(
            "Aabb",
            &Aabb::default(),
            "Aabb { min: Vector { … }, max: Vector { … } }",
        );
    shown
        .both("Generation", &Generation::Ue2, "Ue2", "ue2")
        .both(
            "UnknownRules",
            &"ue4".parse::<Rules>().unwrap_err(),
            "UnknownRules(\"ue4\")",
            "no rules are named `ue4`; the names are ue1, ue2 and ue3",
        )
        .debug("Rules", &Rules::ue1(), "Rules { generation: Ue1, …")
        .debug("Function", &OPEN, "Function(Open)")
        .debug("Repeat", &Repeat::Once, "Once")
        .debug("Missing", &Missing::Keep, "Keep")
        .debug("NetEvent", &NetEvent::PostNetReceive, "PostNetReceive")
        .debug("NetMode", &NetMode::default(), "Standalone")
        .debug("DetailMode", &DetailMode::default(), "High")
        .debug("Physics", &Physics::default(), "None")
        .debug("PlayerClass", &PlayerClass::PlayerPawn, "PlayerPawn")
        .debug(
            "PostBeginPlaySlot",
            &PostBeginPlaySlot::BeforeInitialState,
            "BeforeInitialState",
        )
        .debug("Relevancy", &Relevancy::BaseMutator, "BaseMutator")
        .debug("Role", &Role::Authority, "Authority")
        .debug(
            "Verdict",
            &Verdict::KEEP,
            "Verdict { keep: true, super_relevant: false }",
        );
}

fn engine_classes(shown: &mut Shown) {
    shown
        .debug("LevelInfo", &LevelInfo, "LevelInfo")
        .debug("ZoneInfo", &ZoneInfo, "ZoneInfo")
        .debug("PhysicsVolume", &PhysicsVolume, "PhysicsVolume")
        .debug("Pawn", &Pawn, "Pawn")
        .debug("PlayerController", &PlayerController, "PlayerController")
        .debug("GameInfo", &GameInfo, "GameInfo")
        .debug("Mutator", &Mutator, "Mutator")
        .debug("PlayerPawn", &PlayerPawn::default(), "PlayerPawn { base: Pawn }")
        .debug(
            "SpawnNotify",
            &SpawnNotify::default(),
            "SpawnNotify { actor_class: None }",
        );
}

fn errors(shown: &mut Shown) {
    let mut level = Level::new(Rules::ue2());
    level.begin_play("");
    let sentence = "spawn failed because the location of a Printed.Door is not finite; check it for NaN";
    let unknown = load_actor_class("Printed.Dor").unwrap_err();
    let refused = level
        .try_spawn::<Door>(Spawn::new().at(Vector::new(f32::NAN, 0.0, 0.0)))
        .unwrap_err();
    shown
        .both(
            "ActorClassError",
            &unknown,
            "Unknown { name: \"Printed.Dor\", near: [\"Printed.Door\"] }",
            "no class of actors is named `Printed.Dor` (did you mean `Printed.Door`?)",
        )
        .both(
            "SpawnError",
            &refused,
            "Refused(NotFinite(ActorClass(Printed.Door)))",
            sentence,
        )
        .both(
            "Warning",
            level.warnings().last().unwrap(),
            "NotFinite(ActorClass(Printed.Door))",
            sentence,
        );
}

#[test]
fn actors_print() {
    let mut shown = Shown::default();
    levels(&mut shown);
    values(&mut shown);
    engine_classes(&mut shown);
    errors(&mut shown);
    shown.is_right();
}
