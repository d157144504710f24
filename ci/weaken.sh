#!/usr/bin/env bash
# Does a checker notice each memory ordering and each fence? ci/mutants weakens them in a copy of the engine's sources, one at a
# time, and runs loom's models in both modes and the tests on each. A mutation that all of them pass has survived: it fails, unless
# allocator/weaken.txt gives a reason.
#
#   ci/weaken.sh                a sample of WEAKEN_SAMPLE (12) mutations, another one with each commit
#   ci/weaken.sh --all          all of them
#   ci/weaken.sh --list         their names
#   ci/weaken.sh NAME…          those whose name begins so, or of a place FILE:LINE
#   ci/weaken.sh --checkers test,tsan …    ThreadSanitizer, too; or only loom and loom_rmw
source "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no Python"
export MUTANTS_TARGET=$TARGET HOST
case "${1:-}" in
  '') set -- --sample "${WEAKEN_SAMPLE:-12}" --seed "${WEAKEN_SEED:-$(git rev-parse HEAD 2>/dev/null || date +%F)}" ;;
  --all) shift ;;
esac
exec python3 -B ci/mutants orderings "$@"
