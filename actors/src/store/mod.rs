//! Layer 3: the store. The actors of one level, their records, and the delivery of one event to one actor.
//!
//! Uses layers 1 and 2. It creates, finds, ends and reclaims actors, without sequences of events.
//!
//! ```text
//! add ──► Inner ── slot ──► Head    class, life, state, facts   (each access, event and tick)
//!           │          ├──► Record  place, zone, base           (a cache line)
//!           │          ├──► Extra   touches, riders, waits      (few actors)
//!           │          └──► Column  the Rust value              (layer 2)
//!           │
//! end ──► dead ── settle ──► reclaim: finalizer, row and slot free again
//!
//! Message ──► send ──► Head: class and state ──► Reactions ──► Body ──► Answer
//! call ─────────► Head: class and state ──► FunctionTable ──► FunctionBody ──► result
//! Warning ──► Log
//! Clock ──► alarms of actors whose timers sleep
//! Nesting: how deep, and when an event is dropped
//! ```

pub(crate) mod call;
pub(crate) mod clock;
pub(crate) mod extra;
pub(crate) mod head;
pub(crate) mod inner;
pub(crate) mod lives;
pub(crate) mod log;
pub(crate) mod nesting;
pub(crate) mod net;
#[cfg(feature = "serde")]
pub(crate) mod saved_level;
pub(crate) mod send;
pub(crate) mod sink;
pub(crate) mod ties;
pub(crate) mod values;
pub(crate) mod waits;
pub(crate) mod warning;
