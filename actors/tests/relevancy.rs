//! 1.6: games and mutators with bodies of their own. The usual questions and their order are in `scenarios/spawn.txt`.

mod common;
mod scenario;

use acedia_actors::{Mutator, Spawn, Stage, Verdict};
use common::*;
use scenario::{Verb, kinds, play, say};

probe!(Wanted, "Test.Wanted", |class| class
    .defaults(|it| it.game_relevant = true));

// A game or a mutator that decides about actors without asking the others, unless it is told to.
define! { Tyrant "Test.Tyrant" { asks: bool } |class| {
    class.defaults(|it| it.game_relevant = true);
    class.is_relevant(|cx, actor| !cx.asks || cx.inherited().is_relevant(actor));
    class.check_relevance(|cx, actor| !cx.asks || cx.inherited().check_relevance(actor));
} }

// A mutator with an `is_relevant` of its own.
define! { Filter "Test.Filter" Mutator in mutator { mutator: Mutator, asks: bool, verdict: bool } |class| {
    class.is_relevant(|cx, actor| {
        say("is_relevant");
        let inherited = !cx.asks || cx.inherited().is_relevant(actor);
        inherited && cx.verdict
    });
    class.check_replacement(|_, _| {
        say("check_replacement");
        Verdict {
            keep: true,
            super_relevant: true,
        }
    });
} }

// A base mutator that decides by `is_relevant`, as UT2004's own does.
define! { Classic "Test.Classic" Mutator in mutator { mutator: Mutator } |class| {
    class.check_relevance(|cx, actor| cx.inherited().is_relevant(actor));
} }

// A game that filters everything out.
define! { Desert "Test.Desert" {} |class| {
    class.defaults(|it| it.game_relevant = true);
    class.passes_filters(|_, _| false);
} }

// Questions about its spawns have their own output.
define! { Gentle "Test.Gentle" { has_spawned: bool } |class| {
    class.is_relevant(|cx, actor| {
        let kept = cx.inherited().is_relevant(actor);
        if !std::mem::replace(&mut cx.has_spawned, true) {
            assert!(cx.spawn::<Wanted>(Spawn::new()).is_some());
            cx.spawn::<Keeper>(Spawn::new());
        }
        kept
    });
} }

const VERBS: &[Verb] = &[
    ("asks", |level, words| {
        let actor = words.actor();
        if let Some(tyrant) = level.cast::<Tyrant>(actor) {
            level.get_mut(tyrant).unwrap().asks = true;
        }
        if let Some(filter) = level.cast::<Filter>(actor) {
            level.get_mut(filter).unwrap().asks = true;
        }
        "yes".into()
    }),
    ("keeps", |level, words| {
        let filter = level.cast::<Filter>(words.actor()).unwrap();
        level.get_mut(filter).unwrap().verdict = true;
        "yes".into()
    }),
];

#[test]
fn bodies_of_games_and_mutators() {
    let kinds = kinds!(Classic Desert Filter Gentle Judge Thing Tyrant);
    play("relevancy", include_str!("scenarios/relevancy.txt"), kinds, VERBS);
}
