#!/usr/bin/env bash
# Miri over the engine's unit tests, where it is installed (rustup +nightly component add miri rust-src).
source "$(dirname "$0")/lib.sh"

cargo +nightly miri --version 2>/dev/null || skip "Miri is not on this machine"
export MIRIFLAGS=${MIRIFLAGS:--Zmiri-strict-provenance}
some_tests timeout -k 10 "${MIRI_SECONDS:-600}" \
  cargo +nightly miri test -p acedia-allocator --lib --target-dir "$TARGET/miri" "$@"
