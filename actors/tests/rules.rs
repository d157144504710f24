//! Flips each rule alone: which lines of a long transcript change.

mod common;
mod scenario;

use std::collections::BTreeSet;

use acedia_actors::{
    Actor, ClassBuilder, Function, GameInfo, Generation, Missing, Mutator, NetEvent, PlayerClass, PlayerController,
    PlayerPawn, PostBeginPlaySlot, Recorder, Relevancy, Repeat, Rules, Spawn, Stage, Verdict, actor,
};
use common::*;
use scenario::{kinds, scenes};

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

// A mutator for which everything is super-relevant.
define! { Friend "Test.Friend" {} |class| {
    class.check_replacement(|_, _| Verdict {
        keep: true,
        super_relevant: true,
    });
} }

// A game that filters everything out.
define! { Desert "Test.Desert" {} |class| { class.passes_filters(|_, _| false); } }

/// Lines of `new` that `old` lacks (`+`), and of `old` that `new` lacks (`-`).
fn difference(old: &[String], new: &[String]) -> Vec<String> {
    let without = |one: &[String], other: &[String], sign: char| -> Vec<String> {
        let mut rest = other.to_vec();
        let lines = one.iter().filter(|line| {
            let place = rest.iter().position(|it| it == *line);
            place.map(|place| rest.swap_remove(place)).is_none()
        });
        lines.map(|line| format!("{sign} {line}")).collect()
    };
    [without(old, new, '-'), without(new, old, '+')].concat()
}

const KINDS: &[scenario::Kind] = kinds!(
    Blocker Boulder Crate Crew Desert Friend Game GameInfo Judge Keeper Mutator Notified Notify Pillar PlayerController PlayerPawn Thing
    Toucher
);

/// Everything that a rule can change.
fn transcript(rules: &Rules) -> Vec<String> {
    let mut seen = scenes(include_str!("scenarios/rules.txt"), KINDS, rules);
    let (mut level, _, _) = furnished(rules.clone());
    let template = level.spawn::<Sheet>(Spawn::new()).unwrap();
    level.get_mut(template).unwrap().0 = 7;
    let copy = level.spawn::<Sheet>(Spawn::new().template(template)).unwrap();
    seen.push(format!("sheet: copy {}", level.get(copy).unwrap().0));
    let is_set = level.set_timer_of(copy, &TURN, 1.0, Repeat::Once);
    seen.push(format!("sheet: timer of a function {is_set}"));
    seen
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
        ue2.no_base_mutator = Missing::Keep; "- judge: spawn b Thing? Destroyed" "+ judge: spawn b Thing? yes"
        ue2.no_game = Missing::AccessedNone; "- judge: spawn a Thing? yes" "+ judge: spawn a Thing? Destroyed"
        ue2.static_is_relevant = true; "+ judge: spawn c Pillar? yes"
        ue2.shut_down = true; "+ judge: 1.6 Boulder.ShutDown()"
        ue2.spawn_parameters = true; "+ room: spawn b Crate at 0 0 -500 no_collision_fail? yes" "+ sheet: copy 7"
        ue2.warn_no_room = true;
            "+ room: ! spawn failed because there is no room for a Test.Crate; spawn it elsewhere, or with `no_collision_fail`"
        ue2.ran_into = false; "- push: Q9 Blocker.RanInto(Blocker)"
        ue2.touch_limit = Some(2); "- touch: touching a? b c d e f" "+ touch: touching a? b c"
        ue2.state_arguments = true; "+ states: 1.10 Thing.EndState(Busy)"
        ue2.state_stack = true; "+ states: push a Idle? yes" "+ states: 1.10 Thing.PushedState()"
        ue2.named_timers = true; "- sheet: timer of a function false" "+ sheet: timer of a function true"
        ue2.forced_states = true; "+ states: 1.10 Thing.EndState()" "+ states: 1.10 Thing.BeginState()"
        ue2.net_event = NetEvent::ReplicatedEvent;
            "- net: 1.14 Notified.PostNetReceive()" "+ net: 1.14 Notified.ReplicatedEvent(Health)"
        ue2.net_initial_rotation = false; "+ net: rotation r? 1 2 3"
        ue2.player_class = PlayerClass::PlayerPawn; "+ net: connect p? yes" "+ net: connect c? no"
        ue2.level_name = "WorldInfo"; "+ life: named info? WorldInfo0"
        ue2.depth_limit = 20; "- life: K3 Thing.Destroyed()"
        ue2.stack_limit = 16 << 10; "- life: K3 Thing.Destroyed()"
        ue2.min_dead = 9; "- life: named crew? none"
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
        for line in transcript(&rules) {
            // `scene: row what`; others are answers and warnings.
            let row = line.split_once(": ").unwrap().1.split_once(' ').unwrap().0.to_owned();
            let is_row = row.starts_with(['P', 'Q', 'L', 'K', '1']) && row.ends_with(|c: char| c.is_ascii_digit());
            seen.extend(is_row.then_some(row));
        }
    }
    assert_eq!(seen, documented());
}
