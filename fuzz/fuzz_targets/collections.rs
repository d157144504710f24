//! A list and a table, against `Vec`s.
#![no_main]

use acedia_fuzz::collections::{Op, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|ops: Vec<Op>| run(&ops));
