//! Classes, what their macros expand to, and side maps. `shutdown` and the configuration apply to the whole process.
#![forbid(unsafe_code)] // Also a check of what the macros expand to.
#![allow(
    clippy::items_after_statements,
    reason = "a test's own types and numbers stand where they are used"
)]

#[path = "../support/mod.rs"]
mod support;

mod before_seen;
mod derive;
mod leaks;
mod no_prelude;
mod protocol;
mod side_maps;
