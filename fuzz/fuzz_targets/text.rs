//! Operations on texts, against lists of characters.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|ops: Vec<acedia_fuzz::text::Op>| acedia_fuzz::text::run(&ops));
