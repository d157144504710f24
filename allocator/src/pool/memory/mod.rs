//! Layer 3: the memory layout of slots.
//!
//! It may use layers 1 and 2.
//!
//! ```text
//! pages ─► arena ─► chunk ─► slots          directory: slot index ─► chunk, life word
//!                     ▲
//!                   shape: sizes of a type
//! ```

pub(in crate::pool) mod arena;
pub(in crate::pool) mod chunk;
pub(in crate::pool) mod directory;
pub(in crate::pool) mod fork;
pub(in crate::pool) mod pages;
pub(in crate::pool) mod shape;
pub(in crate::pool) mod shared;
pub(in crate::pool) mod slot;
#[cfg(feature = "plain")]
pub(in crate::pool) mod twin;
