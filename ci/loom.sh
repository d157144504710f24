#!/usr/bin/env bash
# The loom models of the engine, of plain data, of locks, of references to actors, and of a program on top of the pools, each in two modes, and
# the shuttle models of that program:
#   native  loads may return stale values, so a missing fence shows; but loom explores next to nothing of
#           a load that stands before a compare-exchange of the same thread;
#   rmw     every load is a compare-exchange that can't succeed, which explores all interleavings but reads only
#           the newest values.
# LOOM_MAX_PREEMPTIONS (4) bounds the exploration; a bound of 2 misses some seeded bugs, one of 3 misses one. More is for one model at a
# time:
#   LOOM_MAX_PREEMPTIONS=6 ci/loom.sh NAME_OF_A_MODEL
# In CI the bound is 3, as in ci/bugs.sh and ci/weaken.sh. Only the models below have another: those that take most of the time in
# native mode, and one that needs 4 in the other mode to show a bug that the engine had.
source "$(dirname "$0")/lib.sh"

long=(
  constructors_in_a_ring deferred_one_after_another deferred_under_a_pin going_through_against_collect_and_growth
  load_against_set objects_begin_to_wait_while_pins_end reuse_by_another_thread two_new_readers_against_a_free
)
is_ci=
if [ -n "${CI:-}" ] && [ -z "${LOOM_MAX_PREEMPTIONS:-}" ] && [ $# -eq 0 ]; then
  for name in "${long[@]}"; do
    grep -rqF "fn $name(" allocator/src plain/src || fail "no model is named $name"
  done
  LOOM_MAX_PREEMPTIONS=3 is_ci=true
fi

export LOOM_MAX_PREEMPTIONS=${LOOM_MAX_PREEMPTIONS:-4} LOOM_MAX_BRANCHES=${LOOM_MAX_BRANCHES:-10000}
models=(cargo test --release -p acedia -p acedia-lock -p acedia-plain -p acedia-actors --lib --features "acedia-actors/loom acedia-lock/loom acedia-plain/loom" --target-dir "$TARGET/loom")
export RUSTFLAGS="--cfg acedia_loom -C debug-assertions=on"
"${models[@]}" --no-run
over=(cargo test --release -p acedia-modelled --lib --target-dir "$TARGET/loom")
for mode in -uACEDIA_LOOM_RMW ACEDIA_LOOM_RMW=1; do
  echo "::: env $mode"
  run=(env "$mode" timeout -k 10 "${LOOM_SECONDS:-600}" "${models[@]}" --)
  other=() bound=
  case $is_ci$mode in
    true-u*) other=("${long[@]}") bound=2 ;;
    true*) other=(deferred_one_after_another) bound=4 ;;
  esac
  some_tests "${run[@]}" "${@:-models::}" "${other[@]/#/--skip=}"
  if [ -n "$bound" ]; then LOOM_MAX_PREEMPTIONS=$bound some_tests "${run[@]}" "${other[@]}"; fi
  if [ $# -eq 0 ]; then some_tests env "$mode" "${over[@]}"; fi
done
if [ $# -eq 0 ]; then some_tests "${over[@]}" --features shuttle; fi
