//! 1.12: ticks, timers and the code of states. Most cases are in `scenarios`.

mod common;
mod scenario;

use acedia_actors::{Event, Function, Level, Repeat, Rules, Spawn, Stage};
use common::{Answers, Keeper, Probe, define, in_each, probe, run, when};
use scenario::{Verb, kinds, play, say};

static BEEP: Function<Clock> = Function::new("Beep");
static RING: Function<Clock> = Function::new("Ring");
static ELSEWHERE: Function<Walker> = Function::new("Elsewhere");

probe!(Clock, "Test.Clock", |class| {
    class.tick(|cx, _| {
        say("tick");
        run(cx, Event::Tick, None);
    });
    class.timer(|cx| {
        say("timer");
        run(cx, Event::Timer, None);
    });
    class.function(&BEEP, |_, ()| say("beep"));
    class.function(&RING, |cx, ()| {
        say("ring");
        cx.clear_timers();
    });
    class.state("Coded").code(|code| {
        code.label("Again").run(|_| say("code")).sleep(0.0).goto("Again");
    });
    class.state("Deaf").ignore(Event::Timer).ignore_function(&BEEP);
    class.state("Loud").timer(|_| say("loud"));
});

// Its states have code.
define! { Walker "Test.Walker" { ready: bool } |class| {
    class.function(&ELSEWHERE, |_, ()| ());
    class.state("Walking").auto().code(|code| {
        code.run(|_| say("walk")).sleep(1.0).run(|_| say("stop"));
        code.label("Rest").run(|_| say("rest"));
    });
    class.state("Strolling").extends("Walking");
    class.state("Eager").code(|code| {
        code.wait_until(|cx| cx.ready).run(|_| say("ready"));
        code.sleep_for(|_| 0.5).run(|cx| cx.goto_state("Walking")).run(|_| say("never"));
    });
    class.state("Looping").code(|code| {
        code.label("Begin").goto("Begin");
    });
    class.state("Leaving").code(|code| {
        code.sleep_for(|cx| {
            cx.goto_state("Walking");
            9.0
        });
        code.run(|_| say("never"));
    });
    class.state("Doomed").code(|code| {
        code.run(|cx| _ = cx.destroy()).run(|_| panic!("after its end"));
    });
    class.state("Idle");
} }

// Inherits the code of all states but one.
define! { Runner "Test.Runner" Walker in walker { walker: Walker } |class| {
    class.state("Eager").code(|code| {
        code.run(|_| say("run"));
    });
} }

probe!(Wheel, "Test.Wheel", |class| {
    class.state("Still").tick(|cx, _| {
        say("still");
        run(cx, Event::Tick, None);
    });
    class.state("Flat").ignore(Event::Tick);
});

// Has no handler.
define! { Stone "Test.Stone" {} }

fn yes(it: bool) -> String {
    if it { "yes".into() } else { "no".into() }
}

const VERBS: &[Verb] = &[
    ("beep", |level, words| {
        yes(level.set_timer_of(words.actor(), &BEEP, words.number(), words.repeat()))
    }),
    ("ring", |level, words| {
        yes(level.set_timer_of(words.actor(), &RING, words.number(), words.repeat()))
    }),
    ("elsewhere", |level, words| {
        yes(level.set_timer_of(words.actor(), &ELSEWHERE, words.number(), words.repeat()))
    }),
    ("beeps", |level, words| {
        level.timer_of(words.actor(), &BEEP).map_or("none", |_| "some").into()
    }),
    ("label", |level, words| {
        level.goto_label(words.actor(), words.name(), words.name());
        yes(true)
    }),
    ("ready", |level, words| {
        let walker = level.cast::<Walker>(words.actor()).unwrap();
        level.get_mut(walker).unwrap().ready = true;
        yes(true)
    }),
    ("hundred", |level, _| {
        level.tick(1.0);
        scenario::said().iter().filter(|it| *it == "timer").count().to_string()
    }),
];

#[test]
fn ticks() {
    play("ticks", include_str!("scenarios/ticks.txt"), kinds!(Stone Wheel), &[]);
}

#[test]
fn timers_and_code() {
    play(
        "timers",
        include_str!("scenarios/timers.txt"),
        kinds!(Clock Keeper Walker Runner),
        VERBS,
    );
}

// Waits as long as it is told, in the code of its state and for its timer.
define! { Sleeper "Test.Sleeper" { seconds: f32, log: Vec<&'static str> } |class| {
    class.timer(|cx| cx.log.push("timer"));
    class.state("Asleep").code(|code| {
        code.sleep_for(|cx| cx.seconds).run(|cx| cx.log.push("awake"));
    });
} }

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

#[test]
fn a_timer_does_not_nest_in_the_tick_that_sets_it() {
    in_each(|level, recorder, _| {
        when(Event::Tick, |hand, _| {
            let me = hand.me();
            assert!(hand.others().set_timer(me, 0.5, Repeat::Once));
        });
        level.spawn::<Clock>(Spawn::new()).unwrap();
        let _ = recorder.take();
        level.tick(0.5);
        let traces = recorder.take();
        assert!(traces.iter().any(|it| it.to_string().contains("Timer")));
        assert!(traces.iter().all(|it| it.depth == 0), "{traces:?}");
    });
}
