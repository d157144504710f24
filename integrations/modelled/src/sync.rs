//! The atomics and threads of this program: loom's in a model.

#[cfg(acedia_loom)]
pub(crate) use acedia_allocator::modelling::loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(acedia_loom))]
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
