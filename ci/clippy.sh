#!/usr/bin/env bash
# Lints over every target of every crate; warnings are errors. ci/quick leaves out crates that a change has not touched.
source "$(dirname "$0")/lib.sh"

read -ra without <<<"${CLIPPY_WITHOUT:-}"
cargo clippy --workspace "${without[@]/#/--exclude=acedia-}" --all-targets --all-features -- -D warnings
case " ${without[*]} " in
  *" fuzz "*) ;;
  *) cargo clippy --manifest-path fuzz/Cargo.toml --all-targets --target-dir "$TARGET/fuzz-clippy" -- -D warnings ;;
esac
