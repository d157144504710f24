//! [`Inherited`]: calls of overridden bodies.

use std::fmt;
use std::marker::PhantomData;
use std::ptr;

use crate::class::actor::Actor;
use crate::class::actor_class::ActorClass;
use crate::class::function::{Function, FunctionBody};
use crate::class::reactions::Body;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Message, Value};

/// The body that is running.
#[derive(Clone, Copy)]
pub(crate) enum Running {
    Event(&'static Body),
    Function(&'static FunctionBody),
    /// The code of a state.
    Code,
}

impl Running {
    /// The class whose bodies this body of `T` overrides: `T` itself for the code or a body of a state, else the parent class.
    fn above<T: Actor>(self) -> Option<&'static ActorClass> {
        let class = T::class();
        let is_of_class = match self {
            Self::Event(body) => class.bodies[body.event as usize].is_some_and(|it| ptr::eq(it, body)),
            Self::Function(body) => class.functions.has_body(body),
            Self::Code => false,
        };
        if is_of_class { class.parent() } else { Some(class) }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Bodies {
    /// The bodies that the running body overrides, or that its class overrides for other events and functions.
    Overridden(Running),
    /// The bodies of a class outside of its states.
    Of(&'static ActorClass),
}

/// Calls overridden bodies: see [`Cx::inherited`](crate::Cx::inherited), [`Cx::inherited_from`](crate::Cx::inherited_from) and
/// [`Cx::global`](crate::Cx::global).
///
/// `inherited` calls the body that the running body overrides. The body of a state overrides the body of its class, which
/// overrides the body of the parent class. For any other event or function, `inherited` calls the body of the parent class, or,
/// in a body or the code of a state, the body of the class that describes the state.
pub struct Inherited<'a, T> {
    pub(super) inner: &'a mut Inner,
    pub(super) me: ActorRef,
    pub(super) bodies: Bodies,
    pub(super) actor: PhantomData<fn() -> T>,
}

impl<T: Actor> Inherited<'_, T> {
    /// Runs the body of an event.
    pub(crate) fn run(self, event: Event, value: Value) -> Answer {
        let body = match self.bodies {
            Bodies::Overridden(Running::Event(body)) if body.event == event => body.inherited,
            Bodies::Overridden(running) => running.above::<T>().and_then(|class| class.bodies[event as usize]),
            Bodies::Of(class) => class.bodies[event as usize],
        };
        // Also runs for a dead actor.
        let message = Message { row: "", event, value };
        body.map_or(Answer::Nothing, |body| self.inner.run(self.me, body, &message))
    }

    /// Runs the overridden body of a function. Returns the null value if there is none.
    ///
    /// [`Function`] has an example.
    #[doc(alias = "super")]
    pub fn call<D, A: 'static, R: Default + 'static>(self, function: &'static Function<D, A, R>, argument: A) -> R {
        let body = match self.bodies {
            Bodies::Overridden(Running::Function(body)) if body.id == function.id() => body.inherited,
            Bodies::Overridden(running) => running.above::<T>().and_then(|class| class.functions.body_of(function)),
            Bodies::Of(class) => class.functions.body_of(function),
        };
        self.inner.run_function(self.me, body, argument)
    }
}

impl<T> fmt::Debug for Inherited<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Inherited({})", self.inner.name_of_slot(self.me.index()))
    }
}
