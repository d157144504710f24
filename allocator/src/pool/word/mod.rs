//! Layer 1: numbers and single words. Every transition of a slot's words is here, with its memory ordering.
//!
//! It imports nothing from the rest of the pool. The layers above decide when a transition happens.
//!
//! ```text
//! index ─► key ─► life word        guard word         owner count        tag of a pool
//! ```

pub(in crate::pool) mod guards;
pub(in crate::pool) mod ids;
pub(in crate::pool) mod index;
pub(in crate::pool) mod key;
pub(in crate::pool) mod life;
#[cfg(all(test, acedia_loom))]
mod models;
pub(in crate::pool) mod owners;
pub(in crate::pool) mod tag;
#[cfg(all(test, unix, not(any(miri, acedia_loom))))]
mod tests;
