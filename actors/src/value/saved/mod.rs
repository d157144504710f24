//! Data of any shape, and references to actors, between a level and a format of `serde`.

pub(crate) mod error;
pub(crate) mod references;
pub(crate) mod tree;
