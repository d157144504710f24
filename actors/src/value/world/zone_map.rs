//! [`ZoneMap`]: finds the zone and the volume at a location.

use crate::value::actor_ref::ActorRef;
use crate::value::geometry::Vector;

/// Finds the zone and the volume at a location.
pub trait ZoneMap: Send + 'static {
    /// The zone, or `None` for the level itself.
    fn zone(&self, at: Vector) -> Option<ActorRef>;

    /// The number of a zone. The level itself has the number 0. A map without numbers returns 0 for every zone.
    #[doc(alias = "ZoneNumber")]
    fn zone_number(&self, zone: ActorRef) -> u32 {
        let _ = zone;
        0
    }

    /// The physics volume, or `None` for the level's default one.
    fn volume(&self, at: Vector) -> Option<ActorRef>;
}
