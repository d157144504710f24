//! Layer 6: how slots move between containers. Cold code. User code (finalizers, drops) runs here with no lock held.
//!
//! It may use layers 1 to 5.
//!
//! ```text
//!            ┌────────────── recycle ──────────────┐
//!     free ──┼─► both limbos ─► place ─► list ─────┼─► allocate       wait: pools that the end of a pin looks for
//!            └───────────────────┬───────────▲─────┘                  exit: threads
//!                                └─► dropped ┘ (limit, collect)       teardown: the pool
//! ```

pub(in crate::pool) mod admit;
pub(in crate::pool) mod collect;
pub(in crate::pool) mod exit;
pub(in crate::pool) mod limit;
pub(in crate::pool) mod place;
pub(in crate::pool) mod recycle;
pub(in crate::pool) mod teardown;
pub(in crate::pool) mod wait;
