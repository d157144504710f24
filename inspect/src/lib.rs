#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod inspector;
#[cfg(feature = "metrics")]
mod metrics;
mod numbers;
mod request;
mod token;

pub use inspector::Inspector;
#[cfg(feature = "metrics")]
pub use metrics::record_metrics;
