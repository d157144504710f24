#!/usr/bin/env bash
# Runs every fuzz target (or the named ones) for FUZZ_SECONDS (20, in CI 5) each, starting from the corpus in the tree.
# New inputs that the fuzzer finds stay under target/. A crash is written to fuzz/artifacts/ and fails.
source "$(dirname "$0")/lib.sh"

[ -f fuzz/Cargo.toml ] || fail "no fuzz targets"
cargo_tool cargo-fuzz 0.13.2
export RUSTC_BOOTSTRAP=1 # sanitizers and coverage on the stable toolchain
# Chunks come from the heap, as in asan.sh: the leak checker does not scan mapped pages for pointers.
export RUSTFLAGS="${RUSTFLAGS-} --cfg acedia_heap"
if [ -n "${CI:-}" ]; then
  # So short a run mostly replays the corpus, so a fast build matters more than fast code.
  export CARGO_PROFILE_RELEASE_OPT_LEVEL=1 FUZZ_SECONDS=${FUZZ_SECONDS:-5}
fi
fuzz() {
  local command=$1
  shift
  cargo fuzz "$command" --fuzz-dir fuzz "$@"
}

targets=("$@")
if [ $# -eq 0 ]; then mapfile -t targets < <(fuzz list); fi
[ "${#targets[@]}" -gt 0 ] || fail "no fuzz targets"
# One command builds all targets, because each separate build checks every dependency again.
if [ $# -eq 0 ]; then
  fuzz build --target-dir "$TARGET/fuzz"
else
  for target in "$@"; do fuzz build --target-dir "$TARGET/fuzz" "$target"; done
fi

run() {
  local target=$1 found=$TARGET/fuzz-corpus/$1
  mkdir -p "$found" "fuzz/corpus/$target"
  # The fuzzer adds to the first folder and only reads the second.
  fuzz run --target-dir "$TARGET/fuzz" "$target" "$found" "fuzz/corpus/$target" -- \
    -max_total_time="${FUZZ_SECONDS:-20}" -rss_limit_mb=4096 -print_final_stats=1
}
# Two at a time: a fuzzer has one thread. The output of each is shown when it has ended.
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
broken=()
for ((at = 0; at < ${#targets[@]}; at += 2)); do
  pair=("${targets[@]:at:2}") runs=()
  for target in "${pair[@]}"; do
    run "$target" >"$logs/$target" 2>&1 &
    runs+=($!)
  done
  for index in "${!pair[@]}"; do
    wait "${runs[index]}" || broken+=("${pair[index]}")
    cat "$logs/${pair[index]}"
  done
done
[ ${#broken[@]} -eq 0 ] || fail "found something: ${broken[*]}"
