//! Programs of handlers that do anything, and the promises that the level keeps whatever they do.
//!
//! The test `random_programs` plays those that dice make up, the fuzz target `actors` those that the fuzzer does.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use acedia_actors::{
    ActorRef, Event, Happening, Level, PostBeginPlaySlot, Recorder, Rules, Spawn, Stage, Trace, Vector,
};

use super::common::{Crew, Soldier, Thing, Toucher, furnished, script};

/// Where the decisions of a program come from.
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

/// Does one thing to somebody.
fn act(level: &mut impl Stage, dice: &Dice, known: &Rc<RefCell<Vec<ActorRef>>>) {
    let actors = known.borrow().clone();
    let one = dice.pick(&actors);
    let other = dice.pick(&actors).filter(|_| dice.roll(4) > 0);
    let step = |sides| f32::from(u8::try_from(dice.roll(sides)).unwrap()) * 15.0;
    let place = Vector::new(step(6), step(6), 22.0);
    let mut spawn = Spawn::new().at(place);
    if let Some(other) = other {
        spawn = spawn.owned_by(other);
    }
    let spawned = match dice.roll(16) {
        0 | 1 => level.spawn::<Thing>(spawn).map(ActorRef::any),
        2 => level.spawn::<Toucher>(spawn).map(ActorRef::any),
        3 => level.spawn::<Crew>(spawn).map(ActorRef::any),
        4 => level.spawn::<Soldier>(spawn).map(ActorRef::any),
        _ => None,
    };
    known.borrow_mut().extend(spawned);
    let Some(one) = one else { return };
    let state = ["Idle", "Busy", "Ready", "None"][dice.roll(4)];
    match dice.roll(11) {
        2 => _ = level.destroy(one),
        3 => _ = level.set_owner(one, other),
        4 => _ = level.set_base(one, other),
        5 => level.goto_state(one, state),
        6 => _ = level.set_location(one, place),
        7 => level.force_state(one, state),
        8 => _ = level.push_state(one, state),
        9 => _ = level.pop_state(one),
        10 => _ = level.pop_all_states(one),
        _ => assert_eq!(
            level.get::<Thing>(one.typed()).is_some(),
            level.cast::<Thing>(one).is_some()
        ),
    }
}

/// What the traces so far say.
#[derive(Default)]
struct Books {
    /// The events that a spawn sends to the actor itself, in their order.
    sequence: Vec<Event>,
    made: BTreeSet<String>,
    dead: BTreeSet<String>,
    /// How many events of the sequence each actor was sent.
    begun: BTreeMap<String, usize>,
    /// The step that the destruction of each actor has come to.
    ending: BTreeMap<String, u32>,
    /// Who was told that it touches whom.
    touching: BTreeSet<(String, String)>,
    /// Children and the owner that gained them last.
    owners: BTreeMap<String, String>,
    seen: BTreeSet<&'static str>,
}

impl Books {
    fn new(rules: &Rules) -> Self {
        let late = match rules.post_begin_play_slot {
            PostBeginPlaySlot::InsteadOfPostNetBeginPlay => Event::PostBeginPlay,
            _ => Event::PostNetBeginPlay,
        };
        let steps = [
            (rules.physics_init, Event::InitPhysics),
            (rules.spawned, Event::Spawned),
            (rules.native_spawned, Event::NativeSpawned),
            (true, Event::PreBeginPlay),
            (rules.begin_play, Event::BeginPlay),
            (late != Event::PostBeginPlay, Event::PostBeginPlay),
            (rules.native_post_begin_play, Event::NativePostBeginPlay),
            (true, Event::SetInitialState),
            (true, late),
        ];
        let there = steps.into_iter().filter(|(there, _)| *there);
        Self {
            sequence: there.map(|(_, event)| event).collect(),
            ..Self::default()
        }
    }

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
                if self.made.contains(&on) {
                    assert!(self.ending.contains_key(&on), "dead without a Destroyed: {trace}");
                }
                assert!(self.dead.insert(on), "dead twice: {trace}");
                return;
            }
            Happening::Event { event, argument } => (*event, argument.clone().unwrap_or_default()),
            _ => return,
        };
        self.seen.insert(event.name());
        if trace.row.starts_with('Q') && self.sequence.contains(&event) {
            // Each event of the sequence once, and no one before those that come first.
            let begun = self.begun.entry(on.clone()).or_default();
            assert_eq!(self.sequence.get(*begun), Some(&event), "out of order: {trace}");
            *begun += 1;
        }
        self.enter_ending(trace.row, event, &on, &about);
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

    /// Steps of a destruction only go on, unless another one of the same actor begins inside.
    fn enter_ending(&mut self, row: &str, event: Event, on: &str, about: &str) {
        let Some(step) = row.strip_prefix('K').and_then(|step| step.parse::<u32>().ok()) else {
            return;
        };
        let dying = match (step, event) {
            (2 | 3, _) | (4, Event::BaseChange) | (5, Event::Detach) => on,
            (4 | 6 | 7, _) => about,
            // Of those that were based on it.
            _ => return,
        };
        let before = self.ending.insert(dying.to_owned(), step);
        let begins = step <= 3;
        assert!(
            begins || before.is_some_and(|before| before >= 3 && before <= step),
            "{row} {event} of {dying} after K{before:?}"
        );
    }
}

/// Looks at the whole level; at each pair of actors, too, if there is `time` for that.
fn check(level: &Level, recorder: &Recorder, books: &mut Books, known: &[ActorRef], time: bool) {
    for trace in recorder.take() {
        books.enter(&trace);
    }
    let named: BTreeMap<_, _> = level
        .actors()
        .map(|actor| (level.name(actor).unwrap(), actor))
        .collect();
    for name in &books.made {
        assert_eq!(named.contains_key(name), !books.dead.contains(name), "{name}");
        let begun = books.begun.get(name).copied().unwrap_or(0);
        assert!(
            begun == books.sequence.len() || books.dead.contains(name),
            "{name} was left after {begun} events of its spawn"
        );
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
            assert_eq!(books.owners.get(name), owner.as_ref(), "the owner of {name}");
        }
        let paused = level.paused_states(actor);
        assert!(!paused.contains(&level.state(actor)), "{name} has {paused:?} below");
        for &other in named.values().filter(|_| time) {
            assert_eq!(level.is_touching(actor, other), level.is_touching(other, actor));
        }
    }
    for actor in known {
        if !level.is_alive(*actor) {
            assert!(level.get::<Thing>(actor.typed()).is_none() && level.class(*actor).is_none());
            assert!(level.owner(*actor).is_none() && level.base(*actor).is_none());
            assert!(level.name(*actor).is_none(), "not reclaimed");
        }
    }
}

/// Plays a program of so many rounds, and gives the events that were seen.
pub(crate) fn play(dice: &Dice, mut rules: Rules, rounds: usize) -> BTreeSet<&'static str> {
    // Deep enough for all that a program does, so that no event is dropped.
    rules.depth_limit = 1000;
    let mut books = Books::new(&rules);
    let (mut level, recorder, _) = furnished(rules);
    let before = level.actors().count();
    let known = Rc::new(RefCell::new(Vec::new()));
    let budget = Rc::new(Cell::new(0));
    let (hidden, names, left) = (dice.clone(), known.clone(), budget.clone());
    script(move |hand, _, _| {
        if left.get() > 0 && hidden.roll(3) == 0 {
            left.set(left.get() - 1);
            act(&mut hand.others(), &hidden, &names);
        }
    });
    for round in 0..rounds {
        budget.set(25);
        if dice.roll(10) == 0 {
            level.tick(0.1);
        } else {
            act(&mut level, dice, &known);
        }
        check(&level, &recorder, &mut books, &known.borrow(), round % 10 == 9);
    }
    budget.set(0);
    for actor in known.borrow().iter() {
        if level.is_alive(*actor) {
            assert!(level.destroy(*actor));
        }
    }
    // Those that were spawned in a spawn that gave nothing, or another actor.
    let left: Vec<_> = level.actors().skip(before).collect();
    assert!(left.into_iter().all(|actor| level.destroy(actor)));
    check(&level, &recorder, &mut books, &known.borrow(), true);
    assert_eq!(level.actors().count(), before);
    assert_eq!(books.made.len(), books.dead.len());
    assert!(books.touching.is_empty() && books.owners.is_empty());
    script(|_, _, _| ());
    books.seen
}
