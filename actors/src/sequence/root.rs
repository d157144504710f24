//! `Engine.Actor`, the root class, whose bodies are the default bodies.

use std::sync::OnceLock;

use super::relevancy::{check_relevance, is_relevant, pre_begin_play, shut_down};
use super::states::set_initial_state;
use crate::class::actor_class::ActorClass;
use crate::class::reactions::{Bodies, Body};
use crate::class::registry::Registration;
use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::{Answer, Event, Message, Value};

inventory::submit! { Registration::new::<ActorClass>("Engine.Actor", ActorClass::root) }

impl ActorClass {
    /// `Engine.Actor`, the root class. Abstract.
    #[must_use]
    pub fn root() -> &'static Self {
        static ROOT: OnceLock<ActorClass> = OnceLock::new();
        ROOT.get_or_init(|| {
            let mut bodies: Bodies = [None; Event::COUNT];
            // No body of this class calls an inherited one, so none needs its `Body`.
            let mut native = |event: Event, run: fn(&mut Inner, ActorRef, &Value) -> Answer| {
                let run = Box::new(move |inner: &mut Inner, me, _: &'static Body, message: &Message| {
                    run(inner, me, &message.value)
                });
                bodies[event as usize] = Some(Body::leak(event, run, None));
            };
            native(Event::PreBeginPlay, pre_begin_play);
            native(Event::SetInitialState, set_initial_state);
            native(Event::ShutDown, shut_down);
            native(Event::IsRelevant, is_relevant);
            native(Event::CheckRelevance, check_relevance);
            native(Event::PassesFilters, |_, _, _| Answer::Yes);
            native(Event::SpawnNotification, |_, _, value| match *value {
                Value::Actor(actor) => Answer::Actor(Some(actor)),
                _ => Answer::Nothing,
            });
            Self::above_all("Engine.Actor", &bodies)
        })
    }
}
