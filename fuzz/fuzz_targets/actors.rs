//! Levels whose handlers do anything.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| acedia_fuzz::actors::run(bytes));
