//! Floor 2: which threads may be reading. It knows no slot and no pool.
//!
//! It may use floor 1.
//!
//! ```text
//! pin ─► flag of this thread (flags) ─► mode: nobody, one thread, many
//!                 │                        │
//!                 ▼                        ▼
//!        oldest(): look at all      is_solo(): no look needed        census: who makes guards in a pool
//! ```

pub(in crate::pool) mod barrier;
pub(in crate::pool) mod census;
pub(in crate::pool) mod exit;
pub(in crate::pool) mod flags;
pub(in crate::pool) mod mode;
pub(in crate::pool) mod pin;
pub(in crate::pool) mod who;
