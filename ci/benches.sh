#!/usr/bin/env bash
# The benchmarks' programs and their peers compile and link, and the tables are those of benches/data/. Nothing is measured
# (that is `cargo bench -p acedia-benches`).
source "$(dirname "$0")/lib.sh"

allocators=(--features allocators)
command -v c++ >/dev/null && command -v make >/dev/null || allocators=()
# Not the benchmarks under criterion, which ci/clippy.sh checks: they link the same.
cargo build -p acedia-benches --bins "${allocators[@]}"
cargo run -p acedia-benches "${allocators[@]}" --bin pages -- --check
[ "${#allocators[@]}" -gt 0 ] || skip "jemalloc and snmalloc need a C++ compiler and make; all else passed"
