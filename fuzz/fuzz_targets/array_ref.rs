//! Array refs of every primitive, against `Vec`.
#![no_main]

use acedia_fuzz::array_ref::{Input, run_input};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: Input| run_input(&input));
