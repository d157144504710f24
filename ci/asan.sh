#!/usr/bin/env bash
# AddressSanitizer and LeakSanitizer over the tests of the engine and of plain data: use after free, double free, leaks.
# The runtimes come with the stable toolchain; RUSTC_BOOTSTRAP lets it take the flag.
source "$(dirname "$0")/lib.sh"

export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address --cfg acedia_heap"
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:detect_stack_use_after_return=1}
export CARGO_PROFILE_DEV_OPT_LEVEL=${CARGO_PROFILE_DEV_OPT_LEVEL:-1} # as in ci/tsan.sh
# Frames of instrumented code are several times as large, and finalizers that free the next object nest.
export RUST_MIN_STACK=${RUST_MIN_STACK:-16777216}
# Without one single-threaded test of a minute.
some_tests cargo test -p acedia -p acedia-plain --lib --tests --target "$HOST" --target-dir "$TARGET/asan" "$@" \
  -- --skip collecting_a_million
