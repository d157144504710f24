#!/usr/bin/env bash
# The benchmarks and their peers compile and link; nothing is measured (that is `cargo bench -p acedia-benches`).
source "$(dirname "$0")/lib.sh"

cargo build -p acedia-benches --all-targets
