//! 1.12: who ticks in a frame, and in which order. Told of by handlers, and the same whether or not a sink listens.

use std::cell::RefCell;

use acedia_actors::{Actor, ActorRef, ClassBuilder, Cx, Level, Recorder, Rules, Spawn, Stage, actor};

thread_local! {
    static TICKED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The action of a wheel on others in its tick.
#[derive(Default)]
enum Deed {
    #[default]
    Nothing,
    Stop(ActorRef<Wheel>),
    Break(ActorRef<Wheel>),
    Make,
}

#[derive(Default)]
struct Wheel {
    number: u32,
    deed: Deed,
}

impl Wheel {
    fn note(cx: &Cx<'_, Self>, how: &str) {
        TICKED.with_borrow_mut(|it| it.push(format!("{how} {}", cx.number)));
    }
}

impl Actor for Wheel {
    actor!(Wheel, "Test.Wheel");

    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.tick(|cx, _| {
            Self::note(cx, "rolls");
            match std::mem::take(&mut cx.deed) {
                Deed::Nothing => {}
                Deed::Stop(other) => cx.others.goto_state(other, "Still"),
                Deed::Break(other) => assert!(cx.others.destroy(other)),
                Deed::Make => wheel(&mut cx.others, 99, Spawn::new()).map_or_else(|| unreachable!(), drop),
            }
        });
        class.state("Still").tick(|cx, _| Self::note(cx, "stands"));
        class.state("Flat").ignore(acedia_actors::Event::Tick);
    }
}

/// Has no handler.
#[derive(Default)]
struct Stone;

impl Actor for Stone {
    actor!(Stone, "Test.Stone");
}

fn wheel(stage: &mut impl Stage, number: u32, spawn: Spawn) -> Option<ActorRef<Wheel>> {
    let wheel = stage.spawn::<Wheel>(spawn)?;
    stage.get_mut(wheel)?.number = number;
    Some(wheel)
}

fn frame(level: &mut Level) -> Vec<String> {
    level.tick(0.1);
    assert!(level.take_warnings().is_empty());
    TICKED.take()
}

fn with_and_without_a_sink(check: impl Fn(&mut Level)) {
    for rules in [Rules::ue1(), Rules::ue2(), Rules::ue3()] {
        for listens in [false, true] {
            let mut level = Level::new(rules.clone());
            if listens {
                level.set_sink(Recorder::default());
            }
            level.begin_play("");
            check(&mut level);
        }
    }
}

#[test]
fn neighbours_of_other_classes_states_and_properties_tick_as_what_they_are() {
    with_and_without_a_sink(|level| {
        let wheels: Vec<_> = (0..8)
            .map(|number| {
                if number % 3 == 0 {
                    level.spawn::<Stone>(Spawn::new()).unwrap();
                }
                wheel(level, number, Spawn::new()).unwrap()
            })
            .collect();
        level.goto_state(wheels[1], "Still");
        level.goto_state(wheels[2], "Still");
        level.goto_state(wheels[4], "Flat");
        // Its own properties, which say what those of the class say, or something else.
        level.properties_mut(wheels[5]).unwrap().is_static = false;
        level.properties_mut(wheels[6]).unwrap().is_static = true;
        let expected = ["rolls 0", "stands 1", "stands 2", "rolls 3", "rolls 5", "rolls 7"];
        assert_eq!(frame(level), expected);
        level.properties_mut(wheels[6]).unwrap().is_static = false;
        level.goto_state(wheels[2], "");
        let expected = [
            "rolls 0", "stands 1", "rolls 2", "rolls 3", "rolls 5", "rolls 6", "rolls 7",
        ];
        assert_eq!(frame(level), expected);
    });
}

#[test]
fn what_a_tick_does_to_others_holds_in_the_same_frame() {
    with_and_without_a_sink(|level| {
        let wheels: Vec<_> = (0..6)
            .map(|number| wheel(level, number, Spawn::new()).unwrap())
            .collect();
        level.get_mut(wheels[0]).unwrap().deed = Deed::Stop(wheels[1]);
        level.get_mut(wheels[2]).unwrap().deed = Deed::Break(wheels[3]);
        level.get_mut(wheels[4]).unwrap().deed = Deed::Make;
        let expected = ["rolls 0", "stands 1", "rolls 2", "rolls 4", "rolls 5", "rolls 99"];
        assert_eq!(frame(level), expected);
        assert_eq!(frame(level), expected);
    });
}

#[test]
fn owners_tick_before_what_they_own() {
    with_and_without_a_sink(|level| {
        let wheels: Vec<_> = (0..6)
            .map(|number| wheel(level, number, Spawn::new()).unwrap())
            .collect();
        assert!(level.set_owner(wheels[1], Some(wheels[3].any())));
        assert!(level.set_owner(wheels[3], Some(wheels[4].any())));
        level.goto_state(wheels[3], "Still");
        // An owner that is static, or has ticked, is not waited for.
        level.properties_mut(wheels[5]).unwrap().is_static = true;
        assert!(level.set_owner(wheels[4], Some(wheels[5].any())));
        assert!(level.set_owner(wheels[2], Some(wheels[0].any())));
        for _ in 0..2 {
            assert_eq!(frame(level), ["rolls 0", "rolls 4", "stands 3", "rolls 1", "rolls 2"]);
        }
    });
}

#[test]
fn a_sink_is_told_of_each_tick_that_no_state_ignores() {
    for rules in [Rules::ue1(), Rules::ue2(), Rules::ue3()] {
        let mut level = Level::new(rules);
        level.begin_play("");
        let [rolling, flat] = [1, 2].map(|number| wheel(&mut level, number, Spawn::new()).unwrap());
        level.goto_state(flat, "Flat");
        let stones: [ActorRef<Stone>; 4] = [(); 4].map(|()| level.spawn(Spawn::new()).unwrap());
        let [_, renamed, stopped, owned] = stones;
        level.properties_mut(renamed).unwrap().hidden = true;
        level.properties_mut(stopped).unwrap().tick_is_disabled = true;
        level.set_owner(owned, Some(rolling.any()));
        let recorder = Recorder::default();
        level.set_sink(recorder.clone());
        level.tick(0.5);
        let mut told: Vec<String> = level.user_actors().map(|it| level.name(it).unwrap()).collect();
        let silent = [flat.any(), stopped.any()].map(|it| level.name(it).unwrap());
        told.retain(|name| !silent.contains(name));
        let stones_and_wheels = recorder
            .lines()
            .into_iter()
            .filter(|line| line.contains("Stone") || line.contains("Wheel"));
        let expected = told.iter().map(|name| format!("1.12 {name}.Tick(0.5)"));
        assert!(stones_and_wheels.eq(expected));
        TICKED.take();
    }
}
