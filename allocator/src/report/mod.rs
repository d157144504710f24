//! Reports to users, and the records from which they are made.

pub(crate) mod pinned_thread;
#[cfg(debug_assertions)]
pub(crate) mod site;
pub(crate) mod stats;
