#!/usr/bin/env bash
# The public items of each published crate that differ from the last release, for CHANGELOG.md at a
# release. Removed and changed items break users; before 1.0 they need a new minor version.
#   ci/api.sh            compared with the last tag vX.Y.Z
#   ci/api.sh REVISION   compared with that commit
source "$(dirname "$0")/lib.sh"

base=${1:-$(git tag --list 'v[0-9]*' --sort=-version:refname | head -n 1)}
[ -n "$base" ] || skip "there is no release yet to compare with; ci/api.sh REVISION compares with a commit"
cargo_tool cargo-public-api 0.52.0
# The lists are made from rustdoc's JSON, which a stable compiler writes only under RUSTC_BOOTSTRAP.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$TARGET/api
work=$(mktemp -d)
trap 'git worktree remove --force "$work/base" >/dev/null 2>&1; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/base" "$base"
# lists FOLDER OUTPUT: without items from the fields (auto traits), other traits (blanket) and
# `derive`.
lists() {
  local manifest crate
  mkdir -p "$2"
  for manifest in "$1"/*/Cargo.toml; do
    if grep -q '^publish = false' "$manifest"; then continue; fi
    crate=$(sed -n 's/^name = "\(.*\)"$/\1/p' "$manifest" | head -n 1)
    cargo public-api --manifest-path "$manifest" -sss --all-features >"$2/$crate.txt"
    [ -s "$2/$crate.txt" ] || fail "no public item in $crate"
  done
}
lists "$work/base" "$work/before"
lists . "$work/now"
diff --unified=0 --recursive "$work/before" "$work/now" || true
