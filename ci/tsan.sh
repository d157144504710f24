#!/usr/bin/env bash
# ThreadSanitizer over the tests of the engine and of plain data: data races on real threads.
# The standard library is instrumented, too, from Debian's sources and with Debian's compiler of the same version: an
# uninstrumented one hides the synchronisation inside channels, locks and joins, and so raises false alarms.
source "$(dirname "$0")/lib.sh"

tsan_rust
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread" TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
export CARGO_PROFILE_DEV_OPT_LEVEL=${CARGO_PROFILE_DEV_OPT_LEVEL:-1} # instrumented code is several times as fast
# Without one single-threaded test that takes a minute here, and the tests that measure resident memory.
some_tests cargo test -Zbuild-std -p acedia -p acedia-plain --lib --test classes --test pools --test plain --target "$HOST" --target-dir "$TARGET/tsan" "$@" \
  -- --skip collecting_a_million --skip memory::
