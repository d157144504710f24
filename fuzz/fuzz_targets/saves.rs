//! Saved levels of actors, changed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = acedia_fuzz::saves::run(bytes);
});
