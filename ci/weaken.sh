#!/usr/bin/env bash
# Does a checker notice each memory ordering and each fence? ci/mutants weakens them in a copy of the engine's sources,
# one at a time, and runs loom's models in both modes and the tests on each mutation. If all pass, it has survived: the
# script fails.
#
#   ci/weaken.sh                all of them. In CI, in another order per commit, until WEAKEN_BEGIN (150) seconds
#                               have passed; one not caught in WEAKEN_SECONDS (60) of processor time fails
#   ci/weaken.sh --list         their names
#   ci/weaken.sh NAME…          those whose name begins with NAME, or that are at FILE:LINE
#   ci/weaken.sh --checkers test,tsan …    only these, of loom, loom_rmw, test and tsan
source "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no Python"
export MUTANTS_TARGET=$TARGET HOST
if [ -n "${CI:-}" ] && [ $# -eq 0 ]; then set -- --seed "$(git rev-parse HEAD 2>/dev/null || date +%F)"; fi
exec python3 -B ci/mutants orderings "$@"
