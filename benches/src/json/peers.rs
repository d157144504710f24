//! The names of the peers.

pub(super) const SERDE: &str = "serde_json";
pub(super) const SONIC: &str = "sonic-rs";
pub(super) const SIMD: &str = "simd-json, owned";
