#!/usr/bin/env bash
# Every crate that is to be published can be: it is packed, and what was packed builds with all of its features, beside nothing but the
# registry and the crates packed before it. Each package has its licences and its README. Nothing is sent anywhere. (What all
# features need is in the package for fewer, too; ci/features.sh builds each set.)
source "$(dirname "$0")/lib.sh"

target=$TARGET/publish
# Cargo keeps what it has unpacked of its local registry by name and version, which stay while the code changes.
rm -rf "$target" "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/acedia{,-*}
# Changes since the last commit are packed too.
cargo publish --dry-run --workspace --locked --allow-dirty --all-features --target-dir "$target"

packages=0
for package in "$target"/package/acedia*/; do
  for file in LICENSE-MIT LICENSE-APACHE README.md Cargo.toml src/lib.rs; do
    [ -s "$package$file" ] || fail "$(basename "$package") has no $file"
  done
  packages=$((packages + 1))
done
echo "$packages packages"
