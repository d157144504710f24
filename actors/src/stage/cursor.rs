//! [`Cursor`]: a position in the list of a level's actors.

use std::fmt;

use crate::class::actor_class::ActorClass;
use crate::class::function::Function;
use crate::store::inner::Inner;
use crate::value::actor_ref::{ActorRef, AnyActor};
use crate::value::name::Name;

/// A position in the list of a level's actors, made by [`Stage::all`](crate::Stage::all). It borrows nothing, so the level may
/// change between two steps.
///
/// It visits the oldest actors first. An actor that dies before the cursor reaches it is skipped. An actor that is spawned
/// meanwhile is visited at the end.
///
/// ```
/// use acedia_actors::{Level, Pawn, Rules, Spawn, Stage};
///
/// let mut level = Level::new(Rules::ue2());
/// level.start();
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
/// One test of the class for each actor of the level. If the level has removed dead actors from the list since the last step,
/// the cursor also searches the list from its beginning.
pub struct Cursor<T = AnyActor> {
    class: &'static ActorClass,
    /// The next index into the list: after the last actor, unless the list was swept.
    next: usize,
    /// The last actor, and its age.
    last: Option<(ActorRef<T>, u64)>,
}

impl<T> Cursor<T> {
    pub(crate) const fn new(class: &'static ActorClass) -> Self {
        Self {
            class,
            next: 0,
            last: None,
        }
    }

    /// The next living actor of the class or of a descendant.
    #[inline]
    pub(super) fn step(&mut self, inner: &Inner) -> Option<ActorRef<T>> {
        let before = self.next.checked_sub(1).and_then(|before| inner.order.get(before));
        if self.last.is_some_and(|(last, _)| before != Some(&last.any())) {
            self.search(inner);
        }
        while let Some(&actor) = inner.order.get(self.next) {
            self.next += 1;
            let Some(head) = inner.head(actor) else { continue };
            if head.class().is_child_of(self.class) {
                let actor = actor.typed();
                self.last = Some((actor, inner.records[actor.index()].age));
                return Some(actor);
            }
        }
        // Without a last actor, only the beginning is a place that a sweep does not move.
        if self.last.is_none() {
            self.next = 0;
        }
        None
    }

    /// Goes to the first actor that is younger than the last one.
    #[cold]
    fn search(&mut self, inner: &Inner) {
        let is_younger = |actor: &ActorRef| {
            let made = inner.find(*actor).map(|slot| inner.records[slot].age);
            made.is_some_and(|made| self.last.is_none_or(|(_, age)| made > age))
        };
        let next = inner.order.iter().position(is_younger);
        self.next = next.unwrap_or(inner.order.len());
    }

    /// Calls a function on each actor, or only on those with `tag`. Returns the number of calls.
    pub(super) fn call_each<D, A: Clone + 'static, R: Default + 'static>(
        mut self,
        inner: &mut Inner,
        function: &'static Function<D, A, R>,
        argument: &A,
        tag: Option<Name>,
    ) -> usize {
        let mut calls = 0;
        // Bodies may spawn actors. These are skipped, so that the loop ends.
        let end = inner.next_age;
        while let Some(actor) = self.step(inner).filter(|actor| inner.records[actor.index()].age < end) {
            if tag.is_some_and(|tag| inner.properties(actor.index()).tag != tag) {
                continue;
            }
            calls += 1;
            let argument = argument.clone();
            inner.command(actor, |inner, slot| inner.call(slot, actor.any(), function, argument));
        }
        calls
    }
}

impl<T> fmt::Debug for Cursor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cursor({}, after {:?})", self.class, self.last.map(|(last, _)| last))
    }
}
