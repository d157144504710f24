//! Calls of [`Function`]s.

use super::inner::Inner;
use super::send::Deeper;
use super::sink::Kind;
use super::warning::Warning;
use crate::class::column::cast;
use crate::class::function::{Function, FunctionBody};
use crate::value::actor_ref::ActorRef;

/// The closure of a function with an argument of type `A` and a result of type `R`.
pub(crate) type Closure<A, R> = Box<dyn Fn(&mut Inner, ActorRef, &'static FunctionBody, A) -> R + Send + Sync>;

impl Inner {
    /// Calls a function of the actor in a slot, dead or alive.
    #[inline]
    pub(crate) fn call<T, A: 'static, R: Default + 'static>(
        &mut self,
        slot: usize,
        me: ActorRef,
        function: &'static Function<T, A, R>,
        argument: A,
    ) -> R {
        let head = &self.heads[slot];
        let class = head.class();
        if let Some(entry) = head.reactions.functions.entry(function.place(), function.id()) {
            return self.run_function(me, entry.body, argument);
        }
        self.warn(Warning::NoFunction(class, function.name()));
        R::default()
    }

    /// Runs a body, if play has begun.
    #[inline]
    pub(crate) fn run_function<A: 'static, R: Default + 'static>(
        &mut self,
        me: ActorRef,
        body: Option<&'static FunctionBody>,
        argument: A,
    ) -> R {
        let Some(body) = body else { return R::default() };
        if !self.begun {
            self.warn_not_begun();
            return R::default();
        }
        if self.is_too_deep() {
            self.drop_event();
            return R::default();
        }
        self.trace(self.nesting.depth, me, Kind::Call(body.name));
        // The closure has these types, because the function has them.
        match cast::<Closure<A, R>>(&*body.run) {
            Some(run) => run(Deeper::enter(self).0, me, body, argument),
            None => R::default(),
        }
    }
}
