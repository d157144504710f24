//! JSON, against `serde_json`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|document: &[u8]| {
    let _ = acedia_fuzz::json::run(document);
});
