#!/usr/bin/env bash
# Does a checker notice each memory ordering and each fence? ci/mutants weakens them in a copy of the engine's sources, one at a
# time, and runs loom's models in both modes and the tests on each. A mutation that all of them pass has survived: it fails.
#
#   ci/weaken.sh                all of them. In CI only those that begin in WEAKEN_BEGIN (150) seconds, in another order with each
#                               commit; and one that is not caught in WEAKEN_SECONDS (60) of a processor fails
#   ci/weaken.sh --list         their names
#   ci/weaken.sh NAME…          those whose name begins so, or of a place FILE:LINE
#   ci/weaken.sh --checkers test,tsan …    ThreadSanitizer, too; or only loom and loom_rmw
source "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no Python"
export MUTANTS_TARGET=$TARGET HOST
if [ -n "${CI:-}" ] && [ $# -eq 0 ]; then set -- --seed "$(git rev-parse HEAD 2>/dev/null || date +%F)"; fi
exec python3 -B ci/mutants orderings "$@"
