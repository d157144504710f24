//! Allocate and free at once, on one thread and on two.

mod harness;

fn main() {
    harness::run(&["pair", "churn"]);
}
