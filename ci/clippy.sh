#!/usr/bin/env bash
# Lints over every target of every crate; warnings are errors.
source "$(dirname "$0")/lib.sh"

cargo clippy --workspace --all-targets --all-features -- -D warnings
if [ -f fuzz/Cargo.toml ]; then
  cargo clippy --manifest-path fuzz/Cargo.toml --all-targets --target-dir "$TARGET/fuzz-clippy" -- -D warnings
fi
