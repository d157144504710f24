//! The engine on one thread, and any 64 bits as a handle, against naive models.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| acedia_fuzz::engine(bytes));
