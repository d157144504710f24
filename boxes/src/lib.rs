//! Pooled values.
#![forbid(unsafe_code)]
