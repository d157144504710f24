#!/usr/bin/env bash
# The library crates build for other systems and processors, and the engine's tests pass on 32-bit x86, or by hand in
# five minutes on emulated 64-bit ARM. Actors give the same trace there from the same seed. The standard libraries of
# these targets are built from Debian's sources, with Debian's compiler of the same version.
#   ci/portable.sh check|i686|aarch64   only that
source "$(dirname "$0")/lib.sh"

portable=$TARGET/portable

# A std is built for each. 64-bit ARM is among them once.
check() {
  local others=(aarch64-apple-darwin x86_64-pc-windows-msvc wasm32-unknown-unknown)
  begin
  cargo check -Zbuild-std=std --lib -p acedia -p acedia-collections "${others[@]/#/--target=}" --target-dir "$portable"
}

begin() {
  debian_rust newest
  export RUSTC_BOOTSTRAP=1 # lets a stable compiler take -Zbuild-std
}

# tests TARGET ARGUMENT…: the engine's, and the test of the actors' trace.
tests() {
  begin
  of acedia-actors "$1" --test replay
  of acedia "$@"
}

of() {
  some_tests cargo test -Zbuild-std --quiet -p "$1" --target "$2" --target-dir "$portable" "${@:3}"
}

i686() {
  [ "$HOST" = x86_64-unknown-linux-gnu ] || skip "only a processor of x86-64 runs programs for 32-bit x86"
  links() { echo 'int main(void) { return 0; }' | cc -m32 -x c -o /dev/null - 2>/dev/null; }
  if ! links; then
    debian_packages gcc-multilib
    links || skip "no programs for 32-bit x86 can be linked here"
  fi
  tests i686-unknown-linux-gnu --lib --test classes --test pools -- --skip collecting_a_million
}

# An emulated processor does not reorder memory as a real one may. These tests cover its instructions, pages and calls.
aarch64() {
  local skipped=() name
  debian_tool qemu-aarch64 qemu-user
  debian_tool aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
  [ -d /usr/aarch64-linux-gnu/include ] || debian_packages libc6-dev-arm64-cross
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
  export ACEDIA_TEST_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$ACEDIA_TEST_RUNNER CARGO_PROFILE_DEV_OPT_LEVEL=1
  # Skips text, independent of the processor and slow here, and tests whose threads have to meet.
  for name in config:: near:: five_hundred_at_once a_second_thread_starts_to_read collecting_a_million; do
    skipped+=(--skip "$name")
  done
  tests aarch64-unknown-linux-gnu --lib --test classes --test pools -- "${skipped[@]}"
}

parts "${@:-check i686}"
