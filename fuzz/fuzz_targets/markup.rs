//! Formatted strings, made of their own parts or of anything, against a naive reader.
#![no_main]

use acedia_fuzz::markup::{Token, check, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<Token>, &str)| {
    run(&input.0);
    check(input.1);
});
