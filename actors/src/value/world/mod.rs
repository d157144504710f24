//! The space around the actors of a level. The traits' implementations answer the level's queries; the level sends the events.
//!
//! Uses `actor_ref` and `geometry`.
//!
//! ```text
//! Level ── room? overlaps? floor? ──► CollisionWorld (CylinderGrid)
//!       ── zone? volume? ───────────► ZoneMap (BoxZones)
//! ```

pub(crate) mod collision_world;
pub(crate) mod grid;
pub(crate) mod zone_map;
pub(crate) mod zones;

pub use collision_world::{CollisionWorld, Floor};
pub use grid::CylinderGrid;
pub use zone_map::ZoneMap;
pub use zones::BoxZones;
