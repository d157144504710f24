//! JSON Patch, JSON Merge Patch, and differences.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let _ = acedia_fuzz::patch::run(input);
});
