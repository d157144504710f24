//! Saved levels of actors, changed by the input. The changes and the properties come from the crate's own tests.

#[path = "../../actors/tests/saves/mod.rs"]
mod changes;

use std::sync::LazyLock;

use serde_json::Value;

static SAMPLE: LazyLock<Value> = LazyLock::new(changes::sample);

/// Changes a saved level and restores it. Whether that was possible.
///
/// # Panics
///
/// If a restored level can't be saved, or is saved as another one.
#[must_use]
pub fn run(bytes: &[u8]) -> bool {
    let mut bytes = bytes.iter();
    changes::run(&SAMPLE, || bytes.next().map_or(0, |byte| u32::from(*byte)))
}
