//! The tasks of this program when it was started by itself: see [`isolated`].

use crate::{isolated, json, workloads};

/// If this process is a child, does what it was started for and exits. Every program calls this first.
///
/// # Panics
///
/// If the arguments name no task or no contender.
pub fn serve() {
    isolated::serve(workloads::TASKS.iter().chain([&workloads::START]).chain(&json::TASKS));
}
