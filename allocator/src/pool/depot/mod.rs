//! Layer 5: the record of one pool, and the code that maintains it.
//!
//! It may use layers 1 to 4.
//!
//! ```text
//! tables: this thread's magazines of each pool ─► depot: chunks, stock, limits, numbers
//!                                                   │ grows (growth), counts guards (guarding), reports numbers (stats)
//! ```

#[allow(clippy::module_inception, reason = "the record is the room's noun")]
pub(in crate::pool) mod depot;
pub(in crate::pool) mod growth;
pub(in crate::pool) mod guarding;
pub(in crate::pool) mod held;
pub(in crate::pool) mod stats;
pub(in crate::pool) mod tables;
