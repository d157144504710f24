//! The atomics of this program: the model checker's in a model.

#[cfg(all(acedia_loom, not(feature = "shuttle")))]
pub(crate) use acedia::modelling::loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(all(acedia_loom, feature = "shuttle"))]
pub(crate) use acedia::modelling::shuttle::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(acedia_loom))]
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
