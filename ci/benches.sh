#!/usr/bin/env bash
# The benchmarks and their peers compile and link, and the tables and figures are those of benches/data/. Nothing is measured.
source "$(dirname "$0")/lib.sh"

jemalloc=(--features jemalloc)
command -v make >/dev/null || jemalloc=()
# Not the benchmarks under criterion, which ci/clippy.sh checks: they link the same.
cargo run -p acedia-benches "${jemalloc[@]}" -- pages --check
[ "${#jemalloc[@]}" -gt 0 ] || skip "jemalloc needs make; all else passed"
