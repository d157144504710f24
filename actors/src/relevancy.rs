//! Relevancy: mutators decide whether an actor may stay.

use crate::event::{Answer, Packed, Value};
use crate::level::Inner;
use crate::{ActorRef, Event, Missing, NetMode, Relevancy, Verdict, Warning};

/// The default body of `pre_begin_play`.
pub(crate) fn pre_begin_play(inner: &mut Inner, me: ActorRef, _: &Value) -> Answer {
    let slot = me.index();
    if !inner.is_relevant(me, slot) {
        if inner.rules.shut_down && inner.properties(slot).no_delete {
            inner.notify("1.6", me, Event::ShutDown);
        } else {
            inner.destroy_slot(slot, crate::destroy::By::Script);
        }
    }
    Answer::Nothing
}

impl Inner {
    #[inline]
    fn is_relevant(&mut self, actor: ActorRef, slot: usize) -> bool {
        // Most levels of tests and tools have no game; the question is not worth more there.
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
        if self.mutators.iter().all(|mutator| !self.is_alive(*mutator)) {
            return match self.rules.relevancy {
                // Without mutators the game still has its own filters, if they are asked at all.
                _ if self.rules.no_base_mutator == Missing::AccessedNone => self.without_judge(Missing::AccessedNone),
                Relevancy::Game | Relevancy::BaseMutator => self.passes_filters(game, actor),
            };
        }
        // By index: handlers may add mutators.
        let mutators = self.mutators.len();
        for index in 0..mutators {
            let mutator = self.mutators[index];
            let kept = self.tell("1.6", mutator, Event::AlwaysKeep, actor) == Answer::Bool(true);
            // Nobody is asked about the dead.
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
        (self.rules.super_relevant && verdict.super_relevant) || self.passes_filters(game, actor)
    }

    fn passes_filters(&mut self, game: ActorRef, actor: ActorRef) -> bool {
        !self.rules.super_relevant || Verdict::unpack(self.tell("1.6", game, Event::IsRelevant, actor)).keep
    }

    fn without_judge(&mut self, missing: Missing) -> bool {
        if missing == Missing::AccessedNone {
            self.warn(Warning::AccessedNone);
        }
        missing == Missing::Keep
    }
}
