//! Relevancy: game and mutators decide whether an actor may stay.

use super::destroy::By;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Packed, Value, Verdict};
use crate::value::rules::{Missing, Relevancy};
use crate::value::settings::NetMode;

/// The default body of `pre_begin_play`.
pub(crate) fn pre_begin_play(inner: &mut Inner, me: ActorRef, _: &Value) -> Answer {
    let slot = me.index();
    if !inner.is_relevant(me, slot) {
        if inner.rules.shut_down && inner.properties(slot).no_delete {
            inner.notify("1.6", me, Event::ShutDown);
        } else {
            inner.destroy_slot(slot, By::Script);
        }
    }
    Answer::Nothing
}

/// The default body of `is_relevant` and `check_relevance`.
pub(crate) fn ask_mutators(inner: &mut Inner, _: ActorRef, value: &Value) -> Answer {
    match *value {
        Value::Actor(actor) => inner.mutators_keep(actor).pack(),
        _ => Answer::Nothing,
    }
}

impl Inner {
    #[inline]
    fn is_relevant(&mut self, actor: ActorRef, slot: usize) -> bool {
        // Levels of tests and tools have no game; the question must be cheap there.
        (self.game.is_none() && self.rules.no_game == Missing::Keep) || self.is_judged_relevant(actor, slot)
    }

    #[inline(never)]
    fn is_judged_relevant(&mut self, actor: ActorRef, slot: usize) -> bool {
        let properties = self.properties(slot);
        let exempt = properties.game_relevant
            || self.heads[slot].class.kin.mutator
            || (self.rules.static_is_relevant && properties.is_static)
            || self.settings.net_mode == NetMode::Client
            || self.is_level_info(actor)
            || self.default_volume == Some(actor)
            || self.game == Some(actor);
        if exempt {
            return true;
        }
        let Some(game) = self.living(self.game) else {
            return self.without_judge(self.rules.no_game);
        };
        match self.rules.relevancy {
            Relevancy::GameIsRelevant => self.says_yes(game, Event::IsRelevant, actor),
            Relevancy::GameCheckRelevance => self.says_yes(game, Event::CheckRelevance, actor),
            Relevancy::BaseMutator => match self.base_mutator() {
                Some(mutator) => self.says_yes(mutator, Event::CheckRelevance, actor),
                None => self.without_judge(self.rules.no_base_mutator),
            },
        }
    }

    /// The first mutator.
    fn base_mutator(&self) -> Option<ActorRef> {
        self.mutators.iter().copied().find(|mutator| self.is_alive(*mutator))
    }

    /// Asks `judge` whether an actor may stay. Without a body, it may.
    fn says_yes(&mut self, judge: ActorRef, event: Event, actor: ActorRef) -> bool {
        self.tell("1.6", judge, event, actor) != Answer::No
    }

    /// Asks all mutators, and then the game's own filters.
    fn mutators_keep(&mut self, actor: ActorRef) -> bool {
        if self.base_mutator().is_none() && self.rules.no_base_mutator == Missing::AccessedNone {
            return self.without_judge(Missing::AccessedNone);
        }
        // By index: handlers may add mutators.
        let mutators = self.mutators.len();
        for index in 0..mutators {
            let mutator = self.mutators[index];
            let kept = self.tell("1.6", mutator, Event::AlwaysKeep, actor) == Answer::Yes;
            // No questions about a dead actor.
            if kept || !self.is_alive(actor) {
                return true;
            }
        }
        let mut verdict = Verdict::KEEP;
        for index in 0..mutators {
            let mutator = self.mutators[index];
            verdict = Verdict::unpack(self.tell("1.6", mutator, Event::CheckReplacement, actor));
            if !verdict.keep || !self.is_alive(actor) {
                return verdict.keep;
            }
        }
        if !self.rules.super_relevant || verdict.super_relevant {
            return true;
        }
        match self.living(self.game) {
            Some(game) => self.says_yes(game, Event::PassesFilters, actor),
            None => true,
        }
    }

    fn without_judge(&mut self, missing: Missing) -> bool {
        match missing {
            Missing::Keep => true,
            Missing::AccessedNone => self.accessed_none(),
        }
    }
}
