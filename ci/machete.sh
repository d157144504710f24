#!/usr/bin/env bash
# No crate names a dependency that it doesn't use.
source "$(dirname "$0")/lib.sh"

cargo_tool cargo-machete 0.9.2
cargo machete
