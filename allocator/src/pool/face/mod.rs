//! Layer 7: the public types. The hot paths begin here.
//!
//! It may use all layers below.
//!
//! ```text
//! Pool ── allocate ──► Owner ── key ──► Key ── lookup ──► &T under a Pinned, Reader, Guard
//!   ▲                    │                │
//!   └────── free ◄───────┴── manual ◄─────┘
//! ```

pub(in crate::pool) mod allocate;
#[cfg(feature = "plain")]
pub(in crate::pool) mod copied;
pub(in crate::pool) mod erased;
pub(in crate::pool) mod free;
pub(in crate::pool) mod guard;
pub(in crate::pool) mod hooks;
pub(in crate::pool) mod living;
pub(in crate::pool) mod lookup;
pub(in crate::pool) mod manual;
pub(in crate::pool) mod owner;
#[cfg(feature = "rayon")]
pub(in crate::pool) mod part;
pub(in crate::pool) mod pin;
pub(in crate::pool) mod pool;
pub(in crate::pool) mod reader;
pub(in crate::pool) mod statics;
pub(in crate::pool) mod untyped;
