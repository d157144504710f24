#!/usr/bin/env bash
# Do the checkers still catch anything? allocator/bugs.txt lists bugs that the engine carries under
# `--cfg acedia_bugs`, one of them at a time switched on by ACEDIA_BUG=name, and the checker that must fail on it.
# Each checker is built once with all of them in it; then, for every test filter of the list, it must pass with none
# switched on, and must fail on each bug. A build that fails or a run that takes too long has caught nothing.
#
#   ci/bugs.sh            all of them
#   ci/bugs.sh NAME…      only these
source "$(dirname "$0")/lib.sh"

list=allocator/bugs.txt
seconds=${BUG_SECONDS:-120}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The list, stripped of comments and of the blanks around its bars.
rows() { sed -e '/^[[:space:]]*\(#\|$\)/d' -e 's/[[:space:]]*|[[:space:]]*/|/g' -e 's/^[[:space:]]*//' "$list"; }

# checker NAME: sets `flags` and `command` to what that checker is, as the script of that name builds it.
checker() {
  # The actors' for the same build as loom.sh's.
  local loom=(cargo test --release -p acedia -p acedia-actors --lib --features acedia-actors/loom)
  case $1 in
    test) flags="" command=(cargo test -p acedia --lib --tests) ;;
    loom) flags="--cfg acedia_loom -C debug-assertions=on" command=("${loom[@]}") ;;
    loom_rmw) flags="--cfg acedia_loom -C debug-assertions=on" command=(env ACEDIA_LOOM_RMW=1 "${loom[@]}") ;;
    # One binary of tests, because everything in it is built with a std of its own.
    tsan) flags="-Zsanitizer=thread" command=(cargo test -Zbuild-std -p acedia --test owners --target "$HOST") ;;
    asan) flags="-Zsanitizer=address --cfg acedia_heap" command=(cargo test -p acedia --lib --tests --target "$HOST") ;;
    *) fail "$list: no such checker: $1" ;;
  esac
  case $1 in
    test) command+=(--target-dir "$TARGET/bugs") ;;
    loom | loom_rmw) command+=(--target-dir "$TARGET/loom") ;;
    *) command+=(--target-dir "$TARGET/$1") ;;
  esac
}

# run FILTER [NAME=VALUE]: one run of the checker into the job's log; its status.
run() {
  local filter=$1 status=0
  shift
  # shellcheck disable=SC2086 # a filter may be several words: tests that match any of them
  env -u ACEDIA_BUG "$@" timeout -k 10 "$seconds" "${command[@]}" -- $filter >"$log" 2>&1 || status=$?
  return "$status"
}

# Says what is wrong, with the end of the job's log.
problem() {
  echo "$1"
  if [ -f "${log-}" ]; then tail -n 40 "$log" | sed 's/^/  | /'; fi
}

sound() { # sound CHECKER FILTER [NAME=VALUE]: passes, and is not empty
  local name=$1 filter=$2
  shift 2
  if ! run "$filter" "$@"; then
    problem "PROBLEM  $name \"$filter\" fails without a bug ${*:+($*)}"
  elif ! grep -qE 'test result: .* [1-9][0-9]* passed' "$log"; then
    problem "PROBLEM  $name \"$filter\" runs no test"
  fi
}

check_bug() { # check_bug NAME CHECKER FILTER WHAT
  local started=$SECONDS status=0
  run "$3" "ACEDIA_BUG=$1" || status=$?
  case $status in
    0) problem "MISSED   $2 passes with $1: $4" ;;
    124 | 137) problem "MISSED   $2 took longer than ${seconds} s with $1: $4" ;;
    *) echo "caught   $2: $1 ($((SECONDS - started)) s): $4" ;;
  esac
}

# Models and the like have one thread, so two jobs run at a time. Real threads have to meet: with one core left to them they
# don't, so theirs run alone. The output of each job is kept in a file of its own.
jobs_begun=0 kind=
begin_job() {
  local at_once=2
  case $kind in test | asan | tsan) at_once=1 ;; esac
  while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n || true; done
  jobs_begun=$((jobs_begun + 1))
  local said
  said=$work/$(printf '%04d' "$jobs_begun")
  log=$said.log "$@" >"$said" &
}

[ -f "$list" ] || fail "no $list"
export LOOM_MAX_PREEMPTIONS=${LOOM_MAX_PREEMPTIONS:-4} LOOM_MAX_BRANCHES=${LOOM_MAX_BRANCHES:-10000}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:detect_stack_use_after_return=1}

wanted=$(rows)
if [ $# -gt 0 ]; then wanted=$(rows | grep -E "^($(IFS='|' && echo "$*"))\|" || true); fi
[ -n "$wanted" ] || fail "$list lists no such bug"
repeated=$(rows | cut -d'|' -f1,2 | sort | uniq -d)
[ -z "$repeated" ] || fail "$list lists twice: $repeated"

if [ $# -eq 0 ]; then
  while IFS= read -r name; do
    grep -q "^$name|" <<<"$(rows)" || begin_job problem "PROBLEM  $list doesn't list the bug $name"
  done < <(grep -rhoE --include='*.rs' '\bbug\("[^"]+"\)' allocator/src | cut -d'"' -f2 | sort -u)
fi

# The kind with a compiler of its own is the last one by name.
mapfile -t kinds < <(cut -d'|' -f2 <<<"$wanted" | sort -u)
for kind in "${kinds[@]}"; do
  case $kind in
    tsan | asan) export CARGO_PROFILE_DEV_OPT_LEVEL=1 ;; # as in their scripts
    *) unset CARGO_PROFILE_DEV_OPT_LEVEL ;;
  esac
  if [ "$kind" = tsan ]; then
    reason=$(tsan_rust) || {
      echo "not looked at: the bugs for tsan ($reason)"
      continue
    }
    tsan_rust
  fi
  case $kind in
    tsan | asan) export RUSTC_BOOTSTRAP=1 ;; # for their flag; others would be built anew for it
    *) unset RUSTC_BOOTSTRAP ;;
  esac
  checker "$kind"
  export RUSTFLAGS="--cfg acedia_bugs $flags"
  echo "::: $kind, RUSTFLAGS=$RUSTFLAGS"
  "${command[@]}" --no-run

  mapfile -t mine < <(grep -E "^[^|]*\|$kind\|" <<<"$wanted")
  mapfile -t filters < <(printf '%s\n' "${mine[@]}" | cut -d'|' -f3 | sort -u)
  # In CI, ci/loom.sh has run all models without a bug.
  case ${CI:-}$kind in
    true*loom*) ;;
    *) for filter in "${filters[@]}"; do begin_job sound "$kind" "$filter"; done ;;
  esac
  # A name that nothing answers to must change nothing, or else a misspelt bug would look caught.
  begin_job sound "$kind" "${filters[0]}" ACEDIA_BUG=no_such_bug

  for row in "${mine[@]}"; do
    IFS='|' read -r name _ filter what <<<"$row"
    if grep -rqF --include='*.rs' "\"$name\"" allocator; then
      begin_job check_bug "$name" "$kind" "$filter" "$what"
    else
      begin_job problem "PROBLEM  no source names the bug $name"
    fi
  done
  wait
done

said=$(find "$work" -type f ! -name '*.log' | sort | xargs cat)
echo "$said"
caught=$(grep -c '^caught ' <<<"$said" || true)
problems=$(grep -cE '^(PROBLEM|MISSED) ' <<<"$said" || true)
echo "$caught caught, $problems problems"
[ "$problems" -eq 0 ] && [ "$caught" -gt 0 ]
