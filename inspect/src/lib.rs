#![doc = include_str!("../README.md")]
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
