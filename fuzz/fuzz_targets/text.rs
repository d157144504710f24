//! Texts, formatted strings and configurations, against naive models.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| acedia_fuzz::text(bytes));
