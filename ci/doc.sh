#!/usr/bin/env bash
# The documentation builds without a warning: no broken link, no bad code fence. Its pages have no literal `[name]`, and
# no import that their reader lacks. The tables of figures match benches/data/.
source "$(dirname "$0")/lib.sh"

export RUSTDOCFLAGS="-D warnings"
doc=${CARGO_TARGET_DIR:-target}/doc
look() {
  if command -v python3 >/dev/null; then python3 -B ci/pages.py "$doc"; fi
}

# Each library alone, without its optional features. In a parallel build, rustdoc can begin a crate before the pages of the crate's
# dependencies exist, and then prints a link to them as `[name]`, unless the dependency has an `html_root_url`.
mapfile -t manifests < <(grep -L 'publish = false' ./*/Cargo.toml)
for manifest in "${manifests[@]}"; do
  rm -rf "$doc"
  cargo doc --no-deps --manifest-path "$manifest"
  look
done
cargo doc --no-deps --workspace --exclude acedia-benches --exclude acedia-instructions --all-features
look
cargo run -p acedia-benches -- pages --check
command -v python3 >/dev/null || skip "no Python; the pages are not looked at, all else passed"
