//! [`Life`]: one life (generation) of an actor's slot, as a pooled object.

use acedia::{Object, class};

use super::actor_class::ActorClass;
use crate::value::actor_ref::ActorRef;

/// Represents one actor on every thread. The actor owns it, and destroying the actor frees it.
#[derive(Default)]
pub(crate) struct Life {
    pub(crate) actor: Option<(ActorRef, &'static ActorClass)>,
}

impl Object for Life {
    class!(Life, "Acedia.ActorLife");
}
