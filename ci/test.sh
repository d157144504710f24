#!/usr/bin/env bash
# The README's command, word for word: unit, integration and doc tests of everything but the benchmarks' peers.
source "$(dirname "$0")/lib.sh"

some_tests cargo test
# Resident memory is measured without debug assertions, which keep more.
some_tests cargo test --release -p acedia-allocator --test retained
