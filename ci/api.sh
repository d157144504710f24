#!/usr/bin/env bash
# The public items of each published crate are those of api/*.txt, so that a change of them is seen in review.
# `ci/api.sh --update` writes the lists anew. They are one compiler's; with another one nothing is compared.
source "$(dirname "$0")/lib.sh"

compiler=$(rustc --version | cut -d' ' -f2)
case "${1:-}" in
  --update) ;;
  '')
    listed=$(cat api/compiler.txt 2>/dev/null || true)
    [ -n "$listed" ] || fail "no api/compiler.txt; make the lists with ci/api.sh --update"
    [ "$listed" = "$compiler" ] ||
      skip "api/ is what Rust $listed lists, this is $compiler; ci/api.sh --update lists with this one"
    ;;
  *) fail "usage: ci/api.sh [--update]" ;;
esac

cargo_tool cargo-public-api 0.52.0
now=$(mktemp -d)
trap 'rm -rf "$now"' EXIT
echo "$compiler" >"$now/compiler.txt"
# The lists are made of rustdoc's JSON, which stable gives out under RUSTC_BOOTSTRAP only.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET/api
take_turn api
for manifest in */Cargo.toml; do
  if grep -q '^publish = false' "$manifest"; then continue; fi
  crate=$(sed -n 's/^name = "\(.*\)"$/\1/p' "$manifest" | head -n 1)
  # Without what follows from the fields (auto traits), from other traits (blanket) and from `derive`.
  cargo public-api --manifest-path "$manifest" -sss --all-features >"$now/$crate.txt"
  [ -s "$now/$crate.txt" ] || fail "no public item in $crate"
done

if [ "${1:-}" = --update ]; then
  rm -rf api
  mkdir api
  cp "$now"/*.txt api/
  wc -l api/*.txt
elif ! diff --unified=0 --recursive api "$now"; then
  fail "the public items have changed. If that is meant: ci/api.sh --update, and a line in CHANGELOG.md"
fi
