//! Reads by handle.

mod harness;

fn main() {
    harness::run(&["read", "hot"]);
}
