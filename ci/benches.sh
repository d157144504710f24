#!/usr/bin/env bash
# The benchmarks and their peers compile and link, and the tables and charts are those of benches/data/. Nothing is measured
# (that is `cargo bench -p acedia-benches`).
source "$(dirname "$0")/lib.sh"

cargo build -p acedia-benches --all-targets
cargo run -p acedia-benches --bin pages -- --check
