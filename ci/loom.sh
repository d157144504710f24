#!/usr/bin/env bash
# The loom models of the engine, of locks, of references to actors, and of a program on top of the pools, each in two modes:
#   native  loads may return stale values, so a missing fence shows; but loom explores next to nothing of
#           a load that stands before a compare-exchange of the same thread;
#   rmw     every load is a compare-exchange that can't succeed, which explores all interleavings but reads only
#           the newest values.
# LOOM_MAX_PREEMPTIONS (4) bounds the exploration; a bound of 2 misses some seeded bugs. More is for one model at a time:
#   LOOM_MAX_PREEMPTIONS=6 ci/loom.sh NAME_OF_A_MODEL
source "$(dirname "$0")/lib.sh"

export LOOM_MAX_PREEMPTIONS=${LOOM_MAX_PREEMPTIONS:-4} LOOM_MAX_BRANCHES=${LOOM_MAX_BRANCHES:-10000}
models=(cargo test --release -p acedia-allocator -p acedia-actors --lib --features acedia-actors/loom --target-dir "$TARGET/loom")
# The planted bugs are in the build and none is switched on, so that ci/bugs.sh has nothing to build anew.
export RUSTFLAGS="--cfg acedia_bugs --cfg acedia_loom -C debug-assertions=on"
"${models[@]}" --no-run
over=(cargo test --release -p acedia-modelled --lib --target-dir "$TARGET/loom")
for mode in -uACEDIA_LOOM_RMW ACEDIA_LOOM_RMW=1; do
  echo "::: env $mode"
  some_tests env "$mode" timeout -k 10 "${LOOM_SECONDS:-300}" "${models[@]}" -- "${@:-models::}"
  if [ $# -eq 0 ]; then some_tests env "$mode" "${over[@]}"; fi
done
