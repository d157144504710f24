#!/usr/bin/env bash
# The library crates build with the oldest compiler they promise (`rust-version` in Cargo.toml), taken from Debian.
source "$(dirname "$0")/lib.sh"

oldest=$(sed -n 's/^rust-version = "\([0-9]*\.[0-9]*\).*/\1/p' Cargo.toml)
[ -n "$oldest" ] || fail "no rust-version in Cargo.toml"
debian_rust "$oldest"
cargo check --lib --workspace --exclude acedia-benches --all-features \
  --target-dir "$TARGET/msrv"
