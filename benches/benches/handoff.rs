//! One thread allocates, another frees.

mod harness;

fn main() {
    harness::run(&["handoff"]);
}
