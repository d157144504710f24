#!/usr/bin/env bash
# The complete model of the engine's protocol: every state of it, at three threads.
source "$(dirname "$0")/lib.sh"

some_tests cargo test --release -p acedia-protocol
