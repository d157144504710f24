//! Actors with functions, timers and code, and what follows from the commands to them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use acedia_actors::{ActorRef, Event, Function, Happening, Name, Repeat, Rules, Stage, Trace, Warning};

use super::super::common::{Answers, Probe, Thing, probe, run};
use super::Dice;

/// The seconds of a frame. Rates are multiples of half of it, so that no sum is rounded.
pub(crate) const FRAME: f32 = 0.125;

static POKE: Function<Clock, u32, u32> = Function::new("Poke");
static CHIME: Function<Clock> = Function::new("Chime");

probe!(
    Clock,
    "Test.Clock",
    |class| {
        class.timer(|cx| run(cx, Event::Timer, None));
        class.function(&CHIME, |cx, ()| run(cx, Event::Timer, None));
        class.function(&POKE, |cx, number| {
            run(cx, Event::Touch, None);
            number + 1
        });
        class.state("Busy").function(&POKE, |cx, number| {
            run(cx, Event::Touch, None);
            cx.inherited().call(&POKE, number) + 10
        });
        class.state("Ready").function(&POKE, |cx, number| {
            run(cx, Event::Touch, None);
            cx.global().call(&POKE, number) + 100
        });
        let mut winding = class.state("Winding");
        winding.ignore_function(&POKE);
        winding.code(|code| {
            // No clock is sent an event of this name.
            code.label("Begin").run(|cx| run(cx, Event::InitGame, None));
            code.sleep(2.0 * FRAME).goto("Begin");
        });
    },
    parent = Thing
);
probe!(
    Cuckoo,
    "Test.Cuckoo",
    |class| class.function(&POKE, |cx, number| {
        run(cx, Event::Touch, None);
        cx.inherited().call(&POKE, number) * 2
    }),
    parent = Clock
);

/// The result of `POKE`. None, if the actor does not have the function.
fn poked(level: &impl Stage, actor: ActorRef, number: u32) -> Option<u32> {
    let doubled = level.cast::<Cuckoo>(actor).is_some();
    level.cast::<Clock>(actor)?;
    let of_class = (number + 1) * if doubled { 2 } else { 1 };
    Some(match level.state(actor).as_str() {
        "Winding" => 0,
        "Busy" => number + 11,
        "Ready" => of_class + 100,
        _ => of_class,
    })
}

/// A timer, and how many frames it may have counted: some begin or pause in the middle of a frame.
struct Running {
    rate: f32,
    repeat: Repeat,
    least: u16,
    most: u16,
    ends: u32,
    is_paused: bool,
    /// Set, paused or continued in the current frame.
    is_new: bool,
}

/// The code of a clock: frames since its last step, and since anything was done to its state.
#[derive(Default)]
struct Winding {
    since_step: Option<u32>,
    undisturbed: u32,
}

/// The timers and codes of all clocks, by their names. Clones share one book.
#[derive(Clone, Default)]
pub(crate) struct Clocks(Arc<Mutex<Book>>);

#[derive(Default)]
struct Book {
    timers: BTreeMap<(String, &'static str), Running>,
    winding: BTreeMap<String, Winding>,
    is_in_frame: bool,
    ends: u32,
    steps: u32,
}

impl Clocks {
    fn book<R>(&self, work: impl FnOnce(&mut Book) -> R) -> R {
        work(&mut self.0.lock().unwrap())
    }

    /// Something is happening.
    pub(crate) fn hear(&self, trace: &Trace) {
        self.book(|book| match &trace.happening {
            Happening::Event { event, .. } if *event == Event::Timer => book.end(&trace.on, "Timer"),
            Happening::Call { function: "Chime" } => book.end(&trace.on, "Chime"),
            Happening::Event { .. } if trace.row == "1.10" => book.disturb(&trace.on),
            Happening::Dead => {
                book.timers.retain(|(on, _), _| *on != trace.on);
                book.winding.remove(&trace.on);
            }
            _ => {}
        });
    }

    /// A step of the code of a clock.
    pub(crate) fn step(&self, level: &impl Stage, clock: ActorRef) {
        assert!(level.is_alive(clock), "the code of the dead runs");
        let name = level.name(clock).unwrap();
        assert_eq!(level.state(clock), Name::new("Winding"), "{name} has left its code");
        self.book(|book| {
            book.steps += 1;
            let winding = book.winding.entry(name).or_default();
            let early = winding.undisturbed > 2 && winding.since_step.is_some_and(|frames| frames < 2);
            assert!(!early, "a step too early");
            winding.since_step = Some(0);
        });
    }

    pub(crate) fn begin_frame(&self) {
        self.book(|book| book.is_in_frame = true);
    }

    /// Checks at the end of a frame which timers have run out, and which codes have taken a step.
    pub(crate) fn end_frame(&self, level: &impl Stage) {
        let winding = Name::new("Winding");
        let of = |actor| level.name(actor).zip((level.state(actor) == winding).then_some(()));
        let at_work: Vec<_> = level.actors().filter_map(of).map(|(name, ())| name).collect();
        self.book(|book| {
            book.is_in_frame = false;
            for ((name, kind), timer) in &mut book.timers {
                timer.most += u16::from(timer.is_new || !timer.is_paused);
                timer.least += u16::from(!timer.is_new && !timer.is_paused);
                timer.is_new = false;
                let times = |frames: u16| f32::from(frames) * FRAME / timer.rate;
                #[allow(clippy::cast_precision_loss, reason = "few")]
                let ends = timer.ends as f32;
                let few = ends < times(timer.least).floor();
                assert!(!few, "{kind} of {name} is late: {ends} times in {} frames", timer.least);
                let many = ends > times(timer.most).floor();
                assert!(
                    !many,
                    "{kind} of {name} is early: {ends} times in {} frames",
                    timer.most
                );
            }
            for name in at_work {
                let winding = book.winding.entry(name.clone()).or_default();
                winding.undisturbed += 1;
                winding.since_step = winding.since_step.map(|frames| frames + 1);
                let late = winding.undisturbed > 3 && winding.since_step.is_none_or(|frames| frames > 2);
                assert!(!late, "the code of {name} stands still");
            }
        });
    }

    /// Does one thing to a clock, or to an actor of another class.
    pub(crate) fn command(&self, level: &mut impl Stage, dice: &Dice, one: ActorRef, rules: &Rules) {
        let name = level.name(one).filter(|_| level.is_alive(one));
        let is_clock = level.cast::<Clock>(one).is_some();
        match dice.roll(5) {
            0 => {
                let number = u32::try_from(dice.roll(9)).unwrap();
                let expected = poked(level, one, number);
                let lacks = level.class(one).filter(|_| !is_clock);
                level.take_warnings();
                assert_eq!(level.call(one, &POKE, number), expected.unwrap_or(0));
                let warnings = level.take_warnings();
                match lacks {
                    _ if name.is_none() => assert_eq!(warnings, [Warning::AccessedNone]),
                    Some(class) => assert_eq!(warnings, [Warning::NoFunction(class, "Poke")]),
                    // Its body may have done anything.
                    None => {}
                }
            }
            1 => {
                let repeat = [Repeat::Once, Repeat::Looping][dice.roll(2)];
                let rate = f32::from(u8::try_from(dice.roll(7)).unwrap()) * FRAME / 2.0;
                let kind = ["Timer", "Chime"][dice.roll(2)];
                let named = kind == "Chime";
                let runs = if named {
                    level.set_timer_of(one, &CHIME, rate, repeat)
                } else {
                    level.set_timer(one, rate, repeat)
                };
                let can = name.is_some() && (!named || rules.named_timers && is_clock);
                assert_eq!(runs, can && rate > 0.0, "{kind} of {name:?}");
                if let Some(name) = name.filter(|_| can) {
                    self.book(|book| book.set(name, kind, runs.then_some((rate, repeat))));
                }
            }
            2 => {
                let (kind, is_paused) = (["Timer", "Chime"][dice.roll(2)], dice.roll(2) == 0);
                let done = if kind == "Chime" {
                    level.pause_timer_of(one, &CHIME, is_paused)
                } else {
                    level.pause_timer(one, is_paused)
                };
                let paused = self.book(|book| book.pause(name.unwrap_or_default(), kind, is_paused));
                assert_eq!(done, paused, "a timer that runs can be paused");
            }
            3 if dice.roll(3) == 0 => {
                level.clear_timers(one);
                self.book(|book| book.timers.retain(|(on, _), _| Some(on) != name.as_ref()));
            }
            _ => {
                if let Some(name) = name {
                    self.book(|book| book.disturb(&name));
                }
                level.goto_state(one, "Winding");
            }
        }
        level.take_warnings();
    }

    /// Whether the timers of the living are those of the book.
    pub(crate) fn check(&self, level: &impl Stage) {
        self.book(|book| {
            let mut running = 0;
            for actor in level.actors() {
                let name = level.name(actor).unwrap();
                for (kind, timer) in [("Timer", level.timer(actor)), ("Chime", level.timer_of(actor, &CHIME))] {
                    let expected = book.timers.get(&(name.clone(), kind));
                    let of = |it: &Running| (it.rate, it.repeat, it.is_paused);
                    let seen = timer.map(|it| (it.rate, it.repeat, it.is_paused));
                    assert_eq!(seen, expected.map(of), "{kind} of {name}");
                    running += usize::from(timer.is_some());
                }
            }
            assert_eq!(running, book.timers.len());
        });
    }

    /// How often timers have run out, and how many steps of codes there were.
    pub(crate) fn seen(&self) -> (u32, u32) {
        self.book(|book| (book.ends, book.steps))
    }
}

impl Book {
    fn set(&mut self, name: String, kind: &'static str, to: Option<(f32, Repeat)>) {
        self.timers.remove(&(name.clone(), kind));
        if let Some((rate, repeat)) = to {
            let timer = Running {
                rate,
                repeat,
                least: 0,
                most: 0,
                ends: 0,
                is_paused: false,
                is_new: self.is_in_frame,
            };
            self.timers.insert((name, kind), timer);
        }
    }

    fn pause(&mut self, name: String, kind: &'static str, is_paused: bool) -> bool {
        let Some(timer) = self.timers.get_mut(&(name, kind)) else {
            return false;
        };
        timer.is_paused = is_paused;
        timer.is_new |= self.is_in_frame;
        true
    }

    /// A timer has run out.
    fn end(&mut self, name: &str, kind: &'static str) {
        assert!(self.is_in_frame, "{kind} of {name} outside of a frame");
        let key = (name.to_owned(), kind);
        let Some(timer) = self.timers.get_mut(&key) else {
            panic!("{name} has no {kind} that runs");
        };
        self.ends += 1;
        timer.ends += 1;
        if timer.repeat == Repeat::Once {
            let counted = f32::from(timer.most + 1) * FRAME;
            assert!(counted >= timer.rate, "{kind} of {name} is early");
            self.timers.remove(&key);
        }
    }

    fn disturb(&mut self, name: &str) {
        *self.winding.entry(name.to_owned()).or_default() = Winding::default();
    }
}
