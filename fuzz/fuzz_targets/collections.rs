//! Lists, tables, arrays and JSON, against `Vec`s and `serde_json`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| acedia_fuzz::collections(bytes));
