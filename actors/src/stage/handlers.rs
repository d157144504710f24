//! The methods of [`ClassBuilder`], [`StateBuilder`] and [`Inherited`] for each event, generated from the table of events.

use std::any::Any;

use super::cx::Cx;
use super::inherited::{Inherited, Running};
use crate::class::actor::Actor;
use crate::class::builder::{ClassBuilder, StateBuilder};
use crate::class::building::place_of;
use crate::class::function::Function;
use crate::class::reactions::Run;
use crate::store::call::Closure;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Packed, SpawnResult, Value, Verdict, event_table};
use crate::value::name::Name;

/// Unpacks the argument of an event for a handler.
macro_rules! argument {
    (ActorRef, $value:ident) => {
        match *$value {
            Value::Actor(actor) => actor,
            _ => return Answer::Nothing,
        }
    };
    ($type:ty, $value:ident) => {
        <$type as Packed<Value>>::unpack(*$value)
    };
}

/// An argument as a [`Value`].
macro_rules! value_of {
    () => {
        Value::Nothing
    };
    ($argument:ident: ActorRef) => {
        Value::Actor($argument.any())
    };
    ($argument:ident: $type:ty) => {
        $argument.pack()
    };
}

/// The answer to an event, in its type.
macro_rules! answer {
    ($value:expr) => {{
        $value;
    }};
    ($value:expr, $type:ty) => {
        <$type as Packed<Answer>>::unpack($value)
    };
}

fn run<T: Actor>(body: impl Fn(&mut Cx<'_, T>, &Value) -> Answer + Send + Sync + 'static) -> Box<Run> {
    Box::new(move |inner, me, this, message| body(&mut Cx::new(inner, me, Running::Event(this)), &message.value))
}

/// Boxes the closure of a function, and erases its types.
fn untyped<T: Actor, A: 'static, R: 'static>(
    body: impl Fn(&mut Cx<'_, T>, A) -> R + Send + Sync + 'static,
) -> Box<dyn Any + Send + Sync> {
    let closure: Closure<A, R> =
        Box::new(move |inner, me, this, argument| body(&mut Cx::new(inner, me, Running::Function(this)), argument));
    Box::new(closure)
}

/// Adds the methods that set a body to a builder that has `override_body` and `override_function`.
macro_rules! bodies {
    ($builder:ident, $(#[$doc:meta])+) => {
        impl<T: Actor> $builder<'_, T> {
            fn put(
                &mut self,
                event: Event,
                body: impl Fn(&mut Cx<'_, T>, &Value) -> Answer + Send + Sync + 'static,
            ) -> &mut Self {
                self.override_body(event, run(body));
                self
            }

            $(#[$doc])+
            pub fn function<D: Actor, A: 'static, R: Default + 'static>(
                &mut self,
                function: &'static Function<D, A, R>,
                body: impl Fn(&mut Cx<'_, T>, A) -> R + Send + Sync + 'static,
            ) -> &mut Self {
                let place = place_of::<T, _, _, _>(self.class, function);
                self.override_function(place, untyped(body));
                self
            }
        }
    };
}

bodies! {
    ClassBuilder,
    /// Gives a function a body. If the function belongs to this class, this call declares it. If it belongs to an ancestor,
    /// the body overrides the inherited body. [`Function`] has an example.
    ///
    /// # Panics
    ///
    /// If the class does not inherit the function, or has another function of this name. The call that first uses the class
    /// panics.
    #[doc(alias = "event")]
}

bodies! {
    StateBuilder,
    /// Gives a function a body in this state, which overrides the class's body. If the class has none, the function returns the
    /// null value in other states. [`Function`] has an example.
    ///
    /// # Panics
    ///
    /// As [`ClassBuilder::function`].
}

macro_rules! builder {
    ($builder:ty; $(
        $(#[doc = $doc:literal])+
        $method:ident $event:ident $name:literal ($($argument:ident: $type:ident)?) $(-> $answer:ty)?;
    )+) => {
        /// Methods that set the body of an event, one for each event.
        impl<T: Actor> $builder {
            $(
                $(#[doc = $doc])+
                #[doc(alias = $name)]
                pub fn $method(
                    &mut self,
                    body: impl Fn(&mut Cx<'_, T> $(, $type)?) $(-> $answer)? + Send + Sync + 'static,
                ) -> &mut Self {
                    self.put(Event::$event, move |cx, value| {
                        $(let $argument = argument!($type, value);)?
                        let _ = value;
                        Packed::<Answer>::pack(body(cx $(, $argument)?))
                    })
                }
            )+
        }
    };
}

macro_rules! class_builder {
    ($($rows:tt)+) => {
        builder! { ClassBuilder<'_, T>; $($rows)+ }
    };
}

macro_rules! state_builder {
    ($($rows:tt)+) => {
        builder! { StateBuilder<'_, T>; $($rows)+ }
    };
}

macro_rules! inherited {
    ($(
        $(#[doc = $doc:literal])+
        $method:ident $event:ident $name:literal ($($argument:ident: $type:ident)?) $(-> $answer:ty)?;
    )+) => {
        /// Methods that call the overridden body of an event, one for each event.
        #[allow(clippy::wrong_self_convention, reason = "`is_relevant` is an event")]
        impl<T: Actor> Inherited<'_, T> {
            $(
                $(#[doc = $doc])+
                #[doc(alias = $name)]
                pub fn $method(self $(, $argument: $type)?) $(-> $answer)? {
                    let value = value_of!($($argument: $type)?);
                    answer!(self.run(Event::$event, value) $(, $answer)?)
                }
            )+
        }
    };
}

event_table!(class_builder);
event_table!(state_builder);
event_table!(inherited);
