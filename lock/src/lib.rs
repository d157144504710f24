#![doc = include_str!("../README.md")]
//!
//! # The parts
//!
//! ```text
//! lock: read, write ── leaves a note ──► notes: the locks that this thread holds
//!   │ not free                              │ read before waiting
//!   └──────────────────────────────► circle: all threads that wait while holding a lock
//! ```
//!
//! # Limits
//!
//! The crate detects only deadlocks among its own locks. In a forked process, a lock that another thread of the parent held is
//! never released.
#![doc(html_root_url = "https://docs.rs/acedia-lock/latest")]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

mod circle;
mod lock;
mod notes;
mod sync;

pub use lock::{Lock, Reading, Subject, Writing};
