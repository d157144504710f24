#![doc = include_str!("../README.md")]
//!
//! # What to call
//!
//! | To | Call |
//! |---|---|
//! | serve the page | [`Inspector::start`], [`Inspector::start_on`] |
//! | know its address | [`Inspector::url`], [`Inspector::address`] |
//! | pass the numbers to `tracing` | `record_events`, with the feature `tracing` |
//! | pass them to `metrics` | `record_metrics`, with the feature `metrics` |
//!
//! # Not supported
//!
//! * Access from other machines, and TLS.
//! * Pools without a class: [`Pool::stats`](acedia::pool::Pool::stats) has their numbers.
//! * Changes: the page only reads.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "tracing")]
mod events;
mod inspector;
#[cfg(feature = "metrics")]
mod metrics;
mod numbers;
mod request;
mod token;

#[cfg(feature = "tracing")]
pub use events::record_events;
pub use inspector::Inspector;
#[cfg(feature = "metrics")]
pub use metrics::record_metrics;
