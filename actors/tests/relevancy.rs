//! 1.6: games and mutators with bodies of their own. The usual questions and their order are in `scenarios/spawn.txt`.

mod common;

use acedia_actors::{
    Actor, ActorRef, Event, Generation, Level, Missing, Mutator, Recorder, Relevancy, Rules, Spawn, SpawnEx, Stage,
    Verdict, Warning,
};
use common::*;

probe!(Wanted, "Test.Wanted", |class| class
    .defaults(|it| it.game_relevant = true));

/// Whether an actor of `T` is kept, although the mutator refuses every actor.
fn kept<T: Actor>(level: &mut Level) -> bool {
    let request = SpawnEx {
        no_fail: true,
        ..SpawnEx::default()
    };
    let actor = level.spawn_ex(Some(T::class().into()), &request);
    actor.is_ok_and(|actor| level.is_alive(actor))
}

// A game or a mutator that decides about actors without asking the others.
define! { Tyrant "Test.Tyrant" { asks_the_others: bool, asked: Vec<Event> } |class| {
    class.defaults(|it| it.game_relevant = true);
    class.is_relevant(|cx, actor| {
        cx.asked.push(Event::IsRelevant);
        !cx.asks_the_others || cx.inherited().is_relevant(actor)
    });
    class.check_relevance(|cx, actor| {
        cx.asked.push(Event::CheckRelevance);
        !cx.asks_the_others || cx.inherited().check_relevance(actor)
    });
} }

/// A level with a `Tyrant` as its game and as its base mutator, and a mutator that refuses every actor.
fn ruled(rules: Rules) -> (Level, ActorRef<Tyrant>, ActorRef<Tyrant>) {
    let (mut level, _) = level(rules);
    let game = level.spawn::<Tyrant>(Spawn::new()).unwrap();
    let base = level.spawn::<Tyrant>(Spawn::new()).unwrap();
    let judge = level.spawn::<Judge>(Spawn::new()).unwrap();
    level.set_game(game);
    level.add_mutator(base);
    level.add_mutator(judge);
    when(Event::CheckReplacement, |hand, _| hand.answer_yes());
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
            other => panic!("no events for {other:?}"),
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

// A mutator with an `is_relevant` of its own.
define! { Filter "Test.Filter" Mutator in mutator {
    mutator: Mutator,
    asks_the_others: bool,
    verdict: bool,
    asked: Vec<&'static str>,
} |class| {
    class.is_relevant(|cx, actor| {
        cx.asked.push("is_relevant");
        let inherited = !cx.asks_the_others || cx.inherited().is_relevant(actor);
        inherited && cx.verdict
    });
    class.check_replacement(|cx, _| {
        cx.asked.push("check_replacement");
        Verdict {
            keep: true,
            super_relevant: true,
        }
    });
} }

/// A level with a game that filters everything out, and three mutators, the one in the middle a `Filter`.
fn filtered(rules: Rules) -> (Level, Recorder, ActorRef<Filter>) {
    define! { Desert "Test.RelevancyDesert" {} |class| {
        class.defaults(|it| it.game_relevant = true);
        class.passes_filters(|_, _| false);
    } }
    let (mut level, recorder) = level(rules);
    let game = level.spawn::<Desert>(Spawn::new()).unwrap();
    level.set_game(game);
    let before = level.spawn::<Judge>(Spawn::new()).unwrap();
    let filter = level.spawn::<Filter>(Spawn::new()).unwrap();
    let after = level.spawn::<Judge>(Spawn::new()).unwrap();
    level.add_mutator(before);
    level.add_mutator(filter);
    level.add_mutator(after);
    let _ = recorder.take();
    (level, recorder, filter)
}

#[test]
fn a_mutator_with_a_body_of_is_relevant_decides_what_is_asked() {
    for rules in all_rules() {
        let first = rules.generation == Generation::Ue1;
        for (asks_the_others, verdict) in [(false, false), (false, true), (true, false), (true, true)] {
            let (mut level, recorder, filter) = filtered(rules.clone());
            let it = level.get_mut(filter).unwrap();
            (it.asks_the_others, it.verdict) = (asks_the_others, verdict);
            // The last mutator is asked last, and is not super-relevant: the filters of UE1's game decide.
            let stays = verdict && !first;
            assert_eq!(kept::<Thing>(&mut level), stays);
            let questions = rows(&recorder, "1.6");
            let mut expected = vec![
                "1.6 Judge.AlwaysKeep(Thing)",
                "1.6 Filter.AlwaysKeep(Thing)",
                "1.6 Judge.AlwaysKeep(Thing)",
                "1.6 Judge.CheckReplacement(Thing)",
                "1.6 Filter.IsRelevant(Thing)",
            ];
            if asks_the_others {
                expected.extend([
                    "1.6 Filter.CheckReplacement(Thing)",
                    "1.6 Judge.CheckReplacement(Thing)",
                ]);
            }
            if first && verdict {
                expected.push("1.6 RelevancyDesert.native PassesFilters(Thing)");
            }
            // The entry is another one in each generation.
            assert_eq!(questions[1..], expected, "{:?}", rules.generation);
            let mut asked = vec!["is_relevant"];
            asked.extend(asks_the_others.then_some("check_replacement"));
            assert_eq!(level.get(filter).unwrap().asked, asked);
        }
    }
}

/// The output of the last mutator that was asked reaches the game through the others' `is_relevant`.
#[test]
fn super_relevant_passes_through_an_override() {
    define! { Gentle "Test.Gentle" { spawns: bool } |class| {
        class.is_relevant(|cx, actor| {
            let kept = cx.inherited().is_relevant(actor);
            if std::mem::take(&mut cx.spawns) {
                // Its questions have an output of their own.
                assert!(cx.spawn::<Wanted>(Spawn::new()).is_some());
                cx.spawn::<Keeper>(Spawn::new());
            }
            kept
        });
    } }
    for helps in [false, true] {
        let (mut level, _, filter) = filtered(Rules::ue1());
        let last = level.actors().last().unwrap();
        level.destroy(last);
        let gentle = level.place::<Gentle>(Spawn::new()).unwrap();
        level.add_mutator(gentle);
        let it = level.get_mut(filter).unwrap();
        (it.asks_the_others, it.verdict) = (true, true);
        level.get_mut(gentle).unwrap().spawns = true;
        if helps {
            let helper = level.spawn::<Filter>(Spawn::new()).unwrap();
            level.get_mut(helper).unwrap().verdict = true;
            level.get_mut(helper).unwrap().asks_the_others = true;
            level.add_mutator(helper);
        }
        assert_eq!(kept::<Thing>(&mut level), helps);
    }
}

/// One actor may be both: then its `is_relevant` is the game's.
#[test]
fn a_game_among_the_mutators_is_asked_as_the_game() {
    for rules in all_rules() {
        let is_asked = rules.relevancy == Relevancy::GameIsRelevant;
        let (mut level, game, _) = ruled(rules);
        level.get_mut(game).unwrap().asks_the_others = true;
        level.add_mutator(game);
        kept::<Thing>(&mut level);
        let asked = &level.get::<Tyrant>(game).unwrap().asked;
        let count = asked.iter().filter(|event| **event == Event::IsRelevant).count();
        assert_eq!(count, usize::from(is_asked));
        assert!(level.warnings().is_empty());
    }
}
