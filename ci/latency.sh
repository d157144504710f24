#!/usr/bin/env bash
# The engine's hot paths in time, as ratios to bare loops and to an allocator in the same run (`benches/latency`). Instruction counts
# (ci/instructions.sh) do not show a chain of loads that wait for each other; these ratios do. The limits are wide, and a run over one
# of them is repeated twice.
source "$(dirname "$0")/lib.sh"

cargo run --profile bench -p acedia-latency -- --check
