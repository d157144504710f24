//! A thousand objects at a time, freed in order and out of order.

mod harness;

fn main() {
    harness::run(&["fifo", "random"]);
}
