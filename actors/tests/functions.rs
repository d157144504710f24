//! Functions of users: found by class and state, overridden, called through references.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use acedia_actors::{Actor, ActorRef, Function, Level, Pawn, Rules, Spawn, Stage, Warning};
use common::*;

static SPEAK: Function<Animal, (), String> = Function::new("Speak");
static FEED: Function<Animal, (u32, Option<ActorRef>), u32> = Function::new("Feed");
static DESCEND: Function<Animal, u32, u32> = Function::new("Descend");
static FETCH: Function<Dog, Vec<String>, Option<String>> = Function::new("Fetch");
static PURR: Function<Cat, u32, u32> = Function::new("Purr");
static HUNT: Function<Cat, (), u32> = Function::new("Hunt");

define! { Animal "Test.Animal" { eaten: u32, log: Vec<&'static str> } |class| {
    class.function(&SPEAK, |cx, ()| {
        format!("{} after {}", cx.name().trim_end_matches(char::is_numeric), cx.eaten)
    });
    class.function(&FEED, |cx, (food, by)| {
        cx.eaten += food;
        if by == Some(cx.me().any()) {
            cx.destroy();
            // The dead can call their own functions.
            let said = cx.call(&SPEAK, ());
            assert!(said.starts_with("Animal"), "{said}");
            assert!(!cx.others.is_alive(cx.me()));
        }
        cx.eaten
    });
    class.function(&DESCEND, |cx, depth| {
        let deepest = cx.others.call(cx.me(), &DESCEND, depth + 1);
        deepest.max(depth)
    });
    class.state("Asleep").ignore_function(&SPEAK);
    class.state("Dreaming").extends("Asleep");
    class.state("Hungry").function(&SPEAK, |cx, ()| {
        let usual = cx.inherited().call(&SPEAK, ());
        format!("hungry {usual}")
    });
} }

define! { Dog "Test.Dog" Animal in animal { animal: Animal } |class| {
    class.function(&SPEAK, |cx, ()| {
        // The body of another function that this class inherits.
        let eaten = cx.inherited().call(&FEED, (1, None));
        format!("woof {eaten}: {}", cx.inherited().call(&SPEAK, ()))
    });
    class.function(&FETCH, |_cx, mut sticks| sticks.pop());
    class
        .state("Hungry")
        .function(&SPEAK, |cx, ()| format!("whine {}", cx.inherited().call(&SPEAK, ())));
} }

// Has a function at the same place in its table as `Dog`.
define! { Cat "Test.Cat" Animal in animal { animal: Animal } |class| {
    class.function(&PURR, |_cx, loud| loud * 2);
    // Only in a state.
    class.state("Night").function(&HUNT, |_cx, ()| 3);
    class.state("Asleep").function(&SPEAK, |_cx, ()| "snore".into());
    class.touch(|cx, _other| cx.animal.log.push("touch"));
} }

fn begun(rules: Rules) -> Level {
    let mut level = Level::new(rules);
    level.start();
    level
}

#[test]
fn the_most_derived_body_of_the_state_runs() {
    for rules in all_rules() {
        let mut level = begun(rules);
        let animal = level.spawn::<Animal>(Spawn::new()).unwrap();
        let dog = level.spawn::<Dog>(Spawn::new()).unwrap();
        let cat = level.spawn::<Cat>(Spawn::new()).unwrap();
        let all = [animal.any(), dog.any(), cat.any()];
        let speak = |level: &mut Level| all.map(|it| level.call(it, &SPEAK, ()));
        assert_eq!(
            speak(&mut level),
            ["Animal after 0", "woof 1: Dog after 1", "Cat after 0"]
        );
        for state in ["Hungry", "Asleep", "Dreaming"] {
            for it in all {
                level.goto_state(it, state);
            }
            let expected = match state {
                "Hungry" => [
                    "hungry Animal after 0",
                    "whine hungry Dog after 1",
                    "hungry Cat after 0",
                ],
                _ => ["", "", "snore"],
            };
            assert_eq!(speak(&mut level), expected, "{state}");
        }
        assert!(level.warnings().is_empty(), "ignored is no mistake");
        assert_eq!(level.get(dog).unwrap().animal.eaten, 1);
    }
}

#[test]
fn a_class_without_the_function_gives_the_null_value_and_a_warning() {
    let mut level = begun(Rules::ue2());
    let dog = level.spawn::<Dog>(Spawn::new()).unwrap();
    let cat = level.spawn::<Cat>(Spawn::new()).unwrap();
    let pawn = level.spawn::<Pawn>(Spawn::new()).unwrap();
    let sticks = || vec!["long".to_owned(), "short".to_owned()];
    assert_eq!(level.call(dog, &FETCH, sticks()).as_deref(), Some("short"));
    assert_eq!((level.call(cat, &PURR, 4), level.call(cat, &HUNT, ())), (8, 0));
    level.goto_state(cat, "Night");
    assert_eq!(level.call(cat, &HUNT, ()), 3);
    assert!(level.warnings().is_empty(), "a function without a body in this state");
    // Another function has this place in the table.
    assert_eq!(level.call(cat, &FETCH, sticks()), None);
    assert_eq!(level.call(dog, &PURR, 4), 0);
    assert_eq!(level.call(pawn, &SPEAK, ()), "");
    let warnings = level.take_warnings();
    assert_eq!(
        warnings,
        [
            Warning::NoFunction(Cat::class(), "Fetch"),
            Warning::NoFunction(Dog::class(), "Purr"),
            Warning::NoFunction(Pawn::class(), "Speak"),
        ]
    );
    assert_eq!(warnings[0].to_string(), "class Test.Cat has no function Fetch");
}

#[test]
fn the_dead_answer_with_the_null_value_except_to_themselves() {
    for rules in all_rules() {
        let mut level = begun(rules);
        let animal = level.spawn::<Animal>(Spawn::new()).unwrap();
        assert_eq!(
            level.call(animal, &FEED, (2, Some(animal.any()))),
            2,
            "its own handler goes on"
        );
        assert!(!level.is_alive(animal) && level.take_warnings().is_empty());
        assert_eq!(level.call(animal, &FEED, (2, None)), 0);
        assert_eq!(level.take_warnings(), [Warning::AccessedNone]);
    }
}

#[test]
fn before_play_no_function_runs() {
    let mut level = Level::new(Rules::ue2());
    let animal = level.place::<Animal>(Spawn::new()).unwrap();
    assert_eq!(level.call(animal, &FEED, (2, None)), 0);
    assert_eq!(level.call(animal, &FEED, (2, None)), 0);
    assert_eq!(level.take_warnings(), [Warning::NotBegun], "said once");
    level.start();
    assert_eq!(level.call(animal, &FEED, (2, None)), 2);
}

#[test]
fn calls_that_nest_without_end_stop_at_the_depth_limit() {
    for mut rules in all_rules() {
        rules.depth_limit = 30;
        let mut level = begun(rules);
        let animal = level.spawn::<Animal>(Spawn::new()).unwrap();
        assert_eq!(level.call(animal, &DESCEND, 1), 30);
        assert_eq!(level.take_warnings(), [Warning::Recursion]);
        assert_eq!(level.call(animal, &FEED, (1, None)), 1);
    }
}

static BREAK: Function<Vase, (), u32> = Function::new("Break");

define! { Vase "Test.Vase" {} |class| {
    class.function(&BREAK, |cx, ()| {
        cx.destroy();
        panic!("broken")
    });
} }

#[test]
fn a_body_that_panics_leaves_a_usable_level() {
    let mut level = begun(Rules::ue2());
    let vase = level.spawn::<Vase>(Spawn::new()).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| level.call(vase, &BREAK, ()))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"broken"));
    assert_eq!(level.name(vase), None, "reclaimed");
    let animal = level.spawn::<Animal>(Spawn::new()).unwrap();
    assert_eq!(level.call(animal, &FEED, (1, None)), 1);
    assert!(level.warnings().is_empty());
}

static COUNT: Function<Counter, u32> = Function::new("Count");

define! { Counter "Test.Counter" { counted: u32 } |class| {
    class.function(&COUNT, |cx, number| {
        cx.counted += number;
        if number == 7 {
            cx.spawn::<Self>(Spawn::new().tag("B"));
            cx.destroy();
        }
    });
} }

#[test]
fn all_of_a_class_or_of_a_tag_are_called() {
    let mut level = begun(Rules::ue2());
    assert_eq!(level.call_all(&COUNT, 1), 0);
    let counters = ["A", "B", "a"].map(|tag| level.spawn::<Counter>(Spawn::new().tag(tag)).unwrap());
    level.spawn::<Pawn>(Spawn::new().tag("A")).unwrap();
    assert_eq!((level.call_all(&COUNT, 1), level.trigger("A", &COUNT, 10)), (3, 2));
    let counted = counters.map(|it| level.get(it).unwrap().counted);
    assert_eq!(counted, [11, 1, 11]);
    assert_eq!(level.trigger("C", &COUNT, 10), 0);
    // Actors that are spawned meanwhile are not called.
    assert_eq!((level.trigger("B", &COUNT, 7), level.call_all(&COUNT, 7)), (1, 3));
    let new: Vec<_> = level.user_actors().filter_map(|it| level.cast::<Counter>(it)).collect();
    assert_eq!(new.len(), 3);
    assert!(new.iter().all(|it| level.get(*it).unwrap().counted == 0));
    assert!(level.warnings().is_empty());
}

static PATH: Function<Ape, (), Vec<&'static str>> = Function::new("Path");
static DETOUR: Function<Ape, (), Vec<&'static str>> = Function::new("Detour");

/// `first`, then the names of the bodies that are called.
fn path(first: &'static str, others: impl IntoIterator<Item = Vec<&'static str>>) -> Vec<&'static str> {
    let others = others.into_iter().flatten();
    std::iter::once(first).chain(others).collect()
}

define! { Ape "Test.Ape" { seen: Vec<&'static str> } |class| {
    class.function(&PATH, |cx, ()| path("Ape", [cx.inherited().call(&PATH, ())]));
    class.function(&DETOUR, |cx, ()| path("Ape detour", [cx.inherited().call(&PATH, ())]));
    class.tick(|cx, _| cx.seen.push("Ape"));
    class.base_change(|cx| cx.seen.push("Ape based"));
    let mut up = class.state("Up");
    up.function(&PATH, |cx, ()| path("Ape up", [cx.inherited().call(&PATH, ())]));
    up.function(&DETOUR, |cx, ()| {
        path("Ape up detour", [cx.inherited().call(&PATH, ())])
    });
} }

define! { Monkey "Test.Monkey" Ape in ape { ape: Ape } |class| {
    class.function(&PATH, |cx, ()| path("Monkey", [cx.inherited().call(&PATH, ())]));
    class.function(&DETOUR, |cx, ()| {
        path("Monkey detour", [cx.inherited().call(&PATH, ())])
    });
    class.tick(|cx, seconds| {
        cx.ape.seen.push("Monkey");
        cx.inherited().tick(seconds);
        // Another event: the body of the parent class.
        cx.inherited().base_change();
    });
    class.base_change(|cx| cx.ape.seen.push("Monkey based"));
    let mut up = class.state("Up");
    up.function(&PATH, |cx, ()| {
        let above = cx.inherited().call(&PATH, ());
        let most_derived = cx.global().call(&PATH, ());
        path(
            "Monkey up",
            [above, most_derived, cx.inherited_from::<Ape>().call(&PATH, ())],
        )
    });
    up.tick(|cx, seconds| {
        cx.ape.seen.push("Monkey up");
        cx.global().tick(seconds);
        cx.inherited_from::<Ape>().tick(seconds);
        // Another event: the body of the class that has the state.
        cx.inherited().base_change();
    });
    up.code(|code| _ = code.run(|cx| cx.ape.seen = path("code", [cx.inherited().call(&PATH, ())])));
} }

// Has no bodies of its own.
define! { Gibbon "Test.Gibbon" Monkey in monkey { monkey: Monkey } |class| {
    class.function(&PATH, |cx, ()| {
        path("Gibbon", [cx.inherited_from::<Ape>().call(&PATH, ())])
    });
} }

#[test]
fn super_and_global_go_to_the_bodies_of_the_original() {
    for rules in all_rules() {
        let mut level = begun(rules);
        let monkey = level.spawn::<Monkey>(Spawn::new()).unwrap();
        let gibbon = level.spawn::<Gibbon>(Spawn::new()).unwrap();
        assert_eq!(level.call(monkey, &PATH, ()), ["Monkey", "Ape"]);
        assert_eq!(level.call(gibbon, &PATH, ()), ["Gibbon", "Ape"]);
        assert_eq!(
            level.call(monkey, &DETOUR, ()),
            ["Monkey detour", "Ape"],
            "of the parent class"
        );
        level.tick(0.1);
        let seen = std::mem::take(&mut level.get_mut(monkey).unwrap().ape.seen);
        assert_eq!(seen, ["Monkey", "Ape", "Ape based"]);

        level.goto_state(monkey, "Up");
        level.goto_state(gibbon, "Up");
        let expected = ["Monkey up", "Ape up", "Ape", "Monkey", "Ape", "Ape"];
        assert_eq!(level.call(monkey, &PATH, ()), expected);
        // The most derived body is that of the actor's class.
        let expected = ["Monkey up", "Ape up", "Ape", "Gibbon", "Ape", "Ape"];
        assert_eq!(level.call(gibbon, &PATH, ()), expected);
        assert_eq!(
            level.call(monkey, &DETOUR, ()),
            ["Ape up detour", "Ape"],
            "of the state's class"
        );
        let reach = |level: &mut Level| {
            level.tick(0.1);
            std::mem::take(&mut level.get_mut(monkey).unwrap().ape.seen)
        };
        assert_eq!(reach(&mut level), ["code", "Monkey", "Ape"]);
        let expected = ["Monkey up", "Monkey", "Ape", "Ape based", "Ape", "Monkey based"];
        assert_eq!(reach(&mut level), expected);
        assert!(level.warnings().is_empty());
    }
}

static ELSEWHERE: Function<Stray> = Function::new("Elsewhere");

define! { Stray "Test.Stray" {} |class| {
    class.function(&ELSEWHERE, |cx, ()| cx.inherited_from::<Pawn>().base_change());
} }

#[test]
fn the_bodies_of_a_class_that_is_not_above_are_out_of_reach() {
    let mut level = begun(Rules::ue2());
    let stray = level.spawn::<Stray>(Spawn::new()).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| level.call(stray, &ELSEWHERE, ()))).unwrap_err();
    assert_eq!(
        panic.downcast_ref::<String>().map(String::as_str),
        Some("Test.Stray is neither Engine.Pawn nor a descendant of it")
    );
}
