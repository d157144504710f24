//! [`SpawnNotify`]: an actor that may replace spawned actors.

use super::actor_class::ActorClass;

/// An actor that is asked about every spawned actor, and may replace it with another one. First generation only.
///
/// A notifier registers itself in its `post_begin_play`. So at the end of its own spawn, it is asked about itself, as in
/// the Unreal engine, unless `actor_class` excludes its class:
///
/// ```
/// use acedia_actors::{
///     Actor, ClassBuilder, Level, Pawn, Rules, Spawn, SpawnNotify, Stage, actor,
/// };
///
/// #[derive(Default)]
/// struct Census { notify: SpawnNotify, shown: u32 }
/// impl Actor for Census {
///     actor!(Census, "Doc.Census", parent = SpawnNotify, in notify);
///     fn describe(class: &mut ClassBuilder<'_, Self>) {
///         class.spawn_notification(|cx, actor| {
///             cx.shown += 1;
///             Some(actor)
///         });
///     }
/// }
///
/// let mut level = Level::new(Rules::ue1());
/// level.start();
/// let census = level.spawn::<Census>(Spawn::new()).unwrap();
/// assert_eq!(level.get(census).unwrap().shown, 1, "itself");
/// level.get_mut(census).unwrap().notify.actor_class = Some(Pawn::class());
/// level.spawn::<Census>(Spawn::new());
/// level.spawn::<Pawn>(Spawn::new());
/// assert_eq!(level.get(census).unwrap().shown, 2, "and the pawn");
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct SpawnNotify {
    /// The class of the actors about which the notifier is asked. Descendants are included. `None` stands for all actors, as
    /// the Unreal engine's default `class'Actor'` does.
    ///
    /// To be asked about no actor at all, do not register the notifier.
    #[doc(alias = "ActorClass")]
    pub actor_class: Option<&'static ActorClass>,
}
