#!/usr/bin/env bash
# The loom models of the engine, of locks, of references to actors, and of a program on top of the pools, each in two modes, and
# the shuttle models of that program:
#   native  loads may return stale values, so a missing fence shows; but loom explores next to nothing of
#           a load that stands before a compare-exchange of the same thread;
#   rmw     every load is a compare-exchange that can't succeed, which explores all interleavings but reads only
#           the newest values.
# LOOM_MAX_PREEMPTIONS (4, in CI 3) bounds the exploration; a bound of 2 misses some seeded bugs, one of 3 none. More is for one model
# at a time:
#   LOOM_MAX_PREEMPTIONS=6 ci/loom.sh NAME_OF_A_MODEL
source "$(dirname "$0")/lib.sh"

bound=4
if [ -n "${CI:-}" ]; then bound=3; fi
export LOOM_MAX_PREEMPTIONS=${LOOM_MAX_PREEMPTIONS:-$bound} LOOM_MAX_BRANCHES=${LOOM_MAX_BRANCHES:-10000}
models=(cargo test --release -p acedia -p acedia-lock -p acedia-actors --lib --features "acedia-actors/loom acedia-lock/loom" --target-dir "$TARGET/loom")
export RUSTFLAGS="--cfg acedia_loom -C debug-assertions=on"
"${models[@]}" --no-run
over=(cargo test --release -p acedia-modelled --lib --target-dir "$TARGET/loom")
for mode in -uACEDIA_LOOM_RMW ACEDIA_LOOM_RMW=1; do
  echo "::: env $mode"
  some_tests env "$mode" timeout -k 10 "${LOOM_SECONDS:-600}" "${models[@]}" -- "${@:-models::}"
  if [ $# -eq 0 ]; then some_tests env "$mode" "${over[@]}"; fi
done
if [ $# -eq 0 ]; then some_tests "${over[@]}" --features shuttle; fi
