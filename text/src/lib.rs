//! Pooled text.
#![forbid(unsafe_code)]
