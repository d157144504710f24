#!/usr/bin/env bash
# The README's command, word for word: unit, integration and doc tests of everything but the benchmarks' peers. ci/quick names
# crates.
source "$(dirname "$0")/lib.sh"

read -ra crates <<<"${TEST_CRATES:-}"
some_tests cargo test "${crates[@]}"
if [ "${#crates[@]}" -gt 0 ]; then exit; fi
# Resident memory is measured without debug assertions, which keep more.
some_tests cargo test --release -p acedia --test retained
