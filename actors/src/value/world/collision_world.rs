//! [`CollisionWorld`]: finds free locations, and the actors that overlap a shape.

use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Cylinder, Vector};

/// Finds free locations, and the actors that overlap a shape.
///
/// A world stores only references. The level removes an actor from the world before it dies.
pub trait CollisionWorld: Send + 'static {
    /// A location with room for `shape`, at `at` or near it.
    fn find_spot(&self, shape: Cylinder, at: Vector) -> Option<Vector>;

    /// Adds an actor at `at`.
    fn insert(&mut self, actor: ActorRef, shape: Cylinder, at: Vector);

    /// Removes an actor that was inserted.
    fn remove(&mut self, actor: ActorRef);

    /// Moves an actor that was inserted, or changes its shape. The default removes and inserts it.
    fn relocate(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) {
        self.remove(actor);
        self.insert(actor, shape, at);
    }

    /// Adds to `found` the actors that overlap `shape` at `at`, in any order.
    fn overlaps(&self, shape: Cylinder, at: Vector, found: &mut Vec<ActorRef>);

    /// A location outside of `shape` at `at` to which `actor` can be pushed. The default returns `None`.
    fn push_away(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) -> Option<Vector> {
        let _ = (actor, shape, at);
        None
    }

    /// The floor below `actor`.
    fn floor(&self, actor: ActorRef, shape: Cylinder, at: Vector) -> Floor;
}

/// The floor below an actor.
#[expect(clippy::exhaustive_enums, reason = "the rules distinguish no other case")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// There is no floor.
    None,
    /// The floor is the world itself.
    World,
    /// The floor is another actor.
    Actor(ActorRef),
}
