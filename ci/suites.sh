#!/usr/bin/env bash
# The tests that take too long for `cargo test`: other libraries' test suites over pools, and the messages of the derive.
source "$(dirname "$0")/lib.sh"

some_tests cargo test -p acedia-suites "$@"
