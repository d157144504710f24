#!/usr/bin/env bash
# Miri over the engine's unit tests and all tests of plain data and of the actors, if it is installed
# (rustup +nightly component add miri rust-src).
source "$(dirname "$0")/lib.sh"

cargo +nightly miri --version 2>/dev/null || skip "Miri is not on this machine"
export MIRIFLAGS=${MIRIFLAGS:--Zmiri-strict-provenance}
tests=(--test plain)
for file in actors/tests/*.rs; do
  tests+=(--test "$(basename "$file" .rs)")
done
some_tests timeout -k 10 "${MIRI_SECONDS:-1800}" \
  cargo +nightly miri test -p acedia -p acedia-plain -p acedia-actors --lib "${tests[@]}" --target-dir "$TARGET/miri" "$@"
