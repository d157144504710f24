#!/usr/bin/env bash
# The documentation builds without a warning: no broken link, no bad code fence.
source "$(dirname "$0")/lib.sh"

export RUSTDOCFLAGS="-D warnings"
# The documentation of a build without features. The other one replaces it.
cargo doc --no-deps -p acedia -p acedia-actors
cargo doc --no-deps --workspace --exclude acedia-benches --exclude acedia-instructions --exclude acedia-latency --all-features
