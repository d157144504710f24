//! The engine's interface on one thread, against a naive model.
#![no_main]

use acedia_fuzz::engine::{Op, run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|ops: Vec<Op>| run(&ops));
