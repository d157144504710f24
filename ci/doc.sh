#!/usr/bin/env bash
# The documentation builds without a warning: no broken link, no bad code fence. Its pages, as a first build makes them, have no literal
# `[name]` and no import that their reader lacks.
source "$(dirname "$0")/lib.sh"

export RUSTDOCFLAGS="-D warnings"
rm -rf "${CARGO_TARGET_DIR:-target}/doc"
# The documentation of a build without features. The other one replaces it.
cargo doc --no-deps -p acedia -p acedia-actors
cargo doc --no-deps --workspace --exclude acedia-benches --exclude acedia-instructions --all-features
command -v python3 >/dev/null || skip "no Python; the pages are not looked at, all else passed"
python3 -B ci/pages.py "${CARGO_TARGET_DIR:-target}/doc"
