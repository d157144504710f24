//! Programs of handlers that do anything, and the promises that the level keeps in each of them.
//!
//! The test `random_programs` plays random ones, the fuzz target `saves` those of the fuzzer.

mod books;
mod clocks;
mod journal;
mod quiet;
mod sequence;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use acedia_actors::{ActorRef, Event, Level, Rules, SavedLevel, Spawn, Stage, Vector};

use super::common::{Crew, Game, Judge, Soldier, Thing, Toucher, Volume, Zone, furnish, furnished, script, set_places};
use books::{Base, Books};
use clocks::{Clock, Cuckoo, FRAME};
use journal::Journal;
use sequence::{read, read_start_up};

/// The source of a program's decisions.
#[derive(Clone)]
pub(crate) struct Dice(Rc<RefCell<dyn FnMut() -> u32>>);

impl Dice {
    /// Decides by `numbers`, which may be anything.
    pub(crate) fn new(numbers: impl FnMut() -> u32 + 'static) -> Self {
        Self(Rc::new(RefCell::new(numbers)))
    }

    fn roll(&self, sides: usize) -> usize {
        usize::try_from(self.0.borrow_mut()()).unwrap() % sides
    }

    fn pick(&self, actors: &[ActorRef]) -> Option<ActorRef> {
        (!actors.is_empty()).then(|| actors[self.roll(actors.len())])
    }
}

/// The actors that a program knows, dead or alive.
type Known = Rc<RefCell<Vec<ActorRef>>>;

fn place(dice: &Dice) -> Vector {
    let step = || f32::from(u8::try_from(dice.roll(5)).unwrap()) * 15.0;
    Vector::new(step(), step(), 22.0)
}

/// Checks the whole level, and with `time` each pair of actors, too.
fn check(level: &Level, rules: &Rules, books: &Books, known: &[ActorRef], time: bool) {
    let named: BTreeMap<_, _> = level
        .actors()
        .map(|actor| (level.name(actor).unwrap(), actor))
        .collect();
    for name in &books.made {
        assert_eq!(named.contains_key(name), !books.dead.contains(name), "{name}");
    }
    for (receiver, other) in &books.touching {
        let both = named.get(receiver).zip(named.get(other));
        assert!(
            both.is_some_and(|(receiver, other)| level.is_touching(*receiver, *other)),
            "{receiver} was not told of an end"
        );
    }
    for (name, &actor) in &named {
        assert!(!level.is_pending_delete(actor), "{name} was left pending");
        let owner = level.owner(actor).map(|owner| level.name(owner).unwrap());
        if books.made.contains(name) {
            assert_eq!(books.owner(name), owner, "the owner of {name}");
            let base = level.base(actor).map(|base| {
                if Some(base) == level.level_info() {
                    Base::Level
                } else {
                    Base::Actor(level.name(base).unwrap())
                }
            });
            assert_eq!(books.base(name), base.as_ref(), "the base of {name}");
        }
        let state = books.state(name).unwrap_or(level.state(actor));
        assert_eq!(state, level.state(actor), "the state of {name}");
        let paused = level.paused_states(actor);
        assert!(!paused.contains(&level.state(actor)), "{name} has {paused:?} below");
        for (its_name, &other) in named.iter().filter(|_| time) {
            let touching = level.is_touching(actor, other);
            assert_eq!(touching, level.is_touching(other, actor));
            // Where touches are limited, one actor may have been full.
            let meets = meets(level, actor, other);
            let may_differ = meets && rules.touch_limit.is_some();
            assert!(
                touching == meets || may_differ,
                "{name} and {its_name} touch: {touching}"
            );
            let told = books.touching.contains(&(name.clone(), its_name.clone()));
            assert_eq!(touching, told, "{name} and whether it was told of {its_name}");
        }
    }
    for actor in known {
        if !level.is_alive(*actor) {
            assert!(level.cast::<Thing>(*actor).is_none() && level.class(*actor).is_none());
            assert!(level.owner(*actor).is_none() && level.base(*actor).is_none());
            assert!(level.name(*actor).is_none(), "not reclaimed");
        }
    }
}

/// Whether two actors collide, overlap and do not block each other.
fn meets(level: &Level, one: ActorRef, other: ActorRef) -> bool {
    let look = |actor| (level.properties(actor).unwrap(), level.location(actor).unwrap());
    let ((it, at), (its, there)) = (look(one), look(other));
    let collide = one != other && it.collide_actors && its.collide_actors;
    collide && !(it.block_actors && its.block_actors) && it.shape.overlaps(at, its.shape, there)
}

/// The actions of a program and their targets.
#[derive(Clone)]
struct Hands {
    dice: Dice,
    rules: Rules,
    journal: Journal,
    known: Known,
    /// How many more actions handlers take.
    budget: Rc<Cell<u32>>,
}

impl Hands {
    /// From now on, the handlers of `level` do what the dice say, and the journal records it.
    fn begin(&self, level: &mut Level) {
        level.set_sink(self.journal.clone());
        let it = self.clone();
        script(move |hand, event, _| {
            if event == Event::InitGame && hand.is("Clock") {
                let me = hand.me();
                it.journal.clocks.step(&hand.others(), me);
            }
            if it.budget.get() > 0 && it.dice.roll(3) == 0 {
                it.budget.set(it.budget.get() - 1);
                it.journal.act();
                it.act(&mut hand.others());
            }
        });
    }

    /// Maybe spawns an actor, and does one thing to an actor.
    fn act(&self, level: &mut impl Stage) {
        self.spawn(level);
        self.command(level);
    }

    fn spawn(&self, level: &mut impl Stage) {
        let (dice, known) = (&self.dice, &self.known);
        let owner = dice.pick(&known.borrow()).filter(|_| dice.roll(4) > 0);
        let mut spawn = Spawn::new().at(place(dice));
        if let Some(owner) = owner {
            spawn = spawn.owned_by(owner);
        }
        let spawned = match dice.roll(20) {
            0 | 1 => level.spawn::<Thing>(spawn).map(ActorRef::any),
            2 => level.spawn::<Toucher>(spawn).map(ActorRef::any),
            3 => level.spawn::<Crew>(spawn).map(ActorRef::any),
            4 => level.spawn::<Soldier>(spawn).map(ActorRef::any),
            5 => level.spawn::<Clock>(spawn).map(ActorRef::any),
            6 => level.spawn::<Cuckoo>(spawn).map(ActorRef::any),
            _ => None,
        };
        known.borrow_mut().extend(spawned);
    }

    fn command(&self, level: &mut impl Stage) {
        let dice = &self.dice;
        let actors = self.known.borrow().clone();
        let Some(one) = dice.pick(&actors) else { return };
        let other = dice.pick(&actors).filter(|_| dice.roll(4) > 0);
        let state = ["Idle", "Busy", "Ready", "None"][dice.roll(4)];
        match dice.roll(16) {
            2 => _ = level.destroy(one),
            3 => _ = level.set_owner(one, other),
            4 => _ = level.set_base(one, other),
            5 => level.goto_state(one, state),
            6 => _ = level.set_location(one, place(dice)),
            7 => level.force_state(one, state),
            8 => _ = level.push_state(one, state),
            9 => _ = level.pop_state(one),
            10 => _ = level.pop_all_states(one),
            11.. => self.journal.clocks.command(level, dice, one, &self.rules),
            _ => assert_eq!(level.cast::<Thing>(one).is_some(), level.cast::<Thing>(one).is_some()),
        }
    }
}

/// A program, and what is known of its level.
struct Program {
    hands: Hands,
    books: Books,
}

impl Program {
    fn new(dice: &Dice, mut rules: Rules) -> Self {
        // Deep enough for all that a program does, so that no event is dropped.
        rules.depth_limit = 1000;
        // Sanitizers make stack frames several times as large.
        rules.stack_limit = 6 << 20;
        Self {
            hands: Hands {
                dice: dice.clone(),
                rules,
                journal: Journal::default(),
                known: Rc::default(),
                budget: Rc::default(),
            },
            books: Books::default(),
        }
    }

    /// Does one thing while the handlers do nothing, so that all that must happen is known.
    fn act_in_quiet(&mut self, level: &mut Level) {
        self.hands.budget.set(0);
        self.books.recent.clear();
        let before = quiet::look(level);
        if self.hands.dice.roll(3) == 0 {
            self.hands.spawn(level);
        } else {
            self.hands.command(level);
        }
        self.check(level, false);
        quiet::compare(&before, &quiet::look(level), &self.hands.rules, &self.books.recent);
    }

    /// One frame. Every actor alive at its end has ticked, even one spawned in it.
    fn tick(&mut self, level: &mut Level) {
        self.books.recent.clear();
        let clocks = self.hands.journal.clocks.clone();
        clocks.begin_frame();
        level.tick(FRAME);
        clocks.end_frame(level);
        self.check(level, false);
        for name in self.books.made.difference(&self.books.dead) {
            let tick = ("Tick", name.clone(), FRAME.to_string());
            assert!(self.books.recent.contains(&tick), "{name} has not ticked");
        }
    }

    fn check(&mut self, level: &Level, time: bool) {
        read(&self.hands.journal.take(), &self.hands.rules, &mut self.books);
        check(level, &self.hands.rules, &self.books, &self.hands.known.borrow(), time);
        self.hands.journal.clocks.check(level);
    }

    /// Saves the level and goes on in the restored one, in which all actors have the same names.
    fn restore(&mut self, level: &mut Level) {
        let json = |level: &Level| serde_json::to_string(&level.save().unwrap()).unwrap();
        let before = json(level);
        let saved: SavedLevel = serde_json::from_str(&before).unwrap();
        let mut after = Level::restore(self.hands.rules.clone(), &saved).unwrap();
        let zone = after.all::<Zone>().next(&after).unwrap();
        let volume = after.all::<Volume>().next(&after).unwrap();
        set_places(&mut after, zone, volume);
        assert_eq!(before, json(&after));
        after.set_sink(self.hands.journal.clone());
        let named: BTreeMap<_, _> = after.actors().map(|it| (after.name(it), it)).collect();
        // The dead are not in the saved level.
        let living = |known: &ActorRef| level.is_alive(*known).then(|| named[&level.name(*known)]);
        let known = self.hands.known.borrow().iter().filter_map(living).collect();
        self.hands.known.replace(known);
        *level = after;
        self.check(level, false);
    }

    /// Destroys all actors after the first `before`. Returns the events that were seen, and a hash of the trace.
    fn end(mut self, mut level: Level, before: usize) -> (BTreeSet<&'static str>, u64) {
        self.hands.budget.set(0);
        let known = self.hands.known.borrow().clone();
        for actor in known {
            if level.is_alive(actor) {
                assert!(level.destroy(actor));
            }
        }
        // Actors whose spawn gave nothing, or another actor.
        let left: Vec<_> = level.actors().skip(before).collect();
        assert!(left.into_iter().all(|actor| level.destroy(actor)));
        self.check(&level, true);
        assert_eq!(level.actors().count(), before);
        assert_eq!(self.books.made.len(), self.books.dead.len());
        assert!(self.books.touching.is_empty() && self.books.owners.is_empty());
        script(|_, _, _| ());
        let (ends, steps) = self.hands.journal.clocks.seen();
        self.books.seen.extend((ends > 0).then_some("the end of a timer"));
        self.books.seen.extend((steps > 0).then_some("a step of code"));
        (self.books.seen, self.hands.journal.trail.load(Ordering::Relaxed))
    }
}

/// Plays a program of `rounds` rounds. Returns the events that were seen, and a hash of the trace.
pub(crate) fn play(dice: &Dice, rules: Rules, rounds: usize) -> (BTreeSet<&'static str>, u64) {
    let mut program = Program::new(dice, rules);
    let (mut level, _, _) = furnished(program.hands.rules.clone());
    program.books.has_notifier = true;
    let before = level.actors().count();
    program.hands.begin(&mut level);
    for round in 0..rounds {
        program.hands.budget.set(25);
        match dice.roll(10) {
            0..=2 => program.tick(&mut level),
            3..=6 => program.act_in_quiet(&mut level),
            _ => program.hands.act(&mut level),
        }
        program.check(&level, round % 10 == 9);
        if round % 8 == 7 {
            program.restore(&mut level);
        }
    }
    program.end(level, before)
}

/// Numbers that look random and are the same in each run (xorshift).
#[allow(dead_code, reason = "the fuzzer has numbers of its own")]
pub(crate) fn dice(seed: u64) -> Dice {
    let mut it = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    Dice::new(move || {
        it ^= it << 13;
        it ^= it >> 7;
        it ^= it << 17;
        u32::try_from(it >> 33).unwrap()
    })
}

/// Starts play in a level with `actors` actors. Returns the events that were seen.
pub(crate) fn start_up(dice: &Dice, rules: Rules, actors: usize) -> BTreeSet<&'static str> {
    let mut program = Program::new(dice, rules);
    let mut level = Level::new(program.hands.rules.clone());
    furnish(&mut level);
    let game = level.place::<Game>(Spawn::new()).unwrap();
    let judge = level.place::<Judge>(Spawn::new()).unwrap();
    level.set_game(game);
    level.add_mutator(judge);
    let before = level.actors().count();
    program.hands.begin(&mut level);
    let view = quiet::look(&level);
    for number in 0..actors {
        // Far enough from each other.
        let x = 50.0 * f32::from(u8::try_from(number).unwrap());
        let place = Spawn::new().at(Vector::new(x, 0.0, 22.0));
        let placed = match dice.roll(3) {
            0 => level.place::<Thing>(place).map(ActorRef::any),
            1 => level.place::<Toucher>(place).map(ActorRef::any),
            _ => level.place::<Crew>(place).map(ActorRef::any),
        };
        program.hands.known.borrow_mut().push(placed.unwrap());
    }
    // The actors of the map are made before play: no sequence belongs to them.
    for node in program.hands.journal.take() {
        program.books.enter(&node.trace);
    }
    let placed: Vec<_> = program
        .hands
        .known
        .borrow()
        .iter()
        .map(|it| level.name(*it).unwrap())
        .collect();
    program.books.recent.clear();
    let budget = [0, 25][dice.roll(2)];
    program.hands.budget.set(budget);
    level.begin_play("");
    read_start_up(
        &program.hands.journal.take(),
        &placed,
        &program.hands.rules,
        &mut program.books,
    );
    program.check(&level, true);
    if budget == 0 {
        quiet::compare(&view, &quiet::look(&level), &program.hands.rules, &program.books.recent);
    }
    program.end(level, before).0
}
