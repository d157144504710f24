//! Layer 1: plain values, independent of classes and levels.
//!
//! Uses no other layer.
//!
//! ```text
//! Rules ──► Sent: the events of a spawn
//!              │
//! Event ── Message { row, event, Value } ──► body ──► Answer
//!              │
//!              └──► Trace ──► EventSink
//! ActorRef: slot and life, as every layer passes them on
//! ```

pub(crate) mod actor_ref;
pub(crate) mod event;
pub(crate) mod event_set;
pub(crate) mod geometry;
pub(crate) mod keyed;
pub(crate) mod life_word;
pub(crate) mod name;
pub(crate) mod properties;
pub(crate) mod rules;
#[cfg(feature = "serde")]
pub(crate) mod saved;
pub(crate) mod sent;
pub(crate) mod settings;
pub(crate) mod timer;
pub(crate) mod trace;
pub mod world;
