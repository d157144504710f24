#!/usr/bin/env bash
# The licences, sources and version requirements of all dependencies, by deny.toml.
# (Advisories are not looked up: their database is in no package registry.)
source "$(dirname "$0")/lib.sh"

cargo_tool cargo-deny 0.20.2
cargo deny --workspace --all-features check bans licenses sources
