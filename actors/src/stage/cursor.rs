//! [`Cursor`]: a position in the list of a level's actors.

use std::fmt;

use crate::class::actor_class::ActorClass;
use crate::value::actor_ref::{ActorRef, AnyActor};

/// A position in the list of a level's actors: [`Stage::all`](crate::Stage::all). Borrows nothing, so the level may
/// change between two steps.
///
/// Goes by age. An actor that dies before its turn is left out; one that is spawned meanwhile comes at the end.
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
/// A class test per actor. If the list was swept since the last step, a search from its beginning.
pub struct Cursor<T = AnyActor> {
    pub(super) class: &'static ActorClass,
    /// The next index into the list: after the last actor, unless the list was swept.
    pub(super) next: usize,
    /// The last actor, and its age.
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
