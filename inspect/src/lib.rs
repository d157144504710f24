#![doc = include_str!("../README.md")]
//!
//! # What to call
//!
//! | To | Call |
//! |---|---|
//! | serve the page | [`Inspector::start`], [`Inspector::start_on`] |
//! | get its address | [`Inspector::url`], [`Inspector::address`] |
//! | export the statistics through `metrics` | `record_metrics`, with the feature `metrics` |
//!
//! # JSON
//!
//! `/stats.json` and `/living.json` return the data of the page:
//!
//! | `/stats.json` | Meaning |
//! |---|---|
//! | `program`, `process` | the name of the executable; the process ID |
//! | `seconds` | the time since the inspector started |
//! | `places` | whether the source locations of allocations and pins are known: `true` with debug assertions |
//! | `statistics[]` | of each field of `Stats`: `name`, `bytes` (whether that is its unit), `meaning` |
//! | `classes[]` | `name`, `type`, `policy`, `object_size` and each field of `Stats` |
//! | `pins[]` | `thread`, `seconds`, `place`, and `delays`: the classes whose freed objects wait until the pin ends |
//!
//! | `/living.json` | Meaning |
//! |---|---|
//! | `objects` | the number of living objects |
//! | `places` | as in `/stats.json` |
//! | `groups[]` | `class`, `objects`, `place` (known only for objects with a handle), and `handles`: the number of objects with a handle |
//!
//! # Cost
//!
//! The inspector adds no cost to allocating, freeing and reading. `/stats.json` adds up counters that the pools have anyway.
//! `/living.json` visits every slot. The page requests it once, and at each *Refresh*.
//!
//! # Not supported
//!
//! * Access from other machines, and TLS.
//! * Pools without a class: [`Pool::stats`](acedia::Pool::stats) returns their statistics.
//! * Changing the program: the page only reads.
#![doc(html_root_url = "https://docs.rs/acedia-inspect/latest")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(clippy::exhaustive_enums)]

mod inspector;
#[cfg(feature = "metrics")]
mod metrics;
mod numbers;
mod request;
mod token;

pub use inspector::Inspector;
#[cfg(feature = "metrics")]
pub use metrics::record_metrics;
