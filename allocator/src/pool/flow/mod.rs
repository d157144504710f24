//! Floor 6: how slots move between containers. Cold code. User code (finalizers, drops) runs here with no lock held.
//!
//! It may use floors 1 to 5.
//!
//! ```text
//! free ─► settle, with both limbos ─► place ─► list ─► acquire ─► allocate        wait: pools that the end of a pin looks for
//!                                       │                 ▲                       leave: threads
//!                                       └─► dropped ──────┘ (limit, collect)      teardown: the pool
//! ```

pub(in crate::pool) mod acquire;
pub(in crate::pool) mod admit;
pub(in crate::pool) mod collect;
pub(in crate::pool) mod leave;
pub(in crate::pool) mod limit;
pub(in crate::pool) mod place;
pub(in crate::pool) mod settle;
pub(in crate::pool) mod teardown;
pub(in crate::pool) mod wait;
