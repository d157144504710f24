//! Any 64 bits as a handle, against a table of the living objects.
#![no_main]

use acedia_fuzz::handles::{Op, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|ops: Vec<Op>| run(&ops));
