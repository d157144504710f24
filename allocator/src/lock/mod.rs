//! The lock of texts, refs and collections: it panics where threads would wait for each other in a circle.
//!
//! It may use `sync` only.
//!
//! ```text
//! lock: read, write ── leaves a note ──► notes: the locks that this thread holds
//!   │ not free                              │ read before waiting
//!   └──────────────────────────────► circle: all threads that wait while holding a lock
//! ```

mod circle;
#[allow(clippy::module_inception, reason = "a room is named after its noun")]
mod lock;
mod notes;

pub use lock::{Lock, Reading, Subject, Writing};
