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
//! # Answers in JSON
//!
//! `/stats.json` and `/living.json` answer with the numbers of the page:
//!
//! | `/stats.json` | |
//! |---|---|
//! | `program`, `process` | the name of the executable, and its number |
//! | `seconds` | the seconds since the inspector started. To get lives per second, divide the difference of `lives` between two answers by the difference of `seconds` |
//! | `places` | whether the places of allocations and pins are recorded, as they are with debug assertions |
//! | `classes[]` | `name`, `type`, `policy`, `object_size`, and each field of `Stats`; `kept_bytes`, the part of `bytes` that free objects take, or the weight of these objects if the policy is `KeepBytes` |
//! | `pins[]` | `thread`, `seconds`, `place`, and `delays`: the classes whose freed objects wait until the pin ends |
//!
//! | `/living.json` | |
//! |---|---|
//! | `objects` | the number of living objects |
//! | `places` | as above |
//! | `groups[]` | `class`, `objects`, `place`; `handles`, the number of objects with a handle. The place of an object without a handle is not known |
//!
//! # Cost
//!
//! Allocating, freeing and reading cost the same as without the inspector. `/stats.json` adds up numbers that the pools
//! count in any case: 170 instructions for a class that one thread uses (`stats`, `ci/instructions.sh`). `/living.json` visits every
//! slot; the page asks for it once, and again when you press the button.
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
