//! Each rule, flipped alone: what of a long transcript changes by it.

mod common;

use std::collections::BTreeSet;

use acedia_actors::world::BoxZones;
use acedia_actors::{
    Aabb, Actor, ClassBuilder, Event, Function, GameInfo, Generation, Level, Missing, Mutator, Name, NetEvent, NetMode,
    PlayerClass, PlayerController, PlayerPawn, PostBeginPlaySlot, Recorder, Relevancy, Repeat, Role, Rotator, Rules,
    Spawn, Stage, Vector, Verdict, actor,
};
use common::*;

probe!(Pillar, "Test.Pillar", |class| class.defaults(|it| it.is_static = true));
probe!(Boulder, "Test.Boulder", |class| class
    .defaults(|it| it.no_delete = true));
probe!(Crate, "Test.Crate", |class| class
    .defaults(|it| it.collide_world = true));
probe!(Notified, "Test.Notified", |class| class
    .defaults(|it| it.net_notify = true));

static TURN: Function<Sheet> = Function::new("Turn");

/// Can be copied.
#[derive(Clone, Default)]
struct Sheet(u32);
impl Actor for Sheet {
    actor!(Sheet, "Test.Sheet");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.function(&TURN, |cx, ()| cx.0 += 1);
    }
    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }
}

/// A mutator for which everything is super-relevant.
#[derive(Default)]
struct Friend;
impl Actor for Friend {
    actor!(Friend, "Test.Friend");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.check_replacement(|_, _| Verdict {
            keep: true,
            super_relevant: true,
        });
    }
}

/// A game that filters everything out.
#[derive(Default)]
struct Desert;
impl Actor for Desert {
    actor!(Desert, "Test.Desert");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.passes_filters(|_, _| false);
    }
}

/// A transcript, scene by scene.
#[derive(Default)]
struct Transcript(Vec<String>);

impl Transcript {
    fn note(&mut self, scene: &str, what: &str, answer: impl std::fmt::Debug) {
        self.0.push(format!("{scene}: {what} = {answer:?}"));
    }

    /// Keeps the events and the warnings of a scene.
    fn end(&mut self, scene: &str, level: &mut Level, recorder: &Recorder) {
        script(|_, _, _| ());
        self.0
            .extend(steps(recorder).iter().map(|step| format!("{scene}: {step}")));
        let warnings = level.take_warnings();
        self.0
            .extend(warnings.iter().map(|warning| format!("{scene}: ! {warning}")));
    }
}

/// Lines of `new` that `old` has not (`+`), and the other way round (`-`).
fn difference(old: &Transcript, new: &Transcript) -> Vec<String> {
    let without = |one: &Transcript, other: &Transcript, sign: char| -> Vec<String> {
        let mut rest = other.0.clone();
        let lines = one.0.iter().filter(|line| {
            let place = rest.iter().position(|it| it == *line);
            place.map(|place| rest.swap_remove(place)).is_none()
        });
        lines.map(|line| format!("{sign} {line}")).collect()
    };
    [without(old, new, '-'), without(new, old, '+')].concat()
}

/// Everything that a rule can change.
fn transcript(rules: &Rules) -> Transcript {
    let mut it = Transcript::default();
    life(rules, &mut it);
    start(rules, &mut it);
    relevancy(rules, &mut it);
    room(rules, &mut it);
    touching(rules, &mut it);
    states(rules, &mut it);
    net(rules, &mut it);
    it
}

fn life(rules: &Rules, it: &mut Transcript) {
    let (mut level, recorder, keeper) = furnished(rules.clone());
    let spawn = Spawn::new().owned_by(keeper).at(Vector::new(0.0, 0.0, 22.0));
    let crew = level.spawn::<Crew>(spawn).unwrap();
    let info = level.level_info().and_then(|info| level.name(info));
    it.note("life", "level", info);
    let rider = level.spawn::<Thing>(Spawn::new()).unwrap();
    level.set_base(rider, Some(crew.any()));
    level.set_owner(rider, Some(crew.any()));
    for place in [Vector::new(-200.0, 0.0, 22.0), Vector::new(0.0, 0.0, 22.0)] {
        level.set_location(crew, place);
    }
    level.destroy(crew);
    it.note("life", "name of the dead", level.name(crew).is_some());
    // As many `destroyed` in each other as there may be.
    let thing = level.spawn::<Thing>(Spawn::new()).unwrap();
    script(|hand, event, _| _ = event == Event::Destroyed && hand.destroy());
    level.destroy(thing);
    it.end("life", &mut level, &recorder);
}

fn start(rules: &Rules, it: &mut Transcript) {
    let (mut level, recorder) = unbegun(rules.clone());
    script(|hand, event, _| {
        if event == Event::PreBeginPlay && hand.is("Keeper") {
            hand.others().spawn::<Thing>(Spawn::new());
        }
    });
    level.set_world(ground());
    let (zone, volume) = (level.place::<Zone>(Spawn::new()), level.place::<Volume>(Spawn::new()));
    let here = Aabb::new(Vector::new(-9.0, -9.0, 0.0), Vector::new(9.0, 9.0, 99.0));
    let mut zones = BoxZones::default();
    zones
        .add_zone(zone.unwrap(), here, 0)
        .add_volume(volume.unwrap(), here, 0);
    level.set_zones(zones);
    let (game, mutator) = (level.place::<Game>(Spawn::new()), level.place::<Judge>(Spawn::new()));
    level.set_game(game.unwrap());
    level.add_mutator(mutator.unwrap());
    level.place::<Keeper>(Spawn::new()).unwrap();
    level
        .place::<Crew>(Spawn::new().at(Vector::new(0.0, 0.0, 22.0)))
        .unwrap();
    level.begin_play("");
    it.end("start", &mut level, &recorder);
}

fn relevancy(rules: &Rules, it: &mut Transcript) {
    let (mut level, recorder) = level(rules.clone());
    it.note("judge", "no game", level.spawn::<Thing>(Spawn::new()).is_some());
    let game = level.place::<Game>(Spawn::new()).unwrap();
    level.set_game(game);
    it.note("judge", "no mutator", level.spawn::<Thing>(Spawn::new()).is_some());
    let judge = level.place::<Judge>(Spawn::new()).unwrap();
    level.add_mutator(judge);
    when(Event::CheckReplacement, |hand, _| hand.answer_yes());
    level.settings_mut().editor = true;
    it.note("judge", "static", level.spawn::<Pillar>(Spawn::new()).is_some());
    it.note("judge", "lasting", level.spawn::<Boulder>(Spawn::new()).is_some());
    it.end("judge", &mut level, &recorder);

    let (mut level, recorder) = common::level(rules.clone());
    let (game, friend) = (level.place::<Desert>(Spawn::new()), level.place::<Friend>(Spawn::new()));
    level.set_game(game.unwrap());
    level.add_mutator(friend.unwrap());
    it.note("judge", "super", level.spawn::<Thing>(Spawn::new()).is_some());
    it.end("judge", &mut level, &recorder);
}

/// A level with a judge that keeps every actor.
fn judged(rules: &Rules) -> (Level, Recorder) {
    let (mut level, recorder) = level(rules.clone());
    let (game, mutator) = (
        level.place::<GameInfo>(Spawn::new()),
        level.place::<Mutator>(Spawn::new()),
    );
    level.set_game(game.unwrap());
    level.add_mutator(mutator.unwrap());
    (level, recorder)
}

fn room(rules: &Rules, it: &mut Transcript) {
    let (mut level, recorder) = judged(rules);
    level.set_world(ground());
    let deep = Spawn::new().at(Vector::new(0.0, 0.0, -500.0));
    it.note("room", "none", level.spawn::<Crate>(deep).is_some());
    it.note(
        "room",
        "forced",
        level.spawn::<Crate>(deep.no_collision_fail()).is_some(),
    );
    let template = level.spawn::<Sheet>(Spawn::new()).unwrap();
    level.get_mut(template).unwrap().0 = 7;
    let copy = level.spawn::<Sheet>(Spawn::new().template(template)).unwrap();
    it.note("room", "copy", level.get(copy).unwrap().0);
    it.end("room", &mut level, &recorder);
}

fn touching(rules: &Rules, it: &mut Transcript) {
    let (mut level, recorder) = judged(rules);
    let touchers: Vec<_> = (0..6).map(|_| level.spawn::<Toucher>(Spawn::new()).unwrap()).collect();
    let touched = touchers.iter().filter(|other| level.is_touching(touchers[0], **other));
    it.note("touch", "how many", touched.count());
    it.end("touch", &mut level, &recorder);

    let (mut level, recorder) = judged(rules);
    level.set_world(Pushy::default());
    level.spawn::<Blocker>(Spawn::new()).unwrap();
    level.spawn::<Blocker>(Spawn::new()).unwrap();
    it.end("push", &mut level, &recorder);
}

fn states(rules: &Rules, it: &mut Transcript) {
    let (mut level, recorder) = judged(rules);
    let thing = level.spawn::<Thing>(Spawn::new()).unwrap();
    level.goto_state(thing, "Busy");
    let _ = recorder.take();
    level.force_state(thing, "Busy");
    it.note("states", "forced", recorder.take().len());
    it.note("states", "pushed", level.push_state(thing, "Idle"));
    level.goto_state(thing, "Idle");
    level.goto_state(thing, "Busy");
    let sheet = level.spawn::<Sheet>(Spawn::new()).unwrap();
    it.note(
        "states",
        "timer of a function",
        level.set_timer_of(sheet, &TURN, 1.0, Repeat::Once),
    );
    it.end("states", &mut level, &recorder);
}

fn net(rules: &Rules, it: &mut Transcript) {
    let (mut level, recorder) = judged(rules);
    level.spawn::<Notify>(Spawn::new()).unwrap();
    for (what, connected) in [
        ("pawn", {
            let player = level.spawn::<PlayerPawn>(Spawn::new()).unwrap();
            level.connect(player)
        }),
        ("controller", {
            let player = level.spawn::<PlayerController>(Spawn::new()).unwrap();
            level.connect(player)
        }),
    ] {
        it.note("net", what, connected);
    }
    let _ = recorder.take();
    level.settings_mut().net_mode = NetMode::Client;
    let turned = Some(Rotator::new(1, 2, 3));
    let received = level.receive::<Notified>(Vector::default(), turned).unwrap();
    it.note("net", "rotation", level.rotation(received));
    it.note(
        "net",
        "role",
        level.properties(received).map(|it| it.role) == Some(Role::Dumb),
    );
    level.finish_receive(received, &[Name::new("Health")]);
    it.end("net", &mut level, &recorder);
}

/// A rule: its name, the preset that is taken, how it is flipped, and lines that come or go by it.
type Flip = (&'static str, Rules, fn(&mut Rules), &'static [&'static str]);

macro_rules! flips {
    ($($preset:ident.$rule:ident = $value:expr; $($line:literal)*)+) => {
        vec![$((
            stringify!($rule),
            Rules::$preset(),
            (|rules| rules.$rule = $value) as fn(&mut Rules),
            &[$($line),*] as &[&str],
        )),+]
    };
}

fn flips() -> Vec<Flip> {
    flips! {
        ue2.generation = Generation::Ue3; // Only says where the others were taken from.
        ue2.spawned = true; "+ life: Q5 Crew.Spawned()"
        ue2.native_spawned = false; "- life: Q5 Crew.native Spawned()"
        ue2.begin_play = false; "- life: Q7 Crew.BeginPlay()" "- start: L4 Keeper.BeginPlay()"
        ue3.post_begin_play_slot = PostBeginPlaySlot::BeforeInitialState;
            "- life: Q14 Crew.PostBeginPlay()" "+ life: Q11 Crew.PostBeginPlay()"
        ue2.post_net_begin_play = false; "- life: Q14 Crew.PostNetBeginPlay()" "- start: L8 Keeper.PostNetBeginPlay()"
        ue2.native_post_begin_play = false; "- life: Q10 Crew.native PostBeginPlay()"
        ue2.zones = false; "- life: Q8 Crew.ZoneChange(Zone)"
        ue2.volumes = false; "- life: Q8 Volume.ActorEnteredVolume(Crew)"
        ue2.physics_init = false; "- life: Q3 Crew.native InitPhysics()"
        ue1.spawn_notify = false; "- life: Q15 Notify.SpawnNotification(Crew)"
        ue1.spawn_notify_received = true; "+ net: Q15 Notify.SpawnNotification(Notified)"
        ue2.script_initialized = false; "+ start: L7 Thing.PostBeginPlay()"
        ue2.relevancy = Relevancy::GameIsRelevant; "- life: 1.6 Judge.CheckRelevance(Crew)" "+ life: 1.6 Game.IsRelevant(Crew)"
        ue2.super_relevant = true; "+ life: 1.6 Game.native PassesFilters(Crew)"
        ue2.no_base_mutator = Missing::Keep; "- judge: no mutator = false" "+ judge: no mutator = true"
        ue2.no_game = Missing::AccessedNone; "- judge: no game = true" "+ judge: no game = false"
        ue2.static_is_relevant = true; "+ judge: static = true"
        ue2.shut_down = true; "+ judge: 1.6 Boulder.ShutDown()"
        ue2.spawn_parameters = true; "+ room: forced = true" "+ room: copy = 7"
        ue2.warn_no_room = true;
            "+ room: ! spawn failed because there is no room for a Test.Crate; spawn it elsewhere, or with `no_collision_fail`"
        ue2.ran_into = false; "- push: Q9 Blocker.RanInto(Blocker)"
        ue2.touch_limit = Some(2); "- touch: how many = 5" "+ touch: how many = 2"
        ue2.state_arguments = true; "+ states: 1.10 Thing.EndState(Busy)"
        ue2.state_stack = true; "+ states: pushed = true" "+ states: 1.10 Thing.PushedState()"
        ue2.named_timers = true; "- states: timer of a function = false" "+ states: timer of a function = true"
        ue2.forced_states = true; "- states: forced = 0" "+ states: forced = 2"
        ue2.net_event = NetEvent::ReplicatedEvent;
            "- net: 1.14 Notified.PostNetReceive()" "+ net: 1.14 Notified.ReplicatedEvent(Health)"
        ue2.net_initial_rotation = false; "+ net: rotation = Some(Rotator { pitch: 1, yaw: 2, roll: 3 })"
        ue2.player_class = PlayerClass::PlayerPawn; "+ net: pawn = true" "+ net: controller = false"
        ue2.level_name = "WorldInfo"; "+ life: level = Some(\"WorldInfo0\")"
        ue2.depth_limit = 20; "- life: K3 Thing.Destroyed()"
        ue2.stack_limit = 16 << 10; "- life: K3 Thing.Destroyed()"
        ue2.min_dead = 9; "- life: name of the dead = false" "+ life: name of the dead = true"
    }
}

#[test]
fn each_rule_changes_what_it_says_and_can_be_flipped_alone() {
    let presets = all_rules().map(|rules| (transcript(&rules), rules));
    // Under Miri, addresses do not follow the stack.
    let flips = flips()
        .into_iter()
        .filter(|(name, ..)| !(cfg!(miri) && *name == "stack_limit"));
    for (name, base, flip, expected) in flips.step_by(if cfg!(miri) { 9 } else { 1 }) {
        let (before, _) = presets.iter().find(|(_, rules)| *rules == base).unwrap();
        let mut flipped = base;
        flip(&mut flipped);
        let changes = difference(before, &transcript(&flipped));
        for line in expected {
            assert!(
                changes.iter().any(|it| it == line),
                "{name}: no `{line}` in {changes:#?}"
            );
        }
        assert_eq!(changes.is_empty(), expected.is_empty(), "{name}: {changes:#?}");
    }
}

#[test]
fn no_rule_is_missing_from_the_table() {
    let printed = format!("{:#?}", Rules::ue2());
    let fields = printed
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(':'));
    let fields: Vec<_> = fields
        .map(|(name, _)| name)
        .filter(|name| !name.starts_with(' '))
        .collect();
    let names: Vec<_> = flips().into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, fields);
}

#[test]
fn presets_differ_in_what_happens() {
    let [one, two, three] = all_rules().map(|rules| transcript(&rules));
    for (old, new) in [(&one, &two), (&two, &three), (&one, &three)] {
        assert!(difference(old, new).len() > 10);
    }
    assert!(difference(&two, &transcript(&Rules::default())).is_empty());
}

/// The rows of the table of steps with events, in the crate's documentation.
fn documented() -> BTreeSet<String> {
    let text = include_str!("../src/lib.rs");
    let table = text.split_once("//! # Steps").unwrap().1;
    let table = table.split_once("All other steps send no event").unwrap().0;
    let rows = table
        .lines()
        .filter_map(|line| line.strip_prefix("//! | ")?.split_once(" |"));
    let rows = rows.map(|(rows, _)| rows).filter(|rows| *rows != "Row");
    rows.flat_map(|rows| rows.split(", ")).map(str::to_owned).collect()
}

#[test]
fn the_rows_of_traces_are_those_of_the_documentation() {
    let mut seen = BTreeSet::new();
    let mut level = level(Rules::ue2()).0;
    let recorder = Recorder::default();
    level.set_sink(recorder.clone());
    level.spawn::<Thing>(Spawn::new()).unwrap();
    level.tick(0.1);
    let sheet = level.spawn::<Sheet>(Spawn::new()).unwrap();
    level.call(sheet, &TURN, ());
    seen.extend(recorder.take().into_iter().map(|trace| trace.row.to_owned()));
    for rules in all_rules() {
        for line in transcript(&rules).0 {
            // `scene: row what`; others are answers and warnings.
            let row = line.split_once(": ").unwrap().1.split_once(' ').unwrap().0.to_owned();
            let is_row = row.starts_with(['P', 'Q', 'L', 'K', '1']) && row.ends_with(|c: char| c.is_ascii_digit());
            seen.extend(is_row.then_some(row));
        }
    }
    assert_eq!(seen, documented());
}
