//! 1.12: timers and the code of states, behind the `tick` of their actor.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use acedia_actors::{
    Actor, ActorRef, ClassBuilder, Event, EventSink, Function, Level, Name, Repeat, Rules, Spawn, Stage, Step, Warning,
    actor,
};
use common::{all_rules, steps};

static BEEP: Function<Clock, (), ()> = Function::new("Beep");
static RING: Function<Clock, (), ()> = Function::new("Ring");
static ELSEWHERE: Function<Walker, (), ()> = Function::new("Elsewhere");

/// Notes all that happens to it.
#[derive(Default)]
struct Clock {
    log: Vec<&'static str>,
    /// The number of the frame in which it sets its timer.
    sets_in: usize,
    frames: usize,
    /// The reaction to the first `timer`.
    then: Then,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Then {
    #[default]
    Nothing,
    Clear,
    SetAnew,
    Destroy,
    Panic,
}

impl Clock {
    fn take(level: &mut Level, clock: ActorRef<Self>) -> Vec<&'static str> {
        std::mem::take(&mut level.get_mut(clock).unwrap().log)
    }
}

impl Actor for Clock {
    actor!(Clock, "Test.Clock");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.tick(|cx, _| {
            cx.log.push("tick");
            cx.frames += 1;
            if cx.frames == cx.sets_in {
                assert!(cx.set_timer(0.5, Repeat::Once));
            }
        });
        class.timer(|cx| {
            cx.log.push("timer");
            match std::mem::take(&mut cx.then) {
                Then::Nothing => {}
                Then::Clear => assert!(!cx.set_timer(0.0, Repeat::Looping) && cx.timer().is_none()),
                Then::SetAnew => assert!(cx.set_timer(0.25, Repeat::Looping)),
                Then::Destroy => assert!(cx.destroy() && !cx.set_timer(1.0, Repeat::Once)),
                Then::Panic => panic!("in the timer"),
            }
        });
        class.function(&BEEP, |cx, ()| cx.log.push("beep"));
        class.function(&RING, |cx, ()| {
            cx.log.push("ring");
            cx.clear_timers();
        });
        class.state("Coded").code(|code| {
            code.label("Again")
                .run(|cx| cx.log.push("code"))
                .sleep(0.0)
                .goto("Again");
        });
        class.state("Deaf").ignore(Event::Timer).ignore_function(&BEEP);
        class.state("Loud").timer(|cx| cx.log.push("loud timer"));
    }
}

/// Receives steps, so that the level is watched.
struct Deaf;
impl EventSink for Deaf {
    fn record(&mut self, _: &Step<'_>) {}
}

/// Levels of all rules, watched and not.
fn each_level(mut work: impl FnMut(&mut Level, &Rules)) {
    for rules in all_rules() {
        for watched in [false, true] {
            let mut level = Level::new(rules.clone());
            level.start();
            if watched {
                level.set_sink(Deaf);
            }
            work(&mut level, &rules);
        }
    }
}

#[test]
fn a_frame_is_tick_then_code_then_timers() {
    each_level(|level, rules| {
        let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
        level.goto_state(clock, "Coded");
        level.set_timer(clock, 0.5, Repeat::Looping);
        let named = level.set_timer_of(clock, &BEEP, 0.5, Repeat::Once);
        assert_eq!(named, rules.named_timers);
        let beeps: &[_] = if named { &["beep"] } else { &[] };
        level.tick(0.5);
        assert_eq!(Clock::take(level, clock), [&["tick", "code", "timer"], beeps].concat());
        level.tick(0.25);
        assert_eq!(Clock::take(level, clock), ["tick", "code"]);
        level.tick(0.25);
        assert_eq!(Clock::take(level, clock), ["tick", "code", "timer"]);
        assert!(level.warnings().is_empty());
    });
}

#[test]
fn the_trace_shows_functions_that_timers_call() {
    let (mut level, recorder) = common::level(Rules::ue3());
    let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
    level.set_timer(clock, 0.5, Repeat::Once);
    level.set_timer_of(clock, &RING, 0.5, Repeat::Looping);
    let _ = recorder.take();
    level.tick(0.5);
    let seen: Vec<_> = steps(&recorder)
        .into_iter()
        .filter(|step| step.contains("Clock"))
        .collect();
    assert_eq!(seen, ["1.12 Clock.Tick(.)", "1.12 Clock.Timer()", "1.9 Clock.Ring()"]);
}

#[test]
fn a_timer_that_is_set_in_a_tick_counts_its_seconds() {
    each_level(|level, _| {
        // With an owner, an actor takes another way through the frame.
        let owner = level.spawn::<Clock>(Spawn::new()).unwrap();
        for spawn in [Spawn::new(), Spawn::new().owned_by(owner)] {
            let clock = level.spawn::<Clock>(spawn).unwrap();
            level.get_mut(clock).unwrap().sets_in = 2;
            let frames = [0.5, 0.5, 0.5].map(|seconds| {
                level.tick(seconds);
                Clock::take(level, clock)
            });
            assert_eq!(frames, [vec!["tick"], vec!["tick", "timer"], vec!["tick"]]);
        }
    });
}

#[test]
fn a_handler_decides_how_its_timer_goes_on() {
    for (then, expected, later) in [
        (
            Then::Nothing,
            vec!["tick", "timer", "timer", "timer"],
            vec!["tick", "timer"],
        ),
        (Then::Clear, vec!["tick", "timer"], vec!["tick"]),
        // From zero: four times in the next second.
        (
            Then::SetAnew,
            vec!["tick", "timer"],
            vec!["tick", "timer", "timer", "timer", "timer"],
        ),
    ] {
        each_level(|level, _| {
            let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
            level.get_mut(clock).unwrap().then = then;
            assert!(level.set_timer(clock, 1.0, Repeat::Looping));
            level.tick(3.0);
            assert_eq!(Clock::take(level, clock), expected);
            level.tick(1.0);
            assert_eq!(Clock::take(level, clock), later);
        });
    }
}

#[test]
fn timers_end_with_their_actor() {
    each_level(|level, _| {
        let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
        level.get_mut(clock).unwrap().then = Then::Destroy;
        level.set_timer(clock, 0.5, Repeat::Looping);
        level.set_timer_of(clock, &BEEP, 0.5, Repeat::Looping);
        level.goto_state(clock, "Coded");
        level.tick(2.0);
        assert!(!level.is_alive(clock) && level.warnings().is_empty());
        // The next actor in its slot.
        let next = level.spawn::<Clock>(Spawn::new()).unwrap();
        assert!(level.timer(next).is_none() && level.timer_of(next, &BEEP).is_none());
        level.tick(2.0);
        assert_eq!(Clock::take(level, next), ["tick"]);
        // On the dead: nothing, and a warning.
        assert!(!level.set_timer(clock, 1.0, Repeat::Once) && !level.pause_timer(clock, true));
        assert_eq!(level.take_warnings(), [Warning::AccessedNone, Warning::AccessedNone]);
        assert!(level.timer(clock).is_none());
    });
}

#[test]
fn the_state_decides_what_a_timer_calls() {
    let mut level = Level::new(Rules::ue3());
    level.start();
    let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
    level.set_timer(clock, 1.0, Repeat::Looping);
    level.set_timer_of(clock, &BEEP, 1.0, Repeat::Looping);
    let frames = ["Loud", "Deaf", ""].map(|state| {
        level.goto_state(clock, state);
        level.tick(1.0);
        Clock::take(&mut level, clock)
    });
    assert_eq!(
        frames,
        [
            vec!["tick", "loud timer", "beep"],
            vec!["tick"],
            vec!["tick", "timer", "beep"]
        ]
    );
}

#[test]
fn one_function_may_clear_the_others() {
    let mut level = Level::new(Rules::ue3());
    level.start();
    let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
    level.set_timer_of(clock, &RING, 0.5, Repeat::Looping);
    level.set_timer_of(clock, &BEEP, 0.5, Repeat::Looping);
    level.set_timer(clock, 0.5, Repeat::Looping);
    level.tick(2.0);
    assert_eq!(Clock::take(&mut level, clock), ["tick", "ring"]);
    assert!(level.timer(clock).is_none() && level.timer_of(clock, &RING).is_none());
}

#[test]
fn a_paused_timer_stands_still() {
    each_level(|level, _| {
        let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
        assert!(!level.pause_timer(clock, true), "there is none");
        level.set_timer(clock, 1.0, Repeat::Once);
        level.tick(0.75);
        assert!(level.pause_timer(clock, true));
        level.tick(5.0);
        let timer = level.timer(clock).unwrap();
        assert_eq!((timer.count, timer.is_paused), (0.75, true));
        assert!(level.pause_timer(clock, false));
        level.tick(0.25);
        assert!(level.timer(clock).is_none());
        assert_eq!(Clock::take(level, clock), ["tick", "tick", "tick", "timer"]);
    });
}

#[test]
fn bad_seconds_set_no_timer_and_stop_no_frame() {
    each_level(|level, _| {
        let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
        for seconds in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            level.set_timer(clock, 1.0, Repeat::Once);
            assert!(!level.set_timer(clock, seconds, Repeat::Looping), "{seconds}");
            assert!(level.timer(clock).is_none());
        }
        level.goto_state(clock, "Coded");
        level.set_timer(clock, 1.0, Repeat::Looping);
        for seconds in [f32::NAN, -5.0, 0.0] {
            level.tick(seconds);
            assert!(level.timer(clock).unwrap().count.abs() < f32::EPSILON, "{seconds}");
        }
        level.tick(f32::INFINITY);
        assert!(
            level.timer(clock).unwrap().count.abs() < f32::EPSILON,
            "an infinite count has no rest"
        );
        level.set_timer(clock, f32::MIN_POSITIVE, Repeat::Looping);
        Clock::take(level, clock);
        level.tick(1.0);
        let times = Clock::take(level, clock)
            .into_iter()
            .filter(|it| *it == "timer")
            .count();
        assert_eq!(times, 100, "as many as there may be in a frame");
    });
}

#[test]
fn who_does_not_tick_has_no_running_timers() {
    each_level(|level, _| {
        let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
        level.set_timer(clock, 0.5, Repeat::Once);
        level.properties_mut(clock).unwrap().tick_is_disabled = true;
        level.tick(1.0);
        assert!(Clock::take(level, clock).is_empty());
        level.properties_mut(clock).unwrap().tick_is_disabled = false;
        level.tick(0.25);
        assert_eq!(Clock::take(level, clock), ["tick"]);
        level.tick(0.25);
        assert_eq!(Clock::take(level, clock), ["tick", "timer"]);
    });
}

#[test]
fn a_timer_that_panics_keeps_nobody_from_ticking() {
    each_level(|level, _| {
        let clocks = [(); 2].map(|()| level.spawn::<Clock>(Spawn::new()).unwrap());
        for clock in clocks {
            level.set_timer(clock, 0.5, Repeat::Looping);
        }
        level.get_mut(clocks[0]).unwrap().then = Then::Panic;
        let panic = catch_unwind(AssertUnwindSafe(|| level.tick(0.5))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"in the timer"));
        for _ in 0..2 {
            assert_eq!(clocks.map(|clock| Clock::take(level, clock)), [["tick", "timer"]; 2]);
            level.tick(0.5);
        }
    });
}

#[test]
fn a_function_that_the_class_lacks_gets_no_timer() {
    for rules in all_rules() {
        let named = rules.named_timers;
        let mut level = Level::new(rules);
        level.start();
        let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
        level.spawn::<Walker>(Spawn::new()).unwrap();
        assert!(!level.set_timer_of(clock, &ELSEWHERE, 1.0, Repeat::Once));
        let warnings = level.take_warnings();
        let expected = Warning::NoFunction(Clock::class(), "Elsewhere");
        assert_eq!(warnings, if named { vec![expected] } else { vec![] });
    }
}

/// The log of two frames in which no code ran.
const NOTHING: [Vec<&str>; 2] = [Vec::new(), Vec::new()];

/// Its states have code.
#[derive(Default)]
struct Walker {
    log: Vec<&'static str>,
    ready: bool,
    pause: f32,
}

impl Walker {
    fn note(text: &'static str) -> impl Fn(&mut acedia_actors::Cx<'_, Self>) + Send + Sync + 'static {
        move |cx| cx.log.push(text)
    }
}

impl Actor for Walker {
    actor!(Walker, "Test.Walker");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.function(&ELSEWHERE, |_, ()| ());
        class.state("Walking").auto().code(|code| {
            code.run(Self::note("walk")).sleep(1.0).run(Self::note("stop"));
            code.label("Rest").run(Self::note("rest"));
        });
        class.state("Strolling").extends("Walking");
        class.state("Eager").code(|code| {
            code.wait_until(|cx| cx.ready).run(Self::note("ready"));
            code.sleep_for(|cx| cx.pause)
                .run(|cx| cx.goto_state("Walking"))
                .run(Self::note("never"));
        });
        class.state("Looping").code(|code| {
            code.label("Begin").goto("Begin");
        });
        class.state("Leaving").code(|code| {
            code.sleep_for(|cx| {
                cx.goto_state("Walking");
                9.0
            });
            code.run(Self::note("never"));
        });
        class.state("Doomed").code(|code| {
            code.run(|cx| _ = cx.destroy()).run(|_| panic!("after its end"));
        });
        class.state("Idle");
    }
}

/// Inherits the code of its states, but for one.
#[derive(Default)]
struct Runner {
    walker: Walker,
}
impl Actor for Runner {
    actor!(Runner, "Test.Runner", parent = Walker, in walker);
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.state("Eager").code(|code| {
            code.run(|cx| cx.walker.log.push("run"));
        });
    }
}

fn frames<const N: usize>(level: &mut Level, walker: ActorRef<Walker>, seconds: [f32; N]) -> [Vec<&'static str>; N] {
    seconds.map(|seconds| {
        level.tick(seconds);
        std::mem::take(&mut level.get_mut(walker).unwrap().log)
    })
}

#[test]
fn code_begins_in_the_next_frame_and_waits() {
    each_level(|level, _| {
        let walker = level.spawn::<Walker>(Spawn::new()).unwrap();
        assert!(level.get(walker).unwrap().log.is_empty(), "not in the spawn");
        let seen = frames(level, walker, [0.5, 0.5, 0.5, 0.5]);
        assert_eq!(seen, [vec!["walk"], vec![], vec!["stop", "rest"], vec![]]);
        // In the same state, the code begins anew, and there are no events.
        level.goto_state(walker, "Walking");
        assert_eq!(
            frames(level, walker, [0.5, 2.0, 0.5]),
            [vec!["walk"], vec!["stop", "rest"], vec![]]
        );
        level.goto_label(walker, "walking", "REST");
        assert_eq!(frames(level, walker, [0.5, 0.5]), [vec!["rest"], vec![]]);
        level.goto_state(walker, "Strolling");
        assert_eq!(frames(level, walker, [0.5, 1.0]), [vec!["walk"], vec!["stop", "rest"]]);
        // Leaving the state ends its code.
        level.goto_state(walker, "Strolling");
        level.tick(0.5);
        level.goto_state(walker, "Idle");
        level.get_mut(walker).unwrap().log.clear();
        assert_eq!(frames(level, walker, [5.0, 5.0]), NOTHING);
        assert!(level.warnings().is_empty());
    });
}

#[test]
fn a_change_of_state_goes_on_with_the_code_of_the_new_one() {
    each_level(|level, _| {
        let walker = level.spawn::<Walker>(Spawn::new()).unwrap();
        level.goto_state(walker, "Eager");
        assert_eq!(frames(level, walker, [1.0, 1.0]), NOTHING);
        let it = level.get_mut(walker).unwrap();
        (it.ready, it.pause) = (true, 0.5);
        assert_eq!(
            frames(level, walker, [1.0, 1.0, 1.0]),
            [vec!["ready"], vec!["walk"], vec!["stop", "rest"]]
        );
        level.goto_state(walker, "Leaving");
        assert_eq!(frames(level, walker, [1.0, 1.0]), [vec!["walk"], vec!["stop", "rest"]]);
        level.goto_state(walker, "Doomed");
        level.tick(1.0);
        assert!(!level.is_alive(walker) && level.warnings().is_empty());
    });
}

#[test]
fn a_class_below_inherits_the_code_of_states() {
    let mut level = Level::new(Rules::ue2());
    level.start();
    let runner = level.spawn::<Runner>(Spawn::new()).unwrap();
    let walker: ActorRef<Walker> = level.cast(runner.any()).unwrap();
    assert_eq!(
        frames(&mut level, walker, [1.0, 1.0]),
        [vec!["walk"], vec!["stop", "rest"]]
    );
    level.goto_state(runner, "Eager");
    assert_eq!(frames(&mut level, walker, [1.0, 1.0]), [vec!["run"], vec![]]);
}

#[test]
fn a_pushed_state_stops_the_code_below() {
    let mut level = Level::new(Rules::ue3());
    level.start();
    let walker = level.spawn::<Walker>(Spawn::new()).unwrap();
    assert_eq!(frames(&mut level, walker, [0.5, 0.5]), [vec!["walk"], vec![]]);
    assert!(level.push_state(walker, "Eager"));
    level.get_mut(walker).unwrap().ready = true;
    level.get_mut(walker).unwrap().pause = 9.0;
    assert_eq!(frames(&mut level, walker, [5.0, 5.0]), [vec!["ready"], vec![]]);
    assert!(level.pop_state(walker));
    // Half a second was left.
    assert_eq!(frames(&mut level, walker, [0.25, 0.25]), [vec![], vec!["stop", "rest"]]);
    // A change of state forgets the paused ones.
    assert!(level.push_state(walker, "Eager"));
    level.goto_state(walker, "Idle");
    assert_eq!(frames(&mut level, walker, [5.0, 5.0]), NOTHING);
    assert_eq!(level.state(walker), Name::new("Idle"));
}

#[test]
fn code_that_goes_back_without_a_wait_lets_the_frame_end() {
    each_level(|level, _| {
        let walker = level.spawn::<Walker>(Spawn::new()).unwrap();
        level.goto_state(walker, "Looping");
        for _ in 0..2 {
            level.tick(0.1);
            let expected = Warning::RunawayCode(Walker::class(), Name::new("Looping"));
            assert_eq!(level.take_warnings(), [expected]);
        }
        level.goto_label(walker, "Walking", "Nowhere");
        let warnings = level.take_warnings();
        assert_eq!(
            warnings[0].to_string(),
            "the code of state Walking of Test.Walker has no label Nowhere"
        );
        assert_eq!(frames(level, walker, [1.0, 1.0]), NOTHING);
    });
}

#[test]
fn mistaken_labels_panic_when_the_class_is_described() {
    #[derive(Default)]
    struct Lost;
    impl Actor for Lost {
        actor!(Lost, "Test.Lost");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("Going").code(|code| {
                code.label("Begin").goto("Begni");
            });
        }
    }
    #[derive(Default)]
    struct Double;
    impl Actor for Double {
        actor!(Double, "Test.Double");
        fn describe(class: &mut ClassBuilder<'_, Self>) {
            class.state("Going").code(|code| {
                code.label("Here").sleep(1.0).label("HERE");
            });
        }
    }
    for (class, expected) in [
        (
            Lost::class as fn() -> _,
            "state `Going` of Test.Lost has no label `Begni` (did you mean `Begin`?)",
        ),
        (Double::class, "state `Going` of Test.Double has two labels `HERE`"),
    ] {
        let panic = catch_unwind(class).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some(expected));
    }
}

/// A quarter of a second a frame, so that no sum is rounded.
const FRAME: f32 = 0.25;

fn count(level: &Level, clock: ActorRef<Clock>) -> Option<f32> {
    level.timer(clock).map(|timer| timer.count)
}

#[test]
fn a_timer_that_is_not_due_soon_counts_all_the_same() {
    each_level(|level, _| {
        let owner = level.spawn::<Clock>(Spawn::new()).unwrap();
        for spawn in [Spawn::new(), Spawn::new().owned_by(owner), Spawn::new().tag("Own")] {
            let clock = level.spawn::<Clock>(spawn).unwrap();
            level.set_timer(clock, 10.0, Repeat::Looping);
            for frame in 1..=100_u8 {
                level.tick(FRAME);
                let expected = f32::from(frame % 40) * FRAME;
                assert_eq!(count(level, clock), Some(expected), "frame {frame}");
                let expected: &[_] = if frame % 40 == 0 { &["tick", "timer"] } else { &["tick"] };
                assert_eq!(Clock::take(level, clock), expected, "frame {frame}");
            }
        }
    });
}

#[test]
fn a_long_timer_stands_still_while_it_is_paused_or_its_actor_does_not_tick() {
    each_level(|level, _| {
        let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
        level.set_timer(clock, 10.0, Repeat::Once);
        let frames = |level: &mut Level, number: usize| (0..number).for_each(|_| level.tick(FRAME));
        frames(level, 8);
        level.pause_timer(clock, true);
        frames(level, 80);
        assert_eq!(count(level, clock), Some(2.0));
        level.pause_timer(clock, false);
        frames(level, 8);
        level.properties_mut(clock).unwrap().tick_is_disabled = true;
        frames(level, 80);
        assert_eq!(count(level, clock), Some(4.0));
        level.properties_mut(clock).unwrap().tick_is_disabled = false;
        frames(level, 23);
        assert_eq!(count(level, clock), Some(9.75));
        Clock::take(level, clock);
        level.tick(FRAME);
        assert_eq!(Clock::take(level, clock), ["tick", "timer"]);
    });
}

#[test]
fn a_long_timer_is_due_in_a_long_frame() {
    each_level(|level, _| {
        let [once, looping] = [Repeat::Once, Repeat::Looping].map(|repeat| {
            let clock = level.spawn::<Clock>(Spawn::new()).unwrap();
            level.set_timer(clock, 10.0, repeat);
            clock
        });
        level.tick(FRAME);
        level.tick(34.75);
        assert_eq!(Clock::take(level, once), ["tick", "tick", "timer"]);
        assert_eq!(Clock::take(level, looping), ["tick", "tick", "timer", "timer", "timer"]);
        assert_eq!(count(level, looping), Some(5.0));
        level.tick(FRAME);
        level.tick(f32::INFINITY);
        assert_eq!(count(level, looping), Some(0.0), "an infinite count has no rest");
        level.tick(FRAME);
        level.tick(FRAME);
        assert_eq!(count(level, looping), Some(0.5));
    });
}

/// Waits as long as it is told, in the code of its state and for its timer.
#[derive(Default)]
struct Sleeper {
    seconds: f32,
    log: Vec<&'static str>,
}

impl Actor for Sleeper {
    actor!(Sleeper, "Test.Sleeper");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.timer(|cx| cx.log.push("timer"));
        class.state("Asleep").code(|code| {
            code.sleep_for(|cx| cx.seconds).run(|cx| cx.log.push("awake"));
        });
    }
}

/// A wait ends in the frame in which the frames' sum, rounded once, reaches its seconds. With sums in `f32`, the short frames
/// at the beginning of a long wait, or at its end, would count too little or nothing.
#[test]
fn short_frames_add_up_to_long_waits() {
    for (seconds, frame) in [
        (3_600.0, 1.0 / 144.0),
        (70_000.0, 1.0 / 300.0),
        (86_400.0, 1.0 / 300.0),
        (1.0, 0.01_f32),
    ] {
        // A timer sleeps, unless its actor has code that waits, too.
        for (code, timer) in [(true, false), (false, true), (true, true)] {
            let mut level = Level::new(Rules::ue2());
            level.start();
            let sleeper = level.spawn::<Sleeper>(Spawn::new()).unwrap();
            level.get_mut(sleeper).unwrap().seconds = seconds;
            if code {
                level.goto_state(sleeper, "Asleep");
            }
            level.tick(0.0); // the sleep begins
            if timer {
                level.set_timer(sleeper, seconds, Repeat::Looping);
            }
            let mut sum = 0.0;
            let mut tick = |level: &mut Level, frame: f32| {
                level.tick(frame);
                sum += f64::from(frame);
                #[allow(clippy::cast_possible_truncation, reason = "as the count is rounded")]
                let is_over = sum as f32 >= seconds;
                let log: Vec<_> = [(code, "awake"), (timer, "timer")]
                    .into_iter()
                    .filter(|(is_wanted, _)| is_over && *is_wanted)
                    .map(|(_, word)| word)
                    .collect();
                assert_eq!(level.get(sleeper).unwrap().log, log, "{seconds} s, {sum} s have passed");
                is_over
            };
            for _ in 0..40 {
                tick(&mut level, frame);
            }
            if seconds > 1.0 {
                for _ in 0..2_000 {
                    tick(&mut level, frame);
                }
                tick(&mut level, seconds - 4_100.0 * frame);
            }
            let mut frames = 0;
            while !tick(&mut level, frame) {
                frames += 1;
                assert!(frames < 2_200, "{seconds} s did not end");
            }
            if let Some(timer) = level.timer(sleeper) {
                assert!((0.0..=frame).contains(&timer.count), "{timer:?}");
            }
        }
    }
}

/// Reads the long timers of all when it ticks, and sets one of its own anew.
#[derive(Default)]
struct Reader {
    clocks: Vec<ActorRef<Reader>>,
    counts: Vec<f32>,
    sets: bool,
}

impl Actor for Reader {
    actor!(Reader, "Test.TimerReader");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.tick(|cx, _| {
            let clocks = cx.clocks.clone();
            cx.counts = clocks
                .iter()
                .map(|clock| cx.others.timer(*clock).unwrap().count)
                .collect();
            if cx.sets {
                for clock in clocks {
                    assert!(cx.others.set_timer(clock, 10.0, Repeat::Once));
                }
            }
        });
    }
}

#[test]
fn in_a_frame_the_timers_of_those_that_had_their_turn_have_counted_it() {
    each_level(|level, _| {
        let first = level.spawn::<Reader>(Spawn::new()).unwrap();
        let reader = level.spawn::<Reader>(Spawn::new()).unwrap();
        let owned = level.spawn::<Reader>(Spawn::new().owned_by(reader)).unwrap();
        let last = level.spawn::<Reader>(Spawn::new()).unwrap();
        let clocks = vec![first, reader, owned, last];
        for clock in &clocks {
            level.set_timer(*clock, 10.0, Repeat::Once);
        }
        level.get_mut(reader).unwrap().clocks = clocks.clone();
        for _ in 0..8 {
            level.tick(FRAME);
        }
        assert_eq!(level.get(reader).unwrap().counts, [2.0, 1.75, 1.75, 1.75]);
        level.get_mut(reader).unwrap().sets = true;
        level.tick(FRAME);
        let counts: Vec<_> = clocks.iter().map(|clock| level.timer(*clock).unwrap().count).collect();
        assert_eq!(counts, [0.0, FRAME, FRAME, FRAME], "the rest of the frame");
        level.get_mut(reader).unwrap().sets = false;
        for _ in 0..8 {
            level.tick(FRAME);
        }
        assert_eq!(level.get(reader).unwrap().counts, [2.0, 2.0, 2.0, 2.0]);
    });
}
