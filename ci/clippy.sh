#!/usr/bin/env bash
# Lints every target of every crate; warnings are errors. ci/quick leaves out crates that a change has not touched.
source "$(dirname "$0")/lib.sh"

# Clippy links nothing, so an empty file stands for libFuzzer and for jemalloc, which takes 109 s of processor time to
# build.
mkdir -p "$TARGET"
touch "$TARGET/libnone.a"
export JEMALLOC_OVERRIDE=$TARGET/libnone.a CUSTOM_LIBFUZZER_PATH=$TARGET/libnone.a

read -ra without <<<"${CLIPPY_WITHOUT:-}"
cargo clippy --workspace "${without[@]/#/--exclude=acedia-}" --all-targets --all-features -- -D warnings
case " ${without[*]} " in
  *" fuzz "*) ;;
  *) cargo clippy --manifest-path fuzz/Cargo.toml --all-targets --target-dir "$TARGET" -- -D warnings ;;
esac
