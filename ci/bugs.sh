#!/usr/bin/env bash
# Do the checkers still catch anything? allocator/bugs.txt lists bugs, each with the checkers that must fail on it. ci/mutants plants
# them in a copy of the sources, where each is switched on at run time, and runs the checkers without a bug and with each.
#
#   ci/bugs.sh           all of them
#   ci/bugs.sh NAME…     only these
#   ci/bugs.sh --checkers test,loom …    only these checkers
source "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || skip "no Python"
export MUTANTS_TARGET=$TARGET HOST
exec python3 -B ci/mutants planted "$@"
