//! Tests of texts that need no process of their own.
#![forbid(unsafe_code)]

mod contract;
mod limits;
mod no_prelude;
mod operations;
mod serde;
