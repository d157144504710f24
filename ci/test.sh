#!/usr/bin/env bash
# The README's command, word for word: unit, integration and doc tests of everything but the benchmarks' peers. ci/quick
# names crates.
source "$(dirname "$0")/lib.sh"

read -ra crates <<<"${TEST_CRATES:-}"
some_tests cargo test "${crates[@]}"
