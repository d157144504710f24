#!/usr/bin/env bash
# The documentation builds without a warning: no broken link, no bad code fence.
source "$(dirname "$0")/lib.sh"

RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace --all-features
# The documentation of a build without features.
RUSTDOCFLAGS="-D warnings" cargo doc --no-deps -p acedia -p acedia-actors --target-dir "$TARGET/doc-default"
