//! Array refs of every primitive, against `Vec`.
#![no_main]

use acedia_allocator::{Pools, collect_garbage};
use acedia_fuzz::array_ref::{Input, run_input};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: Input| {
    run_input(&input);
    // What free objects keep stands in pages that the leak sanitizer does not look into.
    collect_garbage(Pools::Drop);
});
