//! Data of any shape, and references to actors, on their way to and from a format of `serde`.

pub(crate) mod error;
pub(crate) mod references;
pub(crate) mod tree;
