#!/usr/bin/env bash
# The complete model of the engine's protocol: every state of it, at three threads.
source "$(dirname "$0")/lib.sh"

# The planted bugs are in the build and none is switched on, so that ci/bugs.sh has nothing to build anew.
export RUSTFLAGS="--cfg acedia_bugs"
some_tests cargo test --release -p acedia-protocol --target-dir "$TARGET/protocol"
