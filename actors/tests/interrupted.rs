//! 1.5 and bad handlers: if the actor is destroyed or the handler panics in any event of a spawn or a destruction, the sequence
//! ends as it should, and the level is usable. Each event is tried, one at a time.

mod common;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use acedia_actors::{Actor, ActorRef, Event, Level, Recorder, Rules, Spawn, SpawnEx, Stage, Vector, actor};
use common::*;

probe!(Ram, "Test.Ram", |class| class.defaults(|it| {
    it.collide_actors = true;
    it.block_actors = true;
}));

/// One event in `STRIDE` is tried.
const STRIDE: usize = if cfg!(miri) { 7 } else { 1 };

/// The action of a handler when its turn has come.
#[derive(Clone, Copy, PartialEq)]
enum Deed {
    Nothing,
    Destroy,
    Panic,
}

/// From now on, does `deed` in event number `turn` to the actor of the class `short` that the event is for or about. Returns the
/// number of such events so far.
fn in_event(turn: usize, short: &'static str, deed: Deed) -> Rc<Cell<usize>> {
    let events = Rc::new(Cell::new(0));
    let count = events.clone();
    script(move |hand, event, about| {
        let target = if hand.is(short) { Some(hand.me()) } else { about };
        let Some(target) = target.filter(|it| hand.others().class(*it).is_some_and(|it| it.short_name() == short))
        else {
            return;
        };
        count.set(count.get() + 1);
        if count.get() - 1 == turn {
            match deed {
                Deed::Nothing => {}
                Deed::Destroy => assert!(hand.others().destroy(target)),
                Deed::Panic => panic!("on purpose, in {event}"),
            }
        }
    });
    events
}

/// Spawns an actor of `T` with everything.
fn spawn<T: Actor>(level: &mut Level, keeper: ActorRef<Keeper>, no_fail: bool) -> Option<ActorRef> {
    let spawn = Spawn::new().owned_by(keeper).at(Vector::new(0.0, 0.0, 22.0));
    let request = SpawnEx {
        spawn,
        no_fail,
        ..SpawnEx::default()
    };
    level.spawn_ex(Some(T::class()), &request).ok()
}

/// The stage, with an actor to bump into.
fn stage(rules: Rules) -> (Level, Recorder, ActorRef<Keeper>) {
    let (mut level, recorder, keeper) = furnished(rules);
    let at = Vector::new(20.0, 0.0, 22.0);
    level.spawn::<Blocker>(Spawn::new().at(at)).unwrap();
    let _ = recorder.take();
    (level, recorder, keeper)
}

/// Tries each event that `work` sends to or about an actor of the class `short`: `test` repeats the work with `deed` in that event.
fn in_each_event<R>(
    rules: &Rules,
    (short, deed, least): (&'static str, Deed, usize),
    work: impl Fn(&mut Level, ActorRef<Keeper>) -> R,
    test: impl Fn(usize, &mut Level, &Recorder, ActorRef<Keeper>),
) {
    let (mut level, _, keeper) = stage(rules.clone());
    let events = in_event(usize::MAX, short, Deed::Nothing);
    work(&mut level, keeper);
    let events = events.get();
    assert!(events >= least, "{events}");
    for turn in (0..events).step_by(STRIDE) {
        let (mut level, recorder, keeper) = stage(rules.clone());
        in_event(turn, short, deed);
        test(turn, &mut level, &recorder, keeper);
    }
}

fn destroyed_in_each_event<T: Actor>(least: usize) {
    let short = T::class().short_name();
    for (rules, no_fail) in all_rules()
        .into_iter()
        .flat_map(|rules| [(rules.clone(), false), (rules, true)])
    {
        let work = |level: &mut Level, keeper| spawn::<T>(level, keeper, no_fail);
        in_each_event(
            &rules,
            (short, Deed::Destroy, least),
            work,
            |turn, level, recorder, keeper| {
                let before = level.actors().count();
                let result = work(level, keeper);
                let steps = steps(recorder);
                let death = format!("K9 - {short}");
                let dead = steps.iter().position(|step| *step == death).expect("it was destroyed");
                let names = [format!(" {short}."), format!("({short})")];
                let about = |step: &String| names.iter().any(|name| step.contains(name));
                assert!(!steps[dead + 1..].iter().any(about), "event {turn}: {steps:#?}");
                // A notifier that gives a dead actor gives none, even with `no_fail`.
                let notified = steps.iter().any(|step| step.starts_with("Q15"));
                assert_eq!(result.is_some(), no_fail && !notified, "event {turn}: {steps:#?}");
                assert!(result.is_none_or(|actor| !level.is_alive(actor)));
                assert_eq!(level.actors().count(), before);
                assert!(
                    level
                        .actors()
                        .all(|it| level.owner(it).is_none() && level.base(it).is_none())
                );
            },
        );
    }
}

#[test]
fn destroyed_in_any_event_it_is_not_spawned() {
    destroyed_in_each_event::<Crew>(10);
    destroyed_in_each_event::<Ram>(10);
}

#[test]
fn a_panic_in_any_event_leaves_a_usable_level() {
    let everything = |level: &mut Level, keeper| {
        let actor = spawn::<Crew>(level, keeper, false).unwrap();
        level.set_base(actor, None);
        level.tick(0.1);
        level.destroy(actor)
    };
    for rules in all_rules() {
        in_each_event(
            &rules,
            ("Crew", Deed::Panic, 18),
            everything,
            |turn, level, recorder, keeper| {
                assert!(catch_unwind(AssertUnwindSafe(|| everything(level, keeper))).is_err());
                script(|_, _, _| ());
                // Every actor that collides is found where it is.
                for actor in level.actors().collect::<Vec<_>>() {
                    let properties = level.properties(actor).unwrap();
                    let (shape, collides) = (properties.shape, properties.collide_actors);
                    let here = level.overlapping(shape, level.location(actor).unwrap());
                    assert_eq!(here.contains(&actor), collides, "event {turn}: {:?}", level.name(actor));
                }
                // The remaining actors can be destroyed.
                let left: Vec<_> = level.actors().filter(|it| level.cast::<Crew>(*it).is_some()).collect();
                assert!(left.into_iter().all(|actor| level.destroy(actor)), "event {turn}");
                let _ = recorder.take();
                assert!(everything(level, keeper));
                let steps = recorder.take();
                assert!(steps.iter().all(|step| step.depth < 6), "the depth was not restored");
                assert!(steps.iter().any(|step| step.row == "1.12"));
                assert!(
                    level
                        .actors()
                        .all(|it| !level.is_pending_delete(it) && level.owner(it).is_none())
                );
            },
        );
    }
}

/// An actor of `T` with everything around it, for a destruction.
fn life_of<T: Actor>(level: &mut Level, keeper: ActorRef<Keeper>) -> ActorRef {
    let actor = spawn::<T>(level, keeper, false).expect("it is spawned");
    level.set_base(actor, Some(keeper.any()));
    let rider = level.spawn::<Keeper>(Spawn::new()).unwrap();
    assert!(level.set_base(rider, Some(actor)) && !level.touching(actor).is_empty());
    actor
}

/// The events of a destruction without the numbers of names.
fn destruction(recorder: &Recorder) -> Vec<String> {
    steps(recorder)
        .into_iter()
        .filter(|step| step.starts_with('K'))
        .collect()
}

#[test]
fn an_actor_whose_spawn_panics_is_destroyed_by_all_the_rules() {
    for rules in all_rules() {
        let work = |level: &mut Level, keeper| spawn::<Crew>(level, keeper, false);
        in_each_event(
            &rules,
            ("Crew", Deed::Panic, 10),
            work,
            |turn, level, recorder, keeper| {
                let before = level.actors().collect::<Vec<_>>();
                let panic = catch_unwind(AssertUnwindSafe(|| spawn::<Crew>(level, keeper, turn % 2 == 0)));
                let message = panic.unwrap_err().downcast::<String>().unwrap();
                assert!(message.starts_with("on purpose"), "{message}");
                script(|_, _, _| ());
                assert_eq!(level.actors().collect::<Vec<_>>(), before, "event {turn}");
                for &actor in &before {
                    assert!(
                        level.touching(actor).iter().all(|it| before.contains(it)),
                        "event {turn}"
                    );
                    assert!(level.attached(actor).is_empty() && level.children(actor).is_empty());
                }
                let steps = steps(recorder);
                let mut rest = steps.iter();
                for step in ["K3 Crew.Destroyed()", "K7 Keeper.LostChild(Crew)", "K9 - Crew"] {
                    assert!(rest.any(|it| it == step), "event {turn}: no {step} in {steps:#?}");
                }
                // Each beginning has its end.
                let times = |what: &str| steps.iter().filter(|step| step.contains(what)).count();
                for [begins, ends] in [[".Touch(Crew)", ".UnTouch(Crew)"], [".Attach(Crew)", ".Detach(Crew)"]] {
                    assert_eq!(times(begins), times(ends), "event {turn}: {steps:#?}");
                }
            },
        );
    }
}

#[test]
fn a_panic_in_any_event_of_a_destruction_keeps_no_other_event_from_being_sent() {
    for rules in all_rules() {
        let whole = {
            let (mut level, recorder, keeper) = stage(rules.clone());
            let actor = life_of::<Crew>(&mut level, keeper);
            let _ = recorder.take();
            assert!(level.destroy(actor));
            destruction(&recorder)
        };
        let events = whole.len() - 1;
        assert!(events >= 7, "{whole:#?}");
        // In one event after the other, and then in all at once.
        for turn in (0..=events).step_by(STRIDE) {
            let (mut level, recorder, keeper) = stage(rules.clone());
            let actor = life_of::<Crew>(&mut level, keeper);
            let _ = recorder.take();
            let seen = Rc::new(Cell::new(0));
            let count = seen.clone();
            script(move |_, event, _| {
                count.set(count.get() + 1);
                assert!(count.get() - 1 != turn && turn < events, "on purpose, in {event}");
            });
            assert!(catch_unwind(AssertUnwindSafe(|| level.destroy(actor))).is_err());
            script(|_, _, _| ());
            assert_eq!(destruction(&recorder), whole, "event {turn}");
            assert_eq!(seen.get(), events);
            assert!(!level.is_alive(actor) && level.base(keeper).is_none() && level.children(keeper).is_empty());
            assert!(
                level
                    .actors()
                    .all(|it| level.base(it) != Some(actor) && !level.touching(it).contains(&actor))
            );
            let _ = recorder.take();
            level.tick(0.1);
            assert!(!steps(&recorder).iter().any(|step| step.contains("Crew")));
        }
    }
}

/// This includes classes whose actors can't be destroyed. A handler that catches the panic goes on.
#[test]
fn a_spawn_that_panics_inside_another_one_can_be_caught() {
    probe!(Rock, "Test.Rock", |class| class.defaults(|it| it.no_delete = true));
    for rules in all_rules() {
        let (mut level, recorder) = level(rules);
        script(|hand, event, _| match event {
            Event::PostBeginPlay if hand.is("Rock") => panic!("on purpose"),
            Event::PostBeginPlay if hand.is("Keeper") => {
                let request = SpawnEx {
                    no_fail: true,
                    ..SpawnEx::default()
                };
                let rock = || hand.others().spawn_ex(Some(Rock::class()), &request);
                assert!(catch_unwind(AssertUnwindSafe(rock)).is_err());
            }
            _ => {}
        });
        let keeper = level.spawn::<Keeper>(Spawn::new()).expect("it has caught the panic");
        script(|_, _, _| ());
        let steps = steps(&recorder);
        assert!(steps.contains(&"K9 - Rock".to_owned()), "{steps:#?}");
        assert!(level.is_alive(keeper) && level.all::<Rock>().next(&level).is_none());
    }
}

/// Counts its finalizers.
#[derive(Default)]
struct Mortal;
static FINALIZED: AtomicUsize = AtomicUsize::new(0);
impl Actor for Mortal {
    actor!(Mortal, "Test.Mortal");
    fn finalizer(&mut self) {
        FINALIZED.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_panic_that_leaves_the_level_leaves_no_dead_behind() {
    for rules in all_rules() {
        for way in ["spawn", "destroy", "state", "owner", "base", "tick", "variables"] {
            let (mut level, _) = level(rules.clone());
            let mortal = level.spawn::<Mortal>(Spawn::new()).unwrap();
            let keeper = level.spawn::<Keeper>(Spawn::new()).unwrap();
            let thing = level.spawn::<Thing>(Spawn::new()).unwrap();
            let received = level.receive(Thing::class(), Vector::default(), None).unwrap();
            script(move |hand, event, _| {
                if matches!(
                    event,
                    Event::PostBeginPlay
                        | Event::Destroyed
                        | Event::EndState
                        | Event::GainedChild
                        | Event::Attach
                        | Event::Tick
                        | Event::PostNetBeginPlay
                ) {
                    hand.others().destroy(mortal);
                    panic!("on purpose, in {event}");
                }
            });
            let before = FINALIZED.load(Ordering::Relaxed);
            let panic = catch_unwind(AssertUnwindSafe(|| match way {
                "spawn" => drop(level.spawn::<Thing>(Spawn::new())),
                "destroy" => drop(level.destroy(thing)),
                "state" => level.goto_state(thing, "Busy"),
                "base" => drop(level.set_base(thing, Some(keeper.any()))),
                "tick" => level.tick(0.1),
                "variables" => drop(level.finish_receive(received, &[])),
                _ => drop(level.set_owner(thing, Some(keeper.any()))),
            }));
            assert!(panic.is_err(), "{way}");
            assert_eq!(FINALIZED.load(Ordering::Relaxed), before + 1, "{way}");
            assert_eq!(level.name(mortal), None, "{way}");
            script(|_, _, _| ());
        }
    }
}

/// If a finalizer panics while a handler's panic leaves the level, the second panic is dropped.
#[test]
fn a_finalizer_that_panics_too_does_not_abort() {
    define! { Bad "Test.BadFinalizer" {};
    fn finalizer(&mut self) {
        panic!("in the finalizer");
    } }
    let (mut level, _) = level(Rules::ue2());
    let bad = level.spawn::<Bad>(Spawn::new()).unwrap();
    let thing = level.spawn::<Thing>(Spawn::new()).unwrap();
    when(Event::EndState, move |hand, _| {
        hand.others().destroy(bad);
        panic!("in the handler");
    });
    let panic = catch_unwind(AssertUnwindSafe(|| level.goto_state(thing, "Busy"))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"in the handler"));
    script(|_, _, _| ());
    assert!(level.destroy(thing) && level.spawn::<Thing>(Spawn::new()).is_some());
}
