//! Handlers that do anything: whatever they do, the level keeps its promises.

mod common;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use acedia_actors::{ActorRef, Event, Happening, Level, Recorder, Rules, Spawn, Stage, Trace, Vector};
use common::*;

/// Numbers that look random and are the same in each run (xorshift).
#[derive(Clone)]
struct Dice(Rc<Cell<u64>>);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(Rc::new(Cell::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)))
    }

    fn roll(&self, sides: usize) -> usize {
        let mut it = self.0.get();
        it ^= it << 13;
        it ^= it >> 7;
        it ^= it << 17;
        self.0.set(it);
        usize::try_from(it >> 33).unwrap() % sides
    }

    fn pick(&self, actors: &[ActorRef]) -> Option<ActorRef> {
        (!actors.is_empty()).then(|| actors[self.roll(actors.len())])
    }
}

/// Does one thing to somebody.
fn act(level: &mut impl Stage, dice: &Dice, known: &Rc<RefCell<Vec<ActorRef>>>) {
    let actors = known.borrow().clone();
    let one = dice.pick(&actors);
    let other = dice.pick(&actors).filter(|_| dice.roll(4) > 0);
    let step = |sides| f32::from(u8::try_from(dice.roll(sides)).unwrap()) * 15.0;
    let place = Vector::new(step(6), step(6), 0.0);
    let mut spawn = Spawn::new().at(place);
    if let Some(other) = other {
        spawn = spawn.owned_by(other);
    }
    let spawned = match dice.roll(8) {
        0 => level.spawn::<Thing>(spawn).map(ActorRef::any),
        1 => level.spawn::<Toucher>(spawn).map(ActorRef::any),
        _ => None,
    };
    known.borrow_mut().extend(spawned);
    match (dice.roll(8), one) {
        (2, Some(one)) => _ = level.destroy(one),
        (3, Some(one)) => _ = level.set_owner(one, other),
        (4, Some(one)) => _ = level.set_base(one, other),
        (5, Some(one)) => level.goto_state(one, ["Idle", "Busy", "None"][dice.roll(3)]),
        (6, Some(one)) => _ = level.set_location(one, place),
        (_, Some(one)) => assert_eq!(
            level.get::<Thing>(one.typed()).is_some(),
            level.cast::<Thing>(one).is_some()
        ),
        _ => {}
    }
}

/// What the traces so far say.
#[derive(Default)]
struct Books {
    made: BTreeSet<String>,
    dead: BTreeSet<String>,
    /// Who was told that it touches whom.
    touching: BTreeSet<(String, String)>,
    /// Children and the owner that gained them last.
    owners: BTreeMap<String, String>,
    seen: BTreeSet<&'static str>,
}

impl Books {
    fn enter(&mut self, trace: &Trace) {
        let on = trace.on.clone();
        assert!(!self.dead.contains(&on), "something happened to a dead actor: {trace}");
        let (event, about) = match &trace.happening {
            Happening::Made => {
                assert!(self.made.insert(on), "made twice: {trace}");
                return;
            }
            Happening::Dead => {
                self.touching.retain(|(receiver, _)| *receiver != on);
                self.owners.retain(|_, owner| *owner != on);
                self.owners.remove(&on);
                assert!(self.dead.insert(on), "dead twice: {trace}");
                return;
            }
            Happening::Event { event, argument } => (*event, argument.clone().unwrap_or_default()),
            _ => return,
        };
        self.seen.insert(event.name());
        match event {
            Event::Touch => assert!(self.touching.insert((on, about)), "touched twice: {trace}"),
            Event::UnTouch => assert!(self.touching.remove(&(on, about)), "never touched: {trace}"),
            Event::GainedChild => assert!(self.owners.insert(about, on).is_none(), "not lost before: {trace}"),
            Event::LostChild => {
                // Sent again, if a destruction is begun again.
                let owner = self.owners.remove(&about);
                assert!(owner.is_none_or(|owner| owner == on), "never gained: {trace}");
            }
            _ => {}
        }
    }
}

fn check(level: &Level, recorder: &Recorder, books: &mut Books, known: &[ActorRef]) {
    for trace in recorder.take() {
        books.enter(&trace);
    }
    for (receiver, other) in &books.touching {
        assert!(
            !books.dead.contains(other),
            "{receiver} was not told that it does not touch {other}"
        );
    }
    let alive: BTreeSet<_> = level.actors().map(|actor| level.name(actor).unwrap()).collect();
    for name in &books.made {
        assert_eq!(alive.contains(name), !books.dead.contains(name), "{name}");
    }
    for actor in level.actors() {
        let name = level.name(actor).unwrap();
        assert!(!level.is_pending_delete(actor), "{name} was left pending");
        let owner = level.owner(actor).map(|owner| level.name(owner).unwrap());
        if books.made.contains(&name) {
            assert_eq!(books.owners.get(&name), owner.as_ref(), "the owner of {name}");
        }
        for other in level.actors() {
            assert_eq!(level.is_touching(actor, other), level.is_touching(other, actor));
            let told = books.touching.contains(&(name.clone(), level.name(other).unwrap()));
            assert!(
                !told || level.is_touching(actor, other),
                "{name} was not told of an end"
            );
        }
    }
    for actor in known {
        if !level.is_alive(*actor) {
            assert!(level.get::<Thing>(actor.typed()).is_none() && level.class(*actor).is_none());
            assert!(level.owner(*actor).is_none() && level.base(*actor).is_none());
        }
    }
}

#[test]
fn whatever_handlers_do_the_level_keeps_its_promises() {
    let mut seen = BTreeSet::new();
    for number in 0..25 {
        for mut rules in all_rules() {
            // Deep enough for all that these programs do, so that no event is dropped.
            rules.depth_limit = 1000;
            run(number, rules, &mut seen);
        }
    }
    for wanted in [
        "Touch",
        "UnTouch",
        "GainedChild",
        "LostChild",
        "Attach",
        "Detach",
        "EndState",
        "Destroyed",
        "Tick",
    ] {
        assert!(seen.contains(wanted), "{wanted} was never seen");
    }
}

fn run(number: u64, rules: Rules, seen: &mut BTreeSet<&'static str>) {
    let (mut level, recorder) = level(rules);
    let dice = Dice::new(number);
    let known = Rc::new(RefCell::new(Vec::new()));
    let budget = Rc::new(Cell::new(0));
    let (hidden, names, left) = (dice.clone(), known.clone(), budget.clone());
    script(move |hand, _, _| {
        if left.get() > 0 && hidden.roll(3) == 0 {
            left.set(left.get() - 1);
            act(&mut hand.others(), &hidden, &names);
        }
    });
    let mut books = Books::default();
    for _ in 0..60 {
        budget.set(25);
        if dice.roll(10) == 0 {
            level.tick(0.1);
        } else {
            act(&mut level, &dice, &known);
        }
        check(&level, &recorder, &mut books, &known.borrow());
    }
    budget.set(0);
    for actor in known.borrow().iter() {
        if level.is_alive(*actor) {
            assert!(level.destroy(*actor));
        }
    }
    check(&level, &recorder, &mut books, &known.borrow());
    assert_eq!(books.made.len(), books.dead.len());
    assert!(books.touching.is_empty() && books.owners.is_empty());
    seen.extend(books.seen);
}
