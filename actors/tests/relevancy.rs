//! 1.6: the actors that are kept without a question. The questions and their order are in `spawn.rs`.

mod common;

use acedia_actors::{
    Actor, ActorRef, ClassBuilder, Event, Generation, Level, Missing, Mutator, NetMode, Relevancy, Rules, Spawn,
    SpawnEx, Stage, Warning, actor,
};
use common::*;

probe!(Wanted, "Test.Wanted", |class| class
    .defaults(|it| it.game_relevant = true));
probe!(Static, "Test.Static", |class| class.defaults(|it| it.is_static = true));

/// Its body of `pre_begin_play` does not call the inherited one.
#[derive(Default)]
struct Rebel;
impl Actor for Rebel {
    actor!(Rebel, "Test.Rebel");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.pre_begin_play(|_| ());
    }
}

/// A level with a game whose mutator refuses every actor.
fn strict(rules: Rules) -> Level {
    let (mut level, _) = level(rules);
    let game = level.spawn::<Game>(Spawn::new()).unwrap();
    level.set_game(game);
    let judge = level.spawn::<Judge>(Spawn::new()).unwrap();
    level.add_mutator(judge);
    script(|hand, event, _| {
        if event == Event::CheckReplacement {
            hand.answer_yes();
        }
    });
    level
}

/// Whether an actor of `T` is kept, although the mutator refuses every actor.
fn kept<T: Actor>(level: &mut Level) -> bool {
    let request = SpawnEx {
        no_fail: true,
        ..SpawnEx::default()
    };
    let actor = level.spawn_ex(Some(T::class().into()), &request);
    actor.is_ok_and(|actor| level.is_alive(actor))
}

#[test]
fn some_are_kept_without_being_asked_about() {
    for rules in all_rules() {
        let (generation, again) = (rules.generation, rules.clone());
        let mut level = strict(rules);
        assert!(!kept::<Thing>(&mut level));
        assert!(kept::<Wanted>(&mut level), "bGameRelevant");
        assert!(kept::<Rebel>(&mut level), "the default body is overridden");
        assert!(kept::<Judge>(&mut level) && kept::<Mutator>(&mut level), "mutators");
        // In the other generations it is irrelevant, but can't be destroyed.
        let asked = std::rc::Rc::new(std::cell::Cell::new(0));
        let count = asked.clone();
        script(move |_, event, _| count.set(count.get() + usize::from(event == Event::AlwaysKeep)));
        assert!(kept::<Static>(&mut level));
        assert_eq!(asked.get(), usize::from(generation != Generation::Ue3), "bStatic");
        let mut client = strict(again);
        client.settings_mut().net_mode = NetMode::Client;
        assert!(kept::<Thing>(&mut client), "clients don't ask");
    }
}

#[test]
fn a_game_that_is_destroyed_is_no_game() {
    for rules in all_rules() {
        let mut level = strict(rules);
        let game = level.actors().find(|it| level.cast::<Game>(*it).is_some()).unwrap();
        assert!(!kept::<Thing>(&mut level));
        script(|_, _, _| ());
        assert!(level.destroy(game));
        assert!(kept::<Thing>(&mut level), "the level keeps what nobody judges");
    }
}

#[test]
fn q4_states_work_from_here_on() {
    for rules in all_rules() {
        let (mut level, recorder) = level(rules.clone());
        let keeper = level.spawn::<Keeper>(Spawn::new()).unwrap();
        script(|hand, event, about| match event {
            // Q1 and Q3 come before it.
            Event::GainedChild => hand.others().goto_state(about.unwrap(), "Busy"),
            Event::InitPhysics | Event::PreBeginPlay => hand.goto_state("Busy"),
            _ => {}
        });
        let _ = recorder.take();
        let actor: ActorRef<Thing> = level.spawn(Spawn::new().owned_by(keeper)).unwrap();
        let mut changes = steps(&recorder);
        changes.retain(|step| step.starts_with("1.10") || step.starts_with("Q6"));
        let bare: Vec<_> = changes.iter().map(|step| step.split('(').next().unwrap()).collect();
        assert_eq!(
            bare,
            [
                "Q6 Thing.PreBeginPlay",
                "1.10 Thing.BeginState", // Busy
                "1.10 Thing.EndState",
                "1.10 Thing.BeginState", // Idle, in Q11
            ]
        );
        assert!(level.is_alive(actor));
    }
}

/// A game or a mutator that decides about actors without asking the others.
#[derive(Default)]
struct Tyrant {
    asks_the_others: bool,
    asked: Vec<Event>,
}
impl Actor for Tyrant {
    actor!(Tyrant, "Test.Tyrant");
    fn describe(class: &mut ClassBuilder<'_, Self>) {
        class.defaults(|it| it.game_relevant = true);
        class.is_relevant(|cx, actor| {
            cx.asked.push(Event::IsRelevant);
            !cx.asks_the_others || cx.inherited().is_relevant(actor)
        });
        class.check_relevance(|cx, actor| {
            cx.asked.push(Event::CheckRelevance);
            !cx.asks_the_others || cx.inherited().check_relevance(actor)
        });
    }
}

/// A level with a `Tyrant` as its game and as its base mutator, and a mutator that refuses every actor.
fn ruled(rules: Rules) -> (Level, ActorRef<Tyrant>, ActorRef<Tyrant>) {
    let (mut level, _) = level(rules);
    let game = level.spawn::<Tyrant>(Spawn::new()).unwrap();
    let base = level.spawn::<Tyrant>(Spawn::new()).unwrap();
    let judge = level.spawn::<Judge>(Spawn::new()).unwrap();
    level.set_game(game);
    level.add_mutator(base);
    level.add_mutator(judge);
    script(|hand, event, _| {
        if event == Event::CheckReplacement {
            hand.answer_yes();
        }
    });
    (level, game, base)
}

#[test]
fn the_entry_can_be_overridden_by_whom_the_generation_asks() {
    for rules in all_rules() {
        let (mut level, game, base) = ruled(rules.clone());
        assert!(kept::<Thing>(&mut level), "the judge is not asked");
        let asked = |level: &Level, who| level.get::<Tyrant>(who).unwrap().asked.clone();
        let expected = match rules.relevancy {
            Relevancy::GameIsRelevant => (vec![Event::IsRelevant], vec![]),
            Relevancy::BaseMutator => (vec![], vec![Event::CheckRelevance]),
            Relevancy::GameCheckRelevance => (vec![Event::CheckRelevance], vec![]),
        };
        assert_eq!((asked(&level, game), asked(&level, base)), expected);
        for tyrant in [game, base] {
            level.get_mut(tyrant).unwrap().asks_the_others = true;
        }
        assert!(!kept::<Thing>(&mut level), "the default body asks the judge");
    }
}

#[test]
fn without_a_base_mutator_an_actor_is_kept_or_the_log_says_accessed_none() {
    for mut rules in all_rules() {
        let generation = rules.generation;
        for missing in [rules.no_base_mutator, Missing::Keep] {
            rules.no_base_mutator = missing;
            let (mut level, _) = level(rules.clone());
            let game = level.spawn::<Game>(Spawn::new()).unwrap();
            level.set_game(game);
            assert_eq!(kept::<Thing>(&mut level), missing == Missing::Keep, "{generation:?}");
            let expected = usize::from(missing == Missing::AccessedNone);
            assert_eq!(level.warnings(), vec![Warning::AccessedNone; expected]);
        }
    }
}
