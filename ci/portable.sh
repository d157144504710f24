#!/usr/bin/env bash
# The library crates build for other systems and processors. The engine's tests pass on those that this machine can run or
# emulate: 32-bit x86, 64-bit ARM (qemu-user) and WebAssembly (wasmtime). The same seed gives actors the same trace there.
# The standard libraries of these targets are built from Debian's sources, with Debian's compiler of the same version.
# The emulation of ARM takes five minutes, and threads of WebAssembly need one more standard library, so these run by hand, before a release.
#   ci/portable.sh check|i686|aarch64|wasm32|threads   only that; `threads`: of WebAssembly, with one memory and no system
source "$(dirname "$0")/lib.sh"

portable=$TARGET/portable
std=-Zbuild-std

# A std is built for each. 64-bit ARM is among them once.
check() {
  local others=(aarch64-apple-darwin x86_64-pc-windows-msvc wasm32-unknown-unknown)
  echo "${others[*]}"
  cargo check -Zbuild-std=std --lib -p acedia -p acedia-collections -p acedia-plain "${others[@]/#/--target=}" --target-dir "$portable"
}

# tests TARGET ARGUMENT…: the engine's, the actors' trace, and plain data.
tests() {
  of acedia-actors "$1" --test replay
  of acedia-plain "$1" --lib
  of acedia "$@"
}

of() {
  some_tests cargo test "$std" --quiet -p "$1" --target "$2" --target-dir "$portable" "${@:3}"
}

i686() {
  [ "$HOST" = x86_64-unknown-linux-gnu ] || skip "only a processor of x86-64 runs programs for 32-bit x86"
  links() { echo 'int main(void) { return 0; }' | cc -m32 -x c -o /dev/null - 2>/dev/null; }
  if ! links; then
    debian_packages gcc-multilib
    links || skip "no programs for 32-bit x86 can be linked here"
  fi
  tests i686-unknown-linux-gnu --lib --test alignment --test bits --test protocol --test saved
}

# An emulated processor does not reorder memory as a real one may: these find what depends on its instructions, pages and calls.
aarch64() {
  local skipped=() name
  debian_tool qemu-aarch64 qemu-user
  debian_tool aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
  [ -d /usr/aarch64-linux-gnu/include ] || debian_packages libc6-dev-arm64-cross
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
  export ACEDIA_TEST_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$ACEDIA_TEST_RUNNER CARGO_PROFILE_DEV_OPT_LEVEL=1
  # Text, which has no processor in it and takes minutes here; and three whose threads have to meet.
  for name in config:: near:: an_aged_pool what_is_put_on_the_shelf five_hundred_at_once who_waits_for_room_gets_it; do
    skipped+=(--skip "$name")
  done
  tests aarch64-unknown-linux-gnu --lib --test bits --test conservation --test owners --test panics --test protocol \
    --test second_reader --test threads --test values -- "${skipped[@]}"
}

# Without the tests that start threads or catch panics: there are no threads, and a panic ends the program.
wasm32() {
  python_tool wasmtime 50.0.1
  local start=/usr/lib/wasm32-wasi/crt1-command.o lld skipped=() name
  [ -f "$start" ] || debian_packages wasi-libc
  lld=$(rustc --print sysroot)/lib/rustlib/$HOST/bin/rust-lld
  [ -x "$lld" ] || skip "this toolchain has no rust-lld"
  export CARGO_TARGET_WASM32_WASIP1_LINKER=$lld CARGO_TARGET_WASM32_WASIP1_RUNNER="python3 $PWD/ci/wasm.py"
  # Debian's libc is older than the calls for threads that std names. They are left open, and ci/wasm.py has none.
  export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-Clink-self-contained=no -L${start%/*} -Clink-arg=$start -Clink-arg=--allow-undefined"
  export CARGO_PROFILE_DEV_OPT_LEVEL=1
  std=-Zbuild-std=std,panic_abort
  for name in config:: near:: lock:: panics:: pool::face::erased pool::flow::recycle pool::flow::wait pool::list::stock::tests::empty_magazines \
    an_aged_pool pool::memory::shared pool::reading::domain large_objects the_peak_of_lives; do
    skipped+=(--skip "$name")
  done
  tests wasm32-wasip1 --lib --test bits --test pool --test slots -- "${skipped[@]}"
}

threads() {
  python_tool wasmtime 50.0.1
  local lld folder=$portable/threads flags="-Ctarget-feature=+atomics,+bulk-memory,+mutable-globals" argument
  lld=$(rustc --print sysroot)/lib/rustlib/$HOST/bin/rust-lld
  [ -x "$lld" ] || skip "this toolchain has no rust-lld"
  for argument in shared-memory import-memory max-memory=268435456 export=__stack_pointer export=__wasm_init_tls export=__tls_size; do
    flags+=" -Clink-arg=--$argument"
  done
  export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$lld CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags
  export CARGO_PROFILE_DEV_OPT_LEVEL=1
  mkdir -p "$folder"
  cp Cargo.lock "$folder"
  cat >"$folder/Cargo.toml" <<EOF
[workspace]
[package]
name = "threads"
version = "0.0.0"
edition = "2024"
[lib]
path = "$PWD/ci/wasm_threads.rs"
crate-type = ["cdylib"]
[dependencies]
acedia = { path = "$PWD/allocator" }
EOF
  cargo build --quiet -Zbuild-std=std,panic_abort --manifest-path "$folder/Cargo.toml" --target wasm32-unknown-unknown \
    --target-dir "$portable"
  python3 ci/wasm_threads.py "$portable/wasm32-unknown-unknown/debug/threads.wasm"
}

if [ $# -eq 0 ]; then
  missing=()
  for target in check i686 wasm32; do
    echo "::: $target"
    status=0
    bash "$0" "$target" || status=$?
    case $status in
      0) ;;
      77) missing+=("$target") ;;
      *) exit "$status" ;;
    esac
  done
  [ ${#missing[@]} -eq 0 ] || skip "nothing ran for ${missing[*]}; all else passed"
else
  debian_rust newest
  export RUSTC_BOOTSTRAP=1 # lets a stable compiler take -Zbuild-std
  "$1"
fi
