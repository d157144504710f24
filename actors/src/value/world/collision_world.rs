//! [`CollisionWorld`]: finds room, and the actors at a place.

use crate::value::actor_ref::ActorRef;
use crate::value::geometry::{Cylinder, Vector};

/// Finds room, and who is where.
///
/// References are only names here: an actor is taken out before it dies, and none is ever accessed.
pub trait CollisionWorld: Send + 'static {
    /// Room for `shape` at `at` or near it, or `None`.
    fn find_spot(&self, shape: Cylinder, at: Vector) -> Option<Vector>;

    /// An actor is at this place from now on.
    fn insert(&mut self, actor: ActorRef, shape: Cylinder, at: Vector);

    /// An actor that was inserted is gone.
    fn remove(&mut self, actor: ActorRef);

    /// Adds to `found` the actors that overlap `shape` at `at`, in any order.
    fn overlaps(&self, shape: Cylinder, at: Vector, found: &mut Vec<ActorRef>);

    /// Where `actor` can be pushed to, out of `shape` at `at`. By default, nothing can be pushed.
    fn push_away(&mut self, actor: ActorRef, shape: Cylinder, at: Vector) -> Option<Vector> {
        let _ = (actor, shape, at);
        None
    }

    /// What `actor` would stand on.
    fn floor(&self, actor: ActorRef, shape: Cylinder, at: Vector) -> Floor;
}

/// What an actor stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floor {
    /// Nothing.
    None,
    /// The world itself.
    World,
    /// Another actor.
    Actor(ActorRef),
}
