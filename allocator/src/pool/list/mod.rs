//! Layer 4: containers of free slots. Each is a data structure that calls no layer above.
//!
//! It may use layers 1 to 3. A free slot is in one of these places:
//!
//! | where | places |
//! |---|---|
//! | a thread's lists, `local` | ready, previous, limbo, fresh (no object) |
//! | the pool's `stock` | magazines: recent; `shelf`: a bit for each slot |
//! | under the pool's lock, `depot::Locked` | kept, if the pool has a limit; empty (no object) |
//! | one by one, or in magazines | the pool's limbo (`stock`): waits for pins |
//! | one by one | its own CLOSED bit: waits for guards |
//!
//! ```text
//! local ◄── magazines of 255 ──► stock ──► shelf             limbo: slots and stamp, oldest first
//! ```

pub(in crate::pool) mod cells;
pub(in crate::pool) mod empty;
pub(in crate::pool) mod kept;
pub(in crate::pool) mod local;
pub(in crate::pool) mod magazine;
pub(in crate::pool) mod shelf;
pub(in crate::pool) mod stock;
