#!/usr/bin/env bash
# ThreadSanitizer over the engine's tests: data races on real threads.
# The standard library is built with it, from Debian's sources and with Debian's compiler of the same version:
# an uninstrumented one hides the synchronisation inside channels, locks and joins, and so raises false alarms.
source "$(dirname "$0")/lib.sh"

debian_rust newest
# Debian ships no sanitizer runtimes; the toolchain's own fit, as long as both are of one LLVM major version.
llvm() { "$1" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p'; }
[ "$(llvm rustc)" = "$(llvm "$RUSTC")" ] ||
  skip "the runtime is of LLVM $(llvm rustc), Debian's compiler of LLVM $(llvm "$RUSTC")"
runtime=$(rustc --print sysroot)/lib/rustlib/$HOST/lib/librustc-stable_rt.tsan.a
[ -f "$runtime" ] || skip "this toolchain has no ThreadSanitizer runtime"
cp "$runtime" "$("$RUSTC" --print sysroot)/lib/rustlib/$HOST/lib/"

export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread" TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
some_tests cargo test -Zbuild-std -p acedia-allocator --lib --tests --target "$HOST" --target-dir "$TARGET/tsan" "$@"
