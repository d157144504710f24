//! Levels that are saved and restored.

mod common;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::net::IpAddr;

use acedia_actors::{
    Actor, ActorList, ActorMap, ActorRef, ActorSet, ClassBuilder, Function, Level, Name, Physics, PlayerController,
    Repeat, Rules, SavedLevel, Spawn, Stage, Vector, actor,
};
use common::{all_rules, define};
use serde::{Deserialize, Serialize};
use serde_json::Value;

static FUSE: Function<Robot> = Function::new("Fuse");

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Order {
    #[default]
    Wait,
    Say(String),
    Go(i32, i32),
    Carry {
        what: Vec<u8>,
    },
}

// Fields of all shapes.
define! { #[derive(Serialize, Deserialize)]
    Robot "Test.Robot" {
    beeps: u32,
    letter: char,
    exact: f64,
    single: f32,
    orders: Vec<Order>,
    friend: Option<ActorRef<Robot>>,
    team: ActorList<Robot>,
    scores: ActorMap<u32, Robot>,
    seen: ActorSet<Robot>,
    places: BTreeMap<u16, Vector>,
    nothing: (),
    pair: (Option<bool>, Name),
    #[serde(skip)]
    cache: u32,
} |class| {
    class.saved();
    class.defaults(|it| it.collide_actors = true);
    class.timer(|cx| cx.beeps += 1);
    class.function(&FUSE, |cx, ()| {
        cx.goto_state("Tired");
        cx.spawn::<Self>(
            Spawn::new()
                .at(cx.location() + Vector::new(1.0, 0.0, 0.0))
                .owned_by(cx.me()),
        );
    });
    class.state("Working").auto().code(|code| {
        code.label("Begin").sleep(0.7).run(|cx| cx.beeps += 10).goto("Begin");
    });
    class.state("Tired");
    class.state("Talking").code(|code| {
        code.sleep(0.4).run(|cx| cx.beeps += 100);
    });
} }

// Says nothing about being saved.
define! { Ghost "Test.SavedGhost" {} }

fn level(rules: Rules) -> Level {
    let mut level = Level::new(rules);
    level.begin_play("map?hard");
    let robot = |level: &mut Level, x: f32| {
        let spawn = Spawn::new().at(Vector::new(x, 0.0, 0.0));
        level.spawn::<Robot>(spawn).unwrap()
    };
    let robots = [0.0, 10.0, 500.0].map(|x| robot(&mut level, x));
    let gone = robot(&mut level, 900.0);
    level.destroy(gone);
    let [first, second, third] = robots;
    level.set_owner(second, Some(first.any()));
    level.set_base(third, Some(first.any()));
    level.set_instigator(third, Some(second.any()));
    level.properties_mut(third).unwrap().tag = Name::new("Last");
    level.set_timer(first, 0.5, Repeat::Looping);
    level.set_timer_of(third, &FUSE, 1.1, Repeat::Once);
    level.set_timer(third, 9.0, Repeat::Once);
    level.pause_timer(third, true);
    level.tick(0.3);
    level.push_state(second, "Talking");
    level.tick(0.05);
    let it = level.get_mut(first).unwrap();
    (it.letter, it.exact, it.single) = ('ß', 0.1 + 0.2, 0.1);
    it.orders = vec![
        Order::Wait,
        Order::Say("hey".into()),
        Order::Go(-1, 2),
        Order::Carry { what: vec![1, 255] },
    ];
    it.friend = Some(third);
    it.team = [third, gone, first].into_iter().collect();
    it.scores.insert(second, 12);
    it.scores.insert(gone, 13);
    it.seen.insert(third, ());
    it.places.insert(7, Vector::new(1.5, 2.0, 3.0));
    it.pair = (Some(true), Name::new("Left"));
    it.cache = 9;
    level
}

fn as_json(level: &Level) -> Value {
    serde_json::to_value(level.save().unwrap()).unwrap()
}

fn restored(rules: Rules, json: &Value) -> Level {
    let saved: SavedLevel = serde_json::from_str(&json.to_string()).unwrap();
    Level::restore(rules, &saved).unwrap()
}

fn robots(level: &Level) -> Vec<ActorRef<Robot>> {
    level.actors().filter_map(|actor| level.cast(actor)).collect()
}

#[test]
fn a_timer_that_is_not_due_soon_comes_back_with_its_count() {
    for rules in all_rules() {
        let mut before = Level::new(rules.clone());
        before.start();
        let robot = before.spawn::<Robot>(Spawn::new()).unwrap();
        before.goto_state(robot, "Tired");
        before.set_timer(robot, 10.0, Repeat::Looping);
        (0..8).for_each(|_| before.tick(0.25));
        let mut after = restored(rules, &as_json(&before));
        let robot = robots(&after)[0];
        assert_eq!(after.timer(robot).map(|timer| timer.count), Some(2.0));
        (0..31).for_each(|_| after.tick(0.25));
        assert_eq!(after.get(robot).unwrap().beeps, 0);
        after.tick(0.25);
        assert_eq!(after.get(robot).unwrap().beeps, 1);
    }
}

#[test]
fn a_wait_is_saved_to_the_last_digit() {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let robot = level.spawn::<Robot>(Spawn::new()).unwrap();
    level.set_timer(robot, 70_000.0, Repeat::Once);
    level.tick(69_999.0);
    let mut saved = restored(Rules::ue2(), &as_json(&level));
    let mut frames = 0;
    while level.timer(robot).is_some() {
        assert!(saved.timer(robots(&saved)[0]).is_some(), "early");
        saved = restored(Rules::ue2(), &as_json(&saved));
        // Less than half of the distance between two `f32` at this time.
        for level in [&mut level, &mut saved] {
            level.tick(1.0 / 300.0);
        }
        frames += 1;
        assert!(frames <= 300, "the seconds do not pass");
    }
    assert!(saved.timer(robots(&saved)[0]).is_none(), "late");
    assert!((299..=300).contains(&frames), "{frames} frames");
}

/// All that a level says of its actors, with names for references.
fn view(level: &Level) -> Vec<String> {
    let name = |actor: Option<ActorRef>| actor.and_then(|it| level.name(it));
    let names = |actors: Vec<ActorRef>| actors.into_iter().map(|it| name(Some(it))).collect::<Vec<_>>();
    let of = |it: ActorRef| {
        let (properties, at) = (level.properties(it).unwrap(), level.location(it).unwrap());
        let states = (
            level.state(it),
            level.paused_states(it),
            level.timer(it),
            properties,
            at,
        );
        let ties = [level.owner(it), level.base(it), level.instigator(it)].map(name);
        let near = [
            level.attached(it),
            level.touching(it),
            level.overlapping(properties.shape, at),
        ]
        .map(names);
        format!("{:?} {states:?} {ties:?} {near:?}", name(Some(it)))
    };
    level.actors().map(of).collect()
}

#[test]
fn everything_that_lasts_comes_back() {
    for rules in all_rules() {
        let before = level(rules.clone());
        let json = as_json(&before);
        let after = restored(rules, &json);
        assert_eq!(as_json(&after).to_string(), json.to_string(), "nothing is lost");
        assert_eq!((after.options(), after.has_begun()), ("map?hard", true));
        assert_eq!(view(&after), view(&before));
        let [first, second, third] = robots(&after)[..] else {
            unreachable!()
        };
        let (it, was) = (after.get(first).unwrap(), before.get(robots(&before)[0]).unwrap());
        assert_eq!((it.letter, &it.orders), (was.letter, &was.orders));
        let bits = |it: &Robot| (it.exact.to_bits(), it.single.to_bits());
        assert_eq!(bits(it), bits(was));
        assert_eq!((it.friend, &it.places, it.pair), (Some(third), &was.places, was.pair));
        let team = [0, 1, 2].map(|place| it.team.get(&after, place));
        assert_eq!(team, [Some(third), None, Some(first)], "the dead one is none");
        let scores = (it.scores.len(), it.scores.get(&after, second));
        assert_eq!(scores, (2, Some(&12)), "with a dead key");
        assert!(it.seen.len() == 1 && it.seen.get(&after, third).is_some());
        assert_eq!(it.cache, 0, "skipped");
    }
}

#[test]
fn a_level_before_play_begins_after_it_is_restored() {
    let mut before = Level::new(Rules::ue2());
    before.place::<Robot>(Spawn::new()).unwrap();
    let mut after = restored(Rules::ue2(), &as_json(&before));
    assert!(!after.has_begun() && after.start());
    let robot = robots(&after)[0];
    assert_eq!(after.state(robot), Name::new("Working"));
}

// References in all kinds of containers.
define! { #[derive(Serialize, Deserialize)]
    Widow "Test.SavedWidow" {
    missing: Option<ActorRef>,
    first: Option<ActorRef>,
    second: Option<ActorRef>,
    again: Option<ActorRef>,
    list: Vec<Option<ActorRef>>,
    names: std::collections::HashMap<ActorRef, u8>,
    map: ActorMap<u8>,
    set: ActorSet,
    team: ActorList,
} |class| { class.saved(); } }

#[test]
fn the_dead_stay_apart_from_the_missing_and_from_each_other() {
    let mut before = Level::new(Rules::ue2());
    before.start();
    let widow = before.spawn::<Widow>(Spawn::new()).unwrap();
    let [first, second] = [(); 2].map(|()| before.spawn::<Robot>(Spawn::new()).unwrap().any());
    before.destroy(first);
    before.destroy(second);
    let it = before.get_mut(widow).unwrap();
    (it.first, it.second, it.again) = (Some(first), Some(second), Some(first));
    it.list = vec![None, Some(second), Some(widow.any())];
    it.names = [(first, 1), (second, 2), (widow.any(), 3)].into();
    for (actor, number) in [(second, 2), (first, 1), (widow.any(), 3)] {
        it.map.insert(actor, number);
        it.set.insert(actor, ());
        it.team.extend([actor]);
    }
    let mut level = restored(Rules::ue2(), &as_json(&before));
    for _ in 0..3 {
        let widow = level.all::<Widow>().next(&level).unwrap();
        let it = level.get(widow).unwrap();
        let [first, second] = [it.first, it.second].map(Option::unwrap);
        assert!(it.missing.is_none() && it.again == Some(first) && first != second);
        assert!(!level.is_alive(first) && !level.is_alive(second));
        assert_eq!(it.list, [None, Some(second), Some(widow.any())]);
        assert_eq!(it.names, [(first, 1), (second, 2), (widow.any(), 3)].into());
        assert_eq!((it.map.len(), it.set.len(), it.team.len()), (3, 3, 3));
        assert_eq!(
            (it.map.get(&level, widow.any()), it.map.get(&level, first)),
            (Some(&3), None)
        );
        let json = as_json(&level);
        level = restored(Rules::ue2(), &json);
        assert_eq!(
            as_json(&level)["actors"][2]["fields"]["map"],
            json["actors"][2]["fields"]["map"]
        );
    }
}

#[test]
fn no_two_levels_of_a_process_give_the_same_reference() {
    let mut first = level(Rules::ue2());
    let dead = first.spawn::<Robot>(Spawn::new()).unwrap();
    first.destroy(dead);
    let (saved, live) = (first.save().unwrap(), robots(&first)[0]);
    let mut given: std::collections::HashSet<_> = first.actors().collect();
    let mut kept = Vec::new();
    // More levels than a byte can number.
    for round in 0..600 {
        let mut level = match round % 3 {
            0 => Level::restore(Rules::ue2(), &saved).unwrap(),
            _ => Level::new(Rules::ue2()),
        };
        level.begin_play("");
        for old in [dead, live] {
            assert!(!level.is_alive(old) && level.get(old).is_none() && level.name(old).is_none());
        }
        for actor in level.actors() {
            assert!(
                given.insert(actor) && !first.is_alive(actor),
                "{actor:?} in round {round}"
            );
        }
        for _ in 0..20 {
            let robot = level.spawn::<Robot>(Spawn::new()).unwrap();
            assert!(given.insert(robot.any()), "{robot:?} in round {round}");
            level.destroy(robot);
        }
        kept.extend((round % 7 == 0).then_some(level));
    }
    assert!(first.is_alive(live));
}

#[test]
fn what_cannot_be_saved_is_named() {
    let mut level = level(Rules::ue2());
    let ghost = level.spawn::<Ghost>(Spawn::new()).unwrap();
    let error = level.save().unwrap_err();
    let name = level.name(ghost).unwrap();
    assert_eq!(
        (error.actor(), error.class(), error.field()),
        (&*name, "Test.SavedGhost", "")
    );
    let expected =
        format!("actor {name} of Test.SavedGhost: its class is not saved: call `class.saved()` in `describe`");
    assert_eq!(error.to_string(), expected);
    level.destroy(ghost);
    let player = level.spawn::<PlayerController>(Spawn::new()).unwrap();
    assert!(level.save().is_ok() && level.connect(player));
    assert!(
        level
            .save()
            .unwrap_err()
            .to_string()
            .ends_with("it has a player who is connected over the network")
    );
    // Without its level, a reference has no meaning.
    assert!(serde_json::to_string(&player).is_err());
    assert!(serde_json::from_str::<ActorRef>("1").is_err());
    assert!(level.save().is_err(), "and an error leaves nothing behind");
    level.disconnect(player);
    assert!(level.save().is_ok());
}

/// The error of a restored level after a change of its data. The robots are at the places 2, 3 and 4.
fn refused(change: impl FnOnce(&mut Value)) -> String {
    let mut json = as_json(&level(Rules::ue3()));
    assert_eq!(json["actors"][2]["class"], "Test.Robot");
    change(&mut json);
    match serde_json::from_str::<SavedLevel>(&json.to_string()) {
        Err(error) => error.to_string(),
        Ok(saved) => Level::restore(Rules::ue3(), &saved).unwrap_err().to_string(),
    }
}

macro_rules! zoo {
    ($($field:ident: $type:ty = $value:expr;)+) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        struct Zoo {
            $($field: $type),+
        }
        impl Zoo {
            fn new() -> Self {
                Self { $($field: $value),+ }
            }
        }
    };
}
// A value of each kind that serde has, and of types with unusual forms.
zoo! {
    ints: (i8, i16, i32, i64, u8, u16, u32, u64) = (-1, -300, -70_000, i64::MIN, 255, 65_535, u32::MAX, u64::MAX);
    wide: (i128, u128) = (i64::MIN.into(), u64::MAX.into());
    floats: (f32, f64) = (0.1, 1e300);
    texts: (char, String, Label) = ('ß', "true\n\"7\" ~ null".into(), Label("7".into()));
    bytes: CString = CString::new([1, 255]).unwrap();
    units: ((), Unit) = ((), Unit);
    options: Vec<Option<u8>> = vec![None, Some(1)];
    orders: Vec<Order> = vec![Order::Wait, Order::Go(1, -2), Order::Carry { what: vec![] }];
    held: Vec<Held> = vec![Held::Nothing(()), Held::Maybe(None), Held::Maybe(Some(1))];
    by_pair: BTreeMap<(i32, i32), u8> = [((1, -2), 3)].into();
    by_number: BTreeMap<i64, Vector> = [(-7, Vector::default()), (i64::MAX, Vector::new(0.5, 1.0, 2.0))].into();
    by_option: BTreeMap<Option<u8>, u8> = [(None, 1), (Some(2), 2)].into();
    by_text: BTreeMap<Label, u8> = [(Label(String::new()), 1), (Label("7".into()), 2)].into();
    by_letter: BTreeMap<char, u8> = [('7', 1)].into();
    by_variant: BTreeMap<Held, u8> = [(Held::Nothing(()), 1), (Held::Maybe(Some(2)), 2)].into();
    by_unit: BTreeMap<(), u8> = [((), 1)].into();
    empty: BTreeMap<(i32, i32), u8> = BTreeMap::new();
    flat: Flat = Flat { rest: [(4, 1)].into() };
    tagged: Vec<Tagged> = vec![Tagged::Far { metres: 0.1 }, Tagged::Near];
    untagged: Vec<Untagged> =
        vec![Untagged::Number(-1), Untagged::Fraction(0.5), Untagged::Text("a".into()), Untagged::List(vec![1])];
    address: IpAddr = "::1".parse().unwrap();
    results: Vec<Result<u8, String>> = vec![Ok(1), Err("full".into())];
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Label(String);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Held {
    Nothing(()),
    Maybe(Option<u8>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    #[serde(flatten)]
    rest: BTreeMap<u32, u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Far { metres: f32 },
    Near,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Fraction(f32),
    Text(String),
    List(Vec<u8>),
}

define! { #[derive(Serialize, Deserialize)]
Keeper "Test.SavedKeeper" { zoo: Option<Zoo> } |class| { class.saved(); } }

/// Writes a level in a format, and reads it.
type Format = (&'static str, fn(&SavedLevel) -> SavedLevel);

const FORMATS: [Format; 6] = [
    ("JSON", |saved| {
        serde_json::from_str(&serde_json::to_string(saved).unwrap()).unwrap()
    }),
    ("RON", |saved| ron::from_str(&ron::to_string(saved).unwrap()).unwrap()),
    ("CBOR", |saved| {
        let mut bytes = Vec::new();
        ciborium::into_writer(saved, &mut bytes).unwrap();
        ciborium::from_reader(&bytes[..]).unwrap()
    }),
    ("MessagePack", |saved| {
        rmp_serde::from_slice(&rmp_serde::to_vec(saved).unwrap()).unwrap()
    }),
    ("MessagePack with names", |saved| {
        rmp_serde::from_slice(&rmp_serde::to_vec_named(saved).unwrap()).unwrap()
    }),
    ("postcard", |saved| {
        postcard::from_bytes(&postcard::to_stdvec(saved).unwrap()).unwrap()
    }),
];

#[test]
fn every_type_of_field_comes_back_in_every_format() {
    for rules in all_rules() {
        let mut before = level(rules.clone());
        let keeper = before.spawn::<Keeper>(Spawn::new()).unwrap();
        before.properties_mut(keeper).unwrap().physics = Physics::Falling;
        before.get_mut(keeper).unwrap().zoo = Some(Zoo::new());
        let json = as_json(&before);
        for (name, there_and_back) in FORMATS {
            let after = Level::restore(rules.clone(), &there_and_back(&before.save().unwrap())).unwrap();
            let keeper = after.all::<Keeper>().next(&after).unwrap();
            assert_eq!(after.get(keeper).unwrap().zoo, Some(Zoo::new()), "{name}");
            assert_eq!(as_json(&after), json, "{name}");
        }
    }
}

// A chain of fields, each in the one before.
define! { #[derive(Serialize, Deserialize)]
Chain "Test.SavedChain" { next: Option<Box<Chain>>, any: Wrapped } |class| { class.saved(); } }

/// A type that any value seems to fit.
#[derive(Default, Serialize, Deserialize)]
struct Wrapped(Option<Box<Wrapped>>);

const TOO_DEEP: &str = "lists, maps and `Some` are nested too deeply to be read back";

fn chain(links: u32) -> Level {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let actor = level.spawn::<Chain>(Spawn::new()).unwrap();
    for _ in 0..links {
        let it = level.get_mut(actor).unwrap();
        let next = it.next.take();
        it.next = Some(Box::new(Chain {
            next,
            ..Chain::default()
        }));
    }
    level
}

#[test]
fn fields_that_are_nested_too_deeply_are_not_saved() {
    // The readers of formats have limits of their own.
    let saved = chain(59).save().unwrap();
    for (name, there_and_back) in FORMATS {
        assert!(Level::restore(Rules::ue2(), &there_and_back(&saved)).is_ok(), "{name}");
    }
    for links in [60, 20_000] {
        let error = chain(links).save().unwrap_err();
        assert_eq!((error.actor(), error.class()), ("SavedChain2", "Test.SavedChain"));
        assert!(error.field().starts_with("next.next.next"), "{}", error.field());
        assert!(error.to_string().ends_with(TOO_DEEP), "{error}");
    }
    // A format without a limit of its own: lists of one list.
    let bytes = [vec![1, 1], [7, 1].repeat(200_000)].concat();
    let error = postcard::from_bytes::<SavedLevel>(&bytes).unwrap_err();
    assert_eq!(error, postcard::Error::SerdeDeCustom);
    let mut json = as_json(&chain(0));
    json["actors"][2]["fields"]["any"] = 7.into();
    let error = Level::restore(Rules::ue2(), &serde_json::from_value(json).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("actor SavedChain2 of Test.SavedChain: field `any`: {TOO_DEEP}")
    );
}

/// Types that can be written in some cases only, or not read.
#[derive(Default, Serialize, Deserialize)]
struct Lossy {
    /// Without `default`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<u8>,
    choice: Option<Choice>,
    #[allow(clippy::option_option, reason = "what is refused")]
    twice: Option<Option<u8>>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Choice {
    Cells { cells: BTreeMap<u8, u8> },
}

impl Actor for Lossy {
    actor!(Lossy, "Test.SavedLossy");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.saved();
    }
}

// A class of the same name as another.
define! { #[derive(Serialize, Deserialize)]
Twin "Test.SavedTwin" {} |class| { class.saved(); } }
mod other {
    #[derive(Default)]
    pub(super) struct Twin;
    impl acedia_actors::Actor for Twin {
        acedia_actors::actor!(Twin, "Test.SavedTwin");
    }
}

#[test]
fn what_could_not_be_restored_is_not_saved() {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let lossy = level.spawn::<Lossy>(Spawn::new()).unwrap();
    let refused = |level: &Level| {
        let error = level.save().unwrap_err();
        assert_eq!((error.actor(), error.class()), ("SavedLossy2", "Test.SavedLossy"));
        error.to_string()
    };
    assert_eq!(
        refused(&level),
        "actor SavedLossy2 of Test.SavedLossy: it could not be restored: missing field `skipped`"
    );
    level.get_mut(lossy).unwrap().skipped = vec![1];
    assert!(level.save().is_ok());
    level.get_mut(lossy).unwrap().choice = Some(Choice::Cells { cells: [(1, 2)].into() });
    let expected = "actor SavedLossy2 of Test.SavedLossy: field `choice`: it could not be restored: data did not match any variant";
    assert!(refused(&level).starts_with(expected), "{}", refused(&level));
    level.get_mut(lossy).unwrap().choice = None;
    level.get_mut(lossy).unwrap().twice = Some(None);
    assert_eq!(
        refused(&level),
        "actor SavedLossy2 of Test.SavedLossy: field `twice`: a `Some` that contains `None` or a unit can't be distinguished from `None`; use an enum"
    );
    level.destroy(lossy);
    level.spawn::<Twin>(Spawn::new()).unwrap();
    let _ = other::Twin;
    let error = level.save().unwrap_err().to_string();
    assert!(error.contains("`Test.SavedTwin`"), "{error}");
}

#[test]
fn numbers_that_are_not_finite_are_not_saved() {
    let mut level = level(Rules::ue2());
    let robot = robots(&level)[0];
    for number in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        let refused = |level: &Level, field: &str| {
            let error = level.save().unwrap_err();
            assert_eq!(
                (error.actor(), error.class(), error.field()),
                ("Robot2", "Test.Robot", field)
            );
            let what_to_do = "can't be saved; use a finite number or `None`, or `#[serde(skip)]` the field";
            assert!(error.to_string().ends_with(what_to_do), "{error}");
        };
        level.get_mut(robot).unwrap().single = number;
        refused(&level, "single");
        level.get_mut(robot).unwrap().single = 0.0;
        level.get_mut(robot).unwrap().exact = number.into();
        refused(&level, "exact");
        level.get_mut(robot).unwrap().exact = 0.0;
        level
            .get_mut(robot)
            .unwrap()
            .places
            .insert(8, Vector::new(0.0, number, 0.0));
        refused(&level, "places.8.y");
        level.get_mut(robot).unwrap().places.remove(&8);
        let shape = level.properties(robot).unwrap().shape;
        level.properties_mut(robot).unwrap().shape.radius = number;
        refused(&level, "properties.shape.radius");
        level.properties_mut(robot).unwrap().shape = shape;
        assert!(level.save().is_ok());
    }
}

/// Changes of the saved level, where `-` removes a key, and the errors: `@` stands for the first robot, and `…` for any text.
const REFUSALS: &str = r#"
    /actors/2/fields/single = 1e308 => @ field `single`: the number 1e308 is too large for an f32…
    /actors/2/fields/places/0/1/x = 1e308 => @ field `places.7.x`: the number 1e308 is too large for an f32…
    /actors/2/engine/properties = {"shape": {"radius": 1e308}} => @ field `properties.shape.radius`: the number 1e308 is too large for an f32…
    /actors/2/engine/location/x = -1e39 => @ field `location.x`: the number -1e39 is too large…
    /actors/2/engine/timers/0/wait/seconds = 1e308 => @ field `timers[0].wait.seconds`: the number 1e308 is too large for an f32…
    /actors/2/fields/beeps = "x" => @ field `beeps`: invalid type: string "x", expected u32
    /actors/2/fields/beeps = -1 => @ field `beeps`: invalid value: integer `-1`, expected u32
    /actors/2/fields/exact = null => @ field `exact`: invalid type: null, expected f64
    /actors/2/fields/baps = 1 => @ field `baps`: there is no such field
    /actors/2/fields/beeps = - => @ missing field `beeps`
    /actors/2/fields/orders/3/Carry/what/1 = 256 => @ field `orders[3].Carry.what[1]`: invalid value: integer `256`, expected u8
    /actors/2/fields/orders/0 = "Stay" => @ field `orders[0]`: unknown variant `Stay`, expected one of `Wait`, `Say`, `Go`, `Carry`
    /actors/2/fields/orders/0 = "Say" => @ field `orders[0].Say`: invalid type: unit variant, expected newtype variant
    /actors/2/fields/friend = 77 => @ field `friend`: no actor 77: the level has 5 actors
    /actors/2/fields/pair = [true, "a", 3] => @ field `pair`: invalid length 3, expected 2 elements in sequence
    /actors/2/fields/places = {"x": {"x": 1, "y": 2, "z": 3}} => @ field `places.x`: invalid type: string "x", expected u16
    /actors/2/fields/places = [[7]] => @ field `places`: expected a map, or a list of pairs of a key and a value
    /actors/2/fields/places = [7] => @ field `places`: expected a map, or a list of pairs of a key and a value
    /actors/2/fields = [1] => @ invalid length 1, expected struct Robot with 12 elements
    /actors/2/engine/state = "Workinh" => @ field `state`: the class has no state Workinh
    /actors/2/engine/code/step = 99 => @ field `code`: the code of the state has no step 99
    /actors/2/engine/owner = 3 => @ field `owner`: following `owner` from actor to actor leads back here
    /actors/2/engine/base = 2 => @ field `base`: following `base` from actor to actor leads back here
    /actors/2/engine/base = 3 => @ field `base`: actor 3 does not list this actor as attached
    /actors/2/engine/attached = [4, 4] => @ field `attached`: actor 4 is not based on this actor, or is listed twice
    /actors/2/engine/touching = [[4, true]] => @ field `touching`: actor 4 does not list this actor as touching
    /actors/2/engine/timers/0/wait = {"seconds": 0.0, "passed": 0.25} => @ field `timers`: invalid timer: 0 seconds, of which 0.25 have passed
    /actors/2/engine/timers/0/function = "Fues" => @ field `timers`: the class has no function Fues
    /actors/2/engine/age = 1 => @ field `age`: the ages must increase from actor to actor, and be less than `next_age`
    /actors/2/class = "Test.Robto" => actor Robot2 of Test.Robto: no class of actors is named `Test.Robto` (did you mean `Test.Robot`?)
    /actors/2/class = "Test.SavedGhost" => actor Robot2 of Test.SavedGhost: its class is not saved: call `class.saved()` in `describe`
    /version = 2 => the level was saved in version 2 of the format, but this program reads version 1
    /rules = "Ue2" => the level was saved with the rules ue2, but restored with ue3; pass the rules ue2
    /level/game = 9 => field `game`: no actor 9: the level has 5 actors
    /level/level_info = 2 => field `level_info`: expected an actor of the class Engine.LevelInfo
    /level/default_volume = 2 => field `default_volume`: expected a physics volume
    /level/next_age = 18446744073709551615 => field `next_age`: the age 18446744073709551615 is too large
    /actors/4/engine/instigator = 9 => actor Robot4 of Test.Robot: field `instigator`: no actor 9: the level has 5 actors
    /actors/2/engine/instigator = "dead 0" => @ field `instigator`: invalid value…
    /gmae = 1 => unknown field `gmae`…
    /actors/2/engine/ownr = 1 => @ field `ownr`: there is no such field
    /actors/2/engine/facts = ["Tikced"] => @ field `facts[0]`: unknown variant `Tikced`…
    /actors/2/engine/facts = ["Dead"] => @ field `facts[0]`: unknown variant `Dead`…
    /actors/2/engine/properties = {"tag": 1} => @ field `properties.tag`: invalid type: integer `1`, expected a string…
    /actors/2/engine/location/x = "far" => @ field `location.x`: invalid type: string "far", expected f32…
    /actors/2/engine/timers/0/repeat = "Twice" => @ field `timers[0].repeat`: unknown variant `Twice`…
    /actors/2/engine/owner = -1 => @ field `owner`: no actor -1: the level has 5 actors
    /actors/2/engine/facts = - => @ missing field `facts`…
    /actors/2/class = - => …field `class`…
"#;

#[test]
fn what_cannot_be_restored_is_named() {
    let mut wrong = Vec::new();
    for row in REFUSALS.lines().skip(1) {
        let (place, rest) = row.trim().split_once(" = ").unwrap();
        let (value, expected) = rest.split_once(" => ").unwrap();
        let error = refused(|json| {
            let (parent, key) = place.rsplit_once('/').unwrap();
            let parent = json.pointer_mut(parent).unwrap();
            match (value, key.parse::<usize>()) {
                ("-", _) => assert!(parent.as_object_mut().unwrap().remove(key).is_some()),
                (value, Ok(index)) => parent[index] = serde_json::from_str(value).unwrap(),
                (value, Err(_)) => parent[key] = serde_json::from_str(value).unwrap(),
            }
        });
        let expected = expected.replace('@', "actor Robot2 of Test.Robot:");
        let matches = match expected.strip_suffix('…') {
            Some(start) => start
                .strip_prefix('…')
                .map_or(error.starts_with(start), |part| error.contains(part)),
            None => error == expected,
        };
        wrong.extend((!matches).then(|| format!("{row}: {error}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
