//! [`Cursor`]: going through the actors of a level while it changes.

use std::fmt;

use crate::class::actor_class::ActorClass;
use crate::value::actor_ref::{ActorRef, AnyActor};

/// A place in the list of a level's actors: [`Stage::all`]. Borrows nothing, so anything may be done between two steps.
///
/// Goes by age. Who dies before its turn is left out, who is spawned meanwhile comes at the end.
///
/// ```
/// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.begin_play("");
/// for _ in 0..4 {
///     level.spawn::<Pawn>(Spawn::new());
/// }
/// let mut pawns = level.all::<Pawn>();
/// let mut met = 0;
/// while let Some(pawn) = pawns.next(&level) {
///     met += 1;
///     level.destroy(pawn);
///     if met == 1 {
///         level.spawn::<Pawn>(Spawn::new());
///     }
/// }
/// assert_eq!((met, level.all::<Pawn>().next(&level)), (5, None));
/// ```
///
/// # Cost
///
/// A class test per actor. If the list was tidied up since the last step, the place is looked for anew.
pub struct Cursor<T = AnyActor> {
    pub(super) class: &'static ActorClass,
    /// Where the list is read next: after the last one, as long as the list was not tidied up.
    pub(super) next: usize,
    /// Who was there last, and its age.
    pub(super) last: Option<(ActorRef<T>, u64)>,
}

impl<T> Cursor<T> {
    pub(crate) const fn new(class: &'static ActorClass) -> Self {
        Self {
            class,
            next: 0,
            last: None,
        }
    }
}

impl<T> fmt::Debug for Cursor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cursor({}, after {:?})", self.class, self.last.map(|(last, _)| last))
    }
}
