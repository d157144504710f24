//! [`CollisionWorld`]: finds room, and the actors at a place.

use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Cylinder, Vector};

/// Finds room, and the actors at a place.
///
/// References are only names here: an actor is removed before it dies, and none is ever accessed.
pub trait CollisionWorld: Send + 'static {
    /// Room for `shape` at `at` or near it, or `None`.
    fn find_spot(&self, shape: Cylinder, at: Vector) -> Option<Vector>;

    /// Adds an actor at this place.
    fn insert(&mut self, actor: ActorRef, shape: Cylinder, at: Vector);

    /// Removes an actor that was inserted.
    fn remove(&mut self, actor: ActorRef);

    /// Adds to `found` the actors that overlap `shape` at `at`, in any order.
    fn overlaps(&self, shape: Cylinder, at: Vector, found: &mut Vec<ActorRef>);

    /// A place to which `actor` can be pushed, out of `shape` at `at`. By default, no actor can be pushed.
    fn push_away(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) -> Option<Vector> {
        let _ = (actor, shape, at);
        None
    }

    /// The floor below `actor`.
    fn floor(&self, actor: ActorRef, shape: Cylinder, at: Vector) -> Floor;
}

/// The floor below an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// None.
    None,
    /// The world itself.
    World,
    /// Another actor.
    Actor(ActorRef),
}
