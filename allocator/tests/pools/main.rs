//! Pools on real threads: what their documentation promises.
#![allow(
    clippy::items_after_statements,
    clippy::large_stack_arrays,
    clippy::many_single_char_names,
    clippy::needless_for_each,
    clippy::semicolon_if_nothing_returned,
    clippy::similar_names,
    clippy::too_many_lines,
    reason = "a test's own types and numbers stand where they are used"
)]

#[path = "../support/mod.rs"]
mod support;

mod across_await;
mod bits;
mod bounded;
mod conservation;
mod holders;
mod limits;
#[cfg(all(target_os = "linux", target_env = "gnu", not(any(miri, acedia_heap))))]
mod memory;
mod owners;
mod panics;
#[cfg(feature = "rayon")]
mod parallel;
mod places;
mod pool;
mod reentry;
mod removal;
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
mod sandbox;
mod send_sync;
mod shapes;
mod slots;
mod solo;
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
mod stopped;
mod strangers;
mod threads;
mod values;
