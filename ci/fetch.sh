#!/usr/bin/env bash
# Downloads the dependencies that Cargo.lock names, so that the other scripts need no network for them.
# A lock file that doesn't fit its manifest fails; a network that doesn't answer is no fault of the tree.
source "$(dirname "$0")/lib.sh"

fetch() {
  local log
  log=$(mktemp)
  if ! retry cargo fetch --locked --target "$HOST" --manifest-path "$1" 2>&1 | tee "$log"; then
    if grep -q 'cannot update the lock file' "$log"; then fail "the lock file beside $1 doesn't fit it"; fi
    grep -qiE 'network|failed to download|download of|resolve host|timed out|connection' "$log" ||
      fail "the dependencies of $1 don't resolve"
    skip "the dependencies of $1 can't be downloaded"
  fi
  rm -f "$log"
}

fetch Cargo.toml
if [ -f fuzz/Cargo.toml ]; then fetch fuzz/Cargo.toml; fi
