//! Relevancy: the game and the mutators decide whether an actor may stay.

use super::destroy::By;
use crate::store::inner::{Inner, Question, Until};
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Packed, Value, Verdict};
use crate::value::properties::Physics;
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

/// The default body of `check_relevance`.
pub(crate) fn check_relevance(inner: &mut Inner, _: ActorRef, value: &Value) -> Answer {
    match *value {
        Value::Actor(actor) => inner.is_wanted(actor).pack(),
        _ => Answer::Nothing,
    }
}

/// The default body of `is_relevant`.
pub(crate) fn is_relevant(inner: &mut Inner, me: ActorRef, value: &Value) -> Answer {
    let Value::Actor(actor) = *value else {
        return Answer::Nothing;
    };
    let place = inner.mutators.iter().position(|mutator| *mutator == me);
    match place.filter(|_| inner.game != Some(me)) {
        Some(place) if place < inner.question.mutators => inner.mutators_keep(place, actor).pack(),
        // No question to this mutator is running, because an override has asked it directly.
        Some(place) => {
            let mutators = inner.mutators.len();
            let verdict = inner.ask(mutators, |inner| inner.mutators_keep(place, actor));
            verdict.keep.pack()
        }
        None => inner.is_wanted(actor).pack(),
    }
}

/// The default body of `shut_down`: the actor is hidden, touches nothing and no longer ticks.
pub(crate) fn shut_down(inner: &mut Inner, me: ActorRef, _: &Value) -> Answer {
    inner.leave_hash(me);
    let properties = inner.properties_mut(me.index());
    properties.physics = Physics::None;
    properties.collide_actors = false;
    properties.block_actors = false;
    properties.hidden = true;
    properties.tick_is_disabled = true;
    inner.end_touches("1.6", me);
    Answer::Nothing
}

impl Inner {
    pub(crate) fn add_mutator(&mut self, slot: usize) {
        let actor = self.reference(slot);
        self.mutators
            .extend(actor.filter(|actor| !self.mutators.contains(actor)));
    }

    #[inline]
    fn is_relevant(&mut self, actor: ActorRef, slot: usize) -> bool {
        // The levels of tests and tools have no game, so this case must be fast.
        (self.game.is_none() && self.rules.no_game == Missing::Keep) || self.is_judged_relevant(actor, slot)
    }

    #[inline(never)]
    fn is_judged_relevant(&mut self, actor: ActorRef, slot: usize) -> bool {
        // The game, the mutators and some other actors are exempt. On a client all actors are, because the server has decided.
        let properties = self.properties(slot);
        let exempt = properties.game_relevant
            || self.heads[slot].class().kin.mutator
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

    /// Without a body, the answer is yes.
    fn says_yes(&mut self, judge: ActorRef, event: Event, actor: ActorRef) -> bool {
        self.tell("1.6", judge, event, actor) != Answer::No
    }

    /// Asks all mutators, and then the game's own filters.
    fn is_wanted(&mut self, actor: ActorRef) -> bool {
        if self.base_mutator().is_none() && self.rules.no_base_mutator == Missing::AccessedNone {
            return self.without_judge(Missing::AccessedNone);
        }
        // By index: handlers may add mutators.
        let mutators = self.mutators.len();
        for index in 0..mutators {
            let mutator = self.mutators[index];
            let kept = self.tell("1.6", mutator, Event::AlwaysKeep, actor) == Answer::Yes;
            // No more questions about a dead actor.
            if kept || !self.is_alive(actor) {
                return true;
            }
        }
        let verdict = self.ask(mutators, |inner| inner.next_mutator_keeps(0, actor));
        if !verdict.keep || !self.is_alive(actor) {
            return verdict.keep;
        }
        // First generation: the game's own filters come last, unless a mutator has skipped them.
        if !self.rules.super_relevant || verdict.super_relevant {
            return true;
        }
        match self.living(self.game) {
            Some(game) => self.says_yes(game, Event::PassesFilters, actor),
            None => true,
        }
    }

    /// Asks the first `mutators` mutators with a new question, and restores the outer one afterwards. Questions nest, because a
    /// mutator may spawn a replacement, about which the mutators are asked, too.
    fn ask(&mut self, mutators: usize, question: impl FnOnce(&mut Self) -> bool) -> Verdict {
        let new = Question {
            mutators,
            super_relevant: false,
        };
        let outer = std::mem::replace(&mut self.question, new);
        let asked = Until(self, |level| level.question = outer);
        let keep = question(asked.0);
        Verdict {
            keep,
            super_relevant: asked.0.question.super_relevant,
        }
    }

    /// The default body of `is_relevant` of the mutator at `place`, and of the mutators after it up to the first override.
    fn mutators_keep(&mut self, mut place: usize, actor: ActorRef) -> bool {
        loop {
            let Some(mutator) = self.asked_mutator(place) else {
                return true;
            };
            let is_asked = self.is_alive(mutator);
            let verdict = Verdict::unpack(self.tell("1.6", mutator, Event::CheckReplacement, actor));
            // A dead mutator leaves the last output as it is.
            if is_asked {
                self.question.super_relevant = verdict.super_relevant;
            }
            if !verdict.keep || !self.is_alive(actor) {
                return verdict.keep;
            }
            place += 1;
            // An override decides whether the mutators after it are asked. A mutator without an override would run this body,
            // so the loop runs it here.
            if self.overrides_is_relevant(place) {
                return self.next_mutator_keeps(place, actor);
            }
        }
    }

    /// The mutator at `place`, unless it was added during the question.
    fn asked_mutator(&self, place: usize) -> Option<ActorRef> {
        self.mutators
            .get(place)
            .copied()
            .filter(|_| place < self.question.mutators)
    }

    /// Asks `is_relevant` of the next living mutator at `place` or after it, which asks those after it. Without an override,
    /// the default body runs and no event is sent.
    fn next_mutator_keeps(&mut self, mut place: usize, actor: ActorRef) -> bool {
        while self.asked_mutator(place).is_some_and(|it| !self.is_alive(it)) {
            place += 1;
        }
        if self.overrides_is_relevant(place) {
            return self.says_yes(self.mutators[place], Event::IsRelevant, actor);
        }
        self.mutators_keep(place, actor)
    }

    /// Whether the mutator at `place` overrides `is_relevant`. A mutator that is also the game does not count, because its body
    /// is the game's.
    fn overrides_is_relevant(&self, place: usize) -> bool {
        let mutator = self.asked_mutator(place).filter(|it| self.game != Some(*it));
        let Some(head) = mutator.and_then(|it| self.head(it)) else {
            return false;
        };
        let body = head.reactions.body(Event::IsRelevant);
        // Only the default body, of the root class, overrides no other body.
        body.is_some_and(|body| body.inherited.is_some())
    }

    fn without_judge(&mut self, missing: Missing) -> bool {
        match missing {
            Missing::Keep => true,
            Missing::AccessedNone => self.accessed_none(),
        }
    }
}
