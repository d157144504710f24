//! [`SpawnNotify`]: an actor that may exchange spawned actors.

use super::actor_class::ActorClass;

/// Is asked about every spawned actor, and may give another one instead. First generation.
///
/// Registers itself when its play begins.
#[derive(Clone, Debug, Default)]
pub struct SpawnNotify {
    /// Only actors of this class and of classes below it. `None` stands for all actors: the engine's default is
    /// `class'Actor'`.
    ///
    /// To be asked about no actor at all, do not register the notifier.
    #[doc(alias = "ActorClass")]
    pub actor_class: Option<&'static ActorClass>,
}
