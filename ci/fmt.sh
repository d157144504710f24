#!/usr/bin/env bash
# Formatting. `cargo fmt --all` mends what this finds.
source "$(dirname "$0")/lib.sh"

cargo fmt --all --check
if [ -f fuzz/Cargo.toml ]; then
  cargo fmt --manifest-path fuzz/Cargo.toml --all --check
fi
